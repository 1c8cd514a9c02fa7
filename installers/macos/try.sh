#!/bin/sh
# Tries the agent on a Mac in about two minutes and prints a report to attach to an issue. Run it in a checkout after
# `npm ci`: sh installers/macos/try.sh. It writes only to a temporary folder and to dist/agent of the checkout, contacts no
# hub, and needs no root.
set -u
[ "$(uname)" = Darwin ] || { echo 'try.sh: this script is for macOS' >&2; exit 2; }
cd "$(dirname "$0")/../.."
PATH=$PWD/node_modules/.bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
report=$work/report.txt
failures=0

section() { printf '\n## %s\n' "$1" >>"$report"; }
# Runs a check, and adds its result, duration and the end of its output to the report.
check() {
  name=$1
  shift
  started=$(date +%s)
  if "$@" >"$work/out" 2>&1; then result=ok; else result="FAILED ($?)"; failures=$((failures + 1)); fi
  printf '%s: %s, %s s\n' "$name" "$result" "$(($(date +%s) - started))" >>"$report"
  tail -n 25 "$work/out" | sed "s#$HOME#~#g; s/^/    /" >>"$report"
}
agent() { node agent/src/main.ts "$@" --data-dir "$work/data"; }
# A process that the agent must list and that a policy could terminate.
list_planted_process() {
  cp /bin/sleep "$work/gw-planted-sleep" && codesign -f -s - "$work/gw-planted-sleep" 2>/dev/null
  "$work/gw-planted-sleep" 60 &
  planted=$!
  agent processes --all --json >"$work/processes.json"
  kill "$planted"
  grep -q gw-planted-sleep "$work/processes.json"
}

{
  echo "Gatewarden on macOS: report of try.sh, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "macOS $(sw_vers -productVersion) ($(sw_vers -buildVersion)), $(uname -m), node $(node --version)"
  echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
} >"$report"
section 'Native calls'
check 'list processes' agent processes
check 'list a planted process with its path' list_planted_process
section 'Discovery'
check 'scan' agent scan
check 'scan again' agent scan
section 'Tests of the platform code'
check 'unit tests' npx vitest run --project unit agent/src/native agent/src/processes agent/src/discovery
section 'Package'
check 'build the tree of the service' node installers/src/tree.ts --os darwin --arch "$(node -p process.arch)"
check 'start the packaged agent' "$(ls -d dist/agent/mac-*/bin/node | head -n 1)" "$(ls dist/agent/mac-*/app/main.js | head -n 1)" --version
printf '\n%s checks failed\n' "$failures" >>"$report"
cat "$report"
exit "$((failures > 0))"
