#!/bin/sh
# Removes the agent and the tray app, because macOS has no uninstaller. With --purge, it also removes identity, queue
# and configuration. Untested on a real machine.
set -eu
folder='/Library/Application Support/Gatewarden'
left=
launchctl bootout system /Library/LaunchDaemons/com.gatewarden.agent.plist 2>/dev/null || true
# Restores quarantined files, because nobody could restore them without the agent.
if [ -f "$folder/agent.toml" ]; then
  "$folder/bin/gatewarden" quarantine --release-all --config "$folder/agent.toml" || left=1
fi
rm -f /Library/LaunchDaemons/com.gatewarden.agent.plist /Library/LaunchAgents/com.gatewarden.tray.plist
rm -rf /Applications/Gatewarden.app "$folder/bin"
pkgutil --forget com.gatewarden.agent >/dev/null 2>&1 || true
if [ "${1:-}" = --purge ]; then
  # Files of users that could not be restored are kept.
  if [ -n "$left" ]; then
    find "$folder" -mindepth 1 -maxdepth 1 ! -name agent -exec rm -rf {} +
    find "$folder/agent" -mindepth 1 -maxdepth 1 ! -name 'quarantine*' -exec rm -rf {} +
    echo "gatewarden: what could not be put back is left in $folder/agent: take out what is needed, then remove $folder"
  else
    rm -rf "$folder"
  fi
fi
