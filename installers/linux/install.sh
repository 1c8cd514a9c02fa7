#!/bin/sh
# Installs, upgrades or takes away the agent where no package manager does it. Run as root.
#   ./install.sh             install or upgrade to this version; what device management hands over: see `configure`
#   ./install.sh --remove    take it away; identity, queue and configuration stay
#   ./install.sh --purge     and take these away, too
set -eu
version='@VERSION@'
here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR:-}
home=$root/usr/lib/gatewarden-agent
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
if [ "$(id -u)" != 0 ]; then
  echo 'install.sh: run it as root' >&2
  exit 1
fi
# One at a time, as package managers see to it: two would copy into one folder, and what came of it would not start.
if [ -z "$root" ] && command -v flock >/dev/null; then
  exec 9>/run/gatewarden-agent.install
  if ! flock -w 300 9; then
    echo 'install.sh: another one is at work' >&2
    exit 1
  fi
fi
case "${1:-}" in
  --remove | --purge)
    if has_systemd; then
      systemctl stop gatewarden-agent.service || true
    fi
    if [ -x "$root/usr/bin/gatewarden" ] && [ -f "$root/etc/gatewarden/agent.toml" ] && [ -z "$root" ]; then
      if /usr/bin/gatewarden status --config /etc/gatewarden/agent.toml >/dev/null 2>&1; then
        echo 'install.sh: the agent runs, and systemd did not start it: stop it first, then what it holds can be put back' >&2
        exit 1
      fi
      rm -f /var/lib/gatewarden-agent/not-put-back
      /usr/bin/gatewarden quarantine --release-all --config /etc/gatewarden/agent.toml ||
        : >/var/lib/gatewarden-agent/not-put-back || true
    fi
    # Not before: a removal that was refused leaves a service that starts again with the machine.
    if has_systemd; then
      systemctl disable gatewarden-agent.service || true
    fi
    rm -rf "$home" "$root/usr/bin/gatewarden" "$root/usr/lib/systemd/system/gatewarden-agent.service" \
      "$root/usr/share/doc/gatewarden-agent"
    rm -rf "$root/var/lib/gatewarden-agent/versions" "$root/var/lib/gatewarden-agent/updates"
    if [ "$1" = --purge ]; then
      # What belongs to people and could not be put back (a home that is away, something else in its place) is not thrown away.
      if [ -e "$root/var/lib/gatewarden-agent/not-put-back" ]; then
        find "$root/var/lib/gatewarden-agent" -mindepth 1 -maxdepth 1 ! -name 'quarantine*' ! -name not-put-back -exec rm -rf {} +
        echo "gatewarden-agent: what could not be put back is left in $root/var/lib/gatewarden-agent/quarantine*: take out what is needed, then remove that folder"
      else
        rm -rf "$root/var/lib/gatewarden-agent"
      fi
      rm -rf "$root/etc/gatewarden"
    fi
    if has_systemd; then
      systemctl daemon-reload
    fi
    exit 0
    ;;
  '') ;;
  *)
    echo 'install.sh: --remove or --purge, or nothing' >&2
    exit 1
    ;;
esac
back=
# Stays where this breaks off: what is off then was not switched off by anybody.
unfinished=$root/etc/gatewarden/unfinished
if [ -x "$root/usr/bin/gatewarden" ] && [ -z "$root" ]; then
  # One that broke off in the midst may have left a program that does not start.
  installed=$(/usr/bin/gatewarden --version 2>/dev/null) || installed=$version
  newest=$(printf '%s\n%s\n' "$installed" "$version" | sort -V | tail -n 1)
  if [ "$installed" != "$version" ] && [ "$newest" = "$installed" ]; then
    if [ "${GATEWARDEN_ALLOW_DOWNGRADE:-}" != 1 ]; then
      echo "gatewarden-agent $installed is installed: $version is older and is refused (GATEWARDEN_ALLOW_DOWNGRADE=1 forces it)" >&2
      exit 1
    fi
    back=1
  fi
else
  (umask 022 && mkdir -p "$root/etc/gatewarden" && : >"$unfinished")
fi
# What an administrator switched off is not switched on.
off=
if has_systemd; then
  case "$(systemctl is-enabled gatewarden-agent.service 2>/dev/null || true)" in
    masked*) off=1 ;;
    disabled) [ -e "$unfinished" ] || off=1 ;;
  esac
fi
# It goes on until its program is exchanged: broken off before, even by a kill, the one of before is at work. However else
# this ends (no room, a wrong word in the configuration, a terminal that is closed): who was at work goes on.
ran=
if has_systemd && systemctl is-active --quiet gatewarden-agent.service; then
  ran=1
  trap 'systemctl start gatewarden-agent.service || true' EXIT
  trap 'exit 1' HUP INT TERM
  # The newer version that runs is about to be taken away.
  [ -z "$back" ] || systemctl stop gatewarden-agent.service || true
fi
# Whoever unpacked the archive, and however: what runs as root is root's alone to change, and everybody's to run.
umask 022
# The new one beside the old one, then one rename: there is never half of it.
put() {
  from=$here/$1 to=$root/$1
  mkdir -p "$(dirname "$to")"
  rm -rf "$to.new" "$to.old"
  cp -RP "$from" "$to.new"
  chmod -R u+rwX,go+rX,go-w "$to.new"
  # A file is replaced in one step; a folder cannot be.
  if [ -d "$to" ]; then
    mv "$to" "$to.old"
  fi
  mv "$to.new" "$to"
  rm -rf "$to.old"
}
# What came from the hub is newer still, and would go on in its place.
if [ -n "$back" ]; then
  rm -rf "$root/var/lib/gatewarden-agent/versions" "$root/var/lib/gatewarden-agent/updates"
fi
put usr/lib/gatewarden-agent
put usr/bin/gatewarden
put usr/lib/systemd/system/gatewarden-agent.service
put usr/share/doc/gatewarden-agent
mkdir -p "$root/etc/gatewarden"
# A wrong word there is said at the end: the agent goes on with the configuration that it has.
problem=0
if [ -z "$root" ]; then
  "$home/configure" || problem=$?
fi
if has_systemd; then
  systemctl daemon-reload
  if [ -n "$off" ]; then
    echo 'gatewarden-agent: the service was switched off here and stays so'
    # Started by hand, it goes on.
    [ -z "$ran" ] || systemctl restart gatewarden-agent.service || true
  else
    systemctl enable gatewarden-agent.service
    systemctl restart gatewarden-agent.service
  fi
elif [ -z "$root" ] && /usr/bin/gatewarden status >/dev/null 2>&1; then
  echo 'gatewarden-agent: the agent that runs is the one of before: restart it'
fi
rm -f "$unfinished"
echo "gatewarden-agent $version is installed"
exit "$problem"
