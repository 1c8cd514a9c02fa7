#!/bin/sh
# Takes the agent and the tray app away; macOS has no uninstaller of its own. With --purge identity, queue and
# configuration go as well. Not tried on a real machine yet.
set -eu
folder='/Library/Application Support/Gatewarden'
left=
launchctl bootout system /Library/LaunchDaemons/com.gatewarden.agent.plist 2>/dev/null || true
# What a decision moved aside is put back: without the agent nobody could.
if [ -f "$folder/agent.toml" ]; then
  "$folder/bin/gatewarden" quarantine --release-all --config "$folder/agent.toml" || left=1
fi
rm -f /Library/LaunchDaemons/com.gatewarden.agent.plist /Library/LaunchAgents/com.gatewarden.tray.plist
rm -rf /Applications/Gatewarden.app "$folder/bin"
pkgutil --forget com.gatewarden.agent >/dev/null 2>&1 || true
if [ "${1:-}" = --purge ]; then
  # What belongs to people and could not be put back is not thrown away.
  if [ -n "$left" ]; then
    find "$folder" -mindepth 1 -maxdepth 1 ! -name agent -exec rm -rf {} +
    find "$folder/agent" -mindepth 1 -maxdepth 1 ! -name 'quarantine*' -exec rm -rf {} +
    echo "gatewarden: what could not be put back is left in $folder/agent: take out what is needed, then remove $folder"
  else
    rm -rf "$folder"
  fi
fi
