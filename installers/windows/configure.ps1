# Writes the agent's configuration without prompts, as installers/linux/configure does: from the environment, or from
# %ProgramData%\Gatewarden\install.env (lines of NAME=value), which is removed after reading because it contains a
# token. Untested on a real machine.
param([Parameter(Mandatory = $true)][string]$Resources)
$ErrorActionPreference = 'Stop'
$names = 'GATEWARDEN_BASE_URL', 'GATEWARDEN_TENANT_ID', 'GATEWARDEN_SUBSCRIBER_ID', 'GATEWARDEN_AUTH_TOKEN',
  'GATEWARDEN_AUTH_TOKEN_FILE', 'GATEWARDEN_ENFORCEMENT', 'GATEWARDEN_PROXY', 'GATEWARDEN_CA_FILE', 'GATEWARDEN_PIN_SHA256'
$folder = Join-Path $env:ProgramData 'Gatewarden'
$file = Join-Path $folder 'install.env'
New-Item -ItemType Directory -Force -Path $folder | Out-Null
# Every user may create folders in ProgramData. The creator of this folder must neither own it, nor choose the hub by a
# file in it, nor redirect the script to another folder by a link.
function Assert-NoLink($one) {
  if ($one.Attributes -band [IO.FileAttributes]::ReparsePoint) { throw "$($one.FullName) is a link" }
}
Assert-NoLink (Get-Item -Force -LiteralPath $folder)
# Only administrators and the system may write to the folder or read it, whatever was granted before. SIDs are used
# because names depend on the language. The folder and its owner come first: from then on nobody else can add a file or
# a link, and its contents inherit the permissions.
$access = New-Object System.Security.AccessControl.DirectorySecurity
$access.SetSecurityDescriptorSddlForm('O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)')
Set-Acl -LiteralPath $folder -AclObject $access
Assert-NoLink (Get-Item -Force -LiteralPath $folder)
$believed = 'S-1-5-18', 'S-1-5-32-544'
foreach ($one in Get-ChildItem -Force -Recurse -LiteralPath $folder) {
  Assert-NoLink $one
  $owner = (Get-Acl -LiteralPath $one.FullName).GetOwner([System.Security.Principal.SecurityIdentifier]).Value
  if ($believed -notcontains $owner) {
    throw "$($one.FullName) belongs to ${owner}: only what is the system's or administrators' is believed"
  }
}
if (Get-ChildItem -Force -LiteralPath $folder) {
  foreach ($change in @('/setowner', '*S-1-5-32-544'), @('/reset')) {
    icacls (Join-Path $folder '*') @change /T /L /Q | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "icacls ended with $LASTEXITCODE" }
  }
}
$given = @{}
foreach ($name in $names) { $given[$name] = [Environment]::GetEnvironmentVariable($name) }
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
# Arguments are visible to all users, and the value may contain a password.
$env:GATEWARDEN_PROXY = $given.GATEWARDEN_PROXY
if ($given.GATEWARDEN_CA_FILE) { $arguments += '--ca-file', $given.GATEWARDEN_CA_FILE }
if ($given.GATEWARDEN_PIN_SHA256) { $arguments += '--pin-sha256', $given.GATEWARDEN_PIN_SHA256 }
$node = Join-Path $Resources 'agent\bin\node.exe'
if ($token) { $token | & $node @arguments '--auth-token-stdin' } else { & $node @arguments }
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
Remove-Item -Force -ErrorAction SilentlyContinue $file
