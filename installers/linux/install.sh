#!/bin/sh
# Installs, upgrades or removes the agent without a package manager. Run as root.
#   ./install.sh             install or upgrade to this version; `configure` lists the settings
#   ./install.sh --remove    remove it; identity, queue and configuration remain
#   ./install.sh --purge     remove these, too
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
# Only a single installation may run, as with package managers: two would copy into the same folder.
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
    # The service is disabled only now: a refused removal leaves a service that starts with the machine.
    if has_systemd; then
      systemctl disable gatewarden-agent.service || true
    fi
    rm -rf "$home" "$root/usr/bin/gatewarden" "$root/usr/lib/systemd/system/gatewarden-agent.service" \
      "$root/usr/share/doc/gatewarden-agent"
    rm -rf "$root/var/lib/gatewarden-agent/versions" "$root/var/lib/gatewarden-agent/updates"
    if [ "$1" = --purge ]; then
      # Files of users that could not be restored (an unmounted home, a file in their place) are kept.
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
# The mark remains after an interruption, because a service that is disabled then was not disabled by an administrator.
unfinished=$root/etc/gatewarden/unfinished
if [ -x "$root/usr/bin/gatewarden" ] && [ -z "$root" ]; then
  # An interrupted installation may have left a program that does not start.
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
# A service that an administrator disabled is not enabled.
off=
if has_systemd; then
  case "$(systemctl is-enabled gatewarden-agent.service 2>/dev/null || true)" in
    masked*) off=1 ;;
    disabled) [ -e "$unfinished" ] || off=1 ;;
  esac
fi
# The service runs until its program is replaced: an interruption before, even by a kill, leaves the previous version
# running. After any other failure (no space, an invalid configuration, a closed terminal) a running service continues.
ran=
if has_systemd && systemctl is-active --quiet gatewarden-agent.service; then
  ran=1
  trap 'systemctl start gatewarden-agent.service || true' EXIT
  trap 'exit 1' HUP INT TERM
  # The newer version that runs is about to be removed.
  [ -z "$back" ] || systemctl stop gatewarden-agent.service || true
fi
# Sets owner and modes regardless of how the archive was unpacked: programs that run as root are writable by root only.
umask 022
# Copies the new version beside the old version and renames it, so that no version is incomplete.
put() {
  from=$here/$1 to=$root/$1
  mkdir -p "$(dirname "$to")"
  rm -rf "$to.new" "$to.old"
  cp -RP "$from" "$to.new"
  chmod -R u+rwX,go+rX,go-w "$to.new"
  # A file is replaced atomically; a folder cannot be.
  if [ -d "$to" ]; then
    mv "$to" "$to.old"
  fi
  mv "$to.new" "$to"
  rm -rf "$to.old"
}
# A version from the hub is newer and would run in place of this version.
if [ -n "$back" ]; then
  rm -rf "$root/var/lib/gatewarden-agent/versions" "$root/var/lib/gatewarden-agent/updates"
fi
put usr/lib/gatewarden-agent
put usr/bin/gatewarden
put usr/lib/systemd/system/gatewarden-agent.service
put usr/share/doc/gatewarden-agent
mkdir -p "$root/etc/gatewarden"
# Reports an invalid configuration at the end; the agent keeps its present configuration.
problem=0
if [ -z "$root" ]; then
  "$home/configure" || problem=$?
fi
if has_systemd; then
  systemctl daemon-reload
  if [ -n "$off" ]; then
    echo 'gatewarden-agent: the service was switched off here and stays so'
    # A service that was started by hand is restarted.
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
