#!/bin/sh
# Takes the agent and the tray app away; macOS has no uninstaller of its own. With --purge identity, queue and
# configuration go as well. Not tried on a real machine yet.
set -eu
folder='/Library/Application Support/Gatewarden'
launchctl bootout system /Library/LaunchDaemons/com.gatewarden.agent.plist 2>/dev/null || true
# What a decision moved aside is put back: without the agent nobody could.
if [ -f "$folder/agent.toml" ]; then
  "$folder/bin/gatewarden" quarantine --release-all --config "$folder/agent.toml" || true
fi
rm -f /Library/LaunchDaemons/com.gatewarden.agent.plist /Library/LaunchAgents/com.gatewarden.tray.plist
rm -rf /Applications/Gatewarden.app "$folder/bin"
pkgutil --forget com.gatewarden.agent >/dev/null 2>&1 || true
if [ "${1:-}" = --purge ]; then
  rm -rf "$folder"
fi
