# Writes the agent's configuration without asking, as installers/linux/configure does: from the environment, or from
# %ProgramData%\Gatewarden\install.env (lines of NAME=value), which is removed once it was read, for it holds a token.
# Not tried on a real machine yet.
param([Parameter(Mandatory = $true)][string]$Resources)
$ErrorActionPreference = 'Stop'
$names = 'GATEWARDEN_BASE_URL', 'GATEWARDEN_TENANT_ID', 'GATEWARDEN_SUBSCRIBER_ID', 'GATEWARDEN_AUTH_TOKEN',
  'GATEWARDEN_AUTH_TOKEN_FILE', 'GATEWARDEN_ENFORCEMENT'
$folder = Join-Path $env:ProgramData 'Gatewarden'
New-Item -ItemType Directory -Force -Path $folder | Out-Null
# Only administrators and the system may write there, or read what it holds: SIDs, for names depend on the language.
icacls $folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
if ($LASTEXITCODE -ne 0) { throw "icacls ended with $LASTEXITCODE" }
$given = @{}
foreach ($name in $names) { $given[$name] = [Environment]::GetEnvironmentVariable($name) }
$file = Join-Path $folder 'install.env'
if (Test-Path $file) {
  foreach ($line in Get-Content $file) {
    if ($line -eq '' -or $line.StartsWith('#')) { continue }
    $name, $value = $line -split '=', 2
    if ($names -notcontains $name) { throw "${file}: $name is not known" }
    $given[$name] = $value
  }
}
if (-not $given.GATEWARDEN_BASE_URL) { exit 0 }
$token = $given.GATEWARDEN_AUTH_TOKEN
if ($given.GATEWARDEN_AUTH_TOKEN_FILE) { $token = (Get-Content -Raw $given.GATEWARDEN_AUTH_TOKEN_FILE).Trim() }
$arguments = @((Join-Path $Resources 'agent\app\main.js'), 'enroll', '--config', (Join-Path $folder 'agent.toml'),
  '--base-url', $given.GATEWARDEN_BASE_URL, '--tenant-id', $given.GATEWARDEN_TENANT_ID,
  '--subscriber-id', $given.GATEWARDEN_SUBSCRIBER_ID)
if ($given.GATEWARDEN_ENFORCEMENT) { $arguments += '--enforcement', $given.GATEWARDEN_ENFORCEMENT }
$node = Join-Path $Resources 'agent\bin\node.exe'
if ($token) { $token | & $node @arguments '--auth-token-stdin' } else { & $node @arguments }
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
Remove-Item -Force -ErrorAction SilentlyContinue $file
