// The commands that install the agent on each platform; docs/how-to/enroll-devices.md documents the same settings.

export interface Machine {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
}

export interface Installer {
  key: 'deb' | 'rpm' | 'archive' | 'macos' | 'windows';
  name: string;
  /** How far the installer is tested (docs/reference/support-matrix.md); `not_built`: never built on such a system. */
  tried: 'tried' | 'untried' | 'not_built';
  /** Where device management leaves the same settings for the installer, as lines of `NAME=value`. */
  settingsFile: string;
  command(machine: Machine): string;
}

const TOKEN_FILE = '/root/gatewarden-token';
const LINUX_FILE = '/etc/gatewarden/install.env';
const MACOS_FOLDER = '/Library/Application Support/Gatewarden';

export const INSTALLERS: readonly Installer[] = [
  {
    key: 'deb',
    name: 'Debian, Ubuntu (.deb)',
    tried: 'tried',
    settingsFile: LINUX_FILE,
    command: (machine) => installed(machine, 'dpkg -i gatewarden-agent_*_amd64.deb'),
  },
  {
    key: 'rpm',
    name: 'Fedora, RHEL, SUSE (.rpm)',
    tried: 'untried',
    settingsFile: LINUX_FILE,
    command: (machine) => installed(machine, 'rpm -i gatewarden-agent-*.x86_64.rpm'),
  },
  {
    key: 'archive',
    name: 'Other Linux (archive)',
    tried: 'tried',
    settingsFile: LINUX_FILE,
    command: (machine) =>
      [
        'tar xzf gatewarden-agent-*-linux-x64.tar.gz',
        installed(machine, './gatewarden-agent-*-linux-x64/install.sh'),
      ].join(' && \\\n'),
  },
  {
    key: 'macos',
    name: 'macOS (.pkg)',
    tried: 'not_built',
    settingsFile: `${MACOS_FOLDER}/install.env`,
    command: installedOnMacos,
  },
  {
    key: 'windows',
    name: 'Windows (MSI, by PowerShell as administrator)',
    tried: 'not_built',
    settingsFile: '%ProgramData%\\Gatewarden\\install.env',
    command: installedOnWindows,
  },
];

/**
 * As root, with the token in a file that only root reads: a command line is seen by everybody on the machine. One command
 * in all, so that whatever shell it is pasted into asks for the token before the rest, and not with the rest.
 */
function installed({ baseUrl, tenantId, subscriberId }: Machine, program: string): string {
  const asked = 'umask 077; printf "Token: "; read -r token; printf "%s\\n" "$token"';
  return [
    `sudo sh -c '${asked} > ${TOKEN_FILE}' &&`,
    [
      `sudo GATEWARDEN_BASE_URL=${quoted(baseUrl)}`,
      `GATEWARDEN_TENANT_ID=${quoted(tenantId)}`,
      `GATEWARDEN_SUBSCRIBER_ID=${quoted(subscriberId)}`,
      `GATEWARDEN_AUTH_TOKEN_FILE=${TOKEN_FILE}`,
      `${program};`,
    ].join(' \\\n  '),
    `sudo rm ${TOKEN_FILE}`,
  ].join(' \\\n');
}

/** The installer's scripts see no environment of who starts it: the settings go through the file that only root reads. */
function installedOnMacos(machine: Machine): string {
  const script = [
    'umask 077; printf "Token: "; read -r token; folder=$1; shift; mkdir -p "$folder" &&',
    'printf "%s\\n" "$@" "GATEWARDEN_AUTH_TOKEN=$token" > "$folder/install.env"',
  ].join(' ');
  return [
    `sudo sh -c '${script}' sh`,
    `  ${[MACOS_FOLDER, ...settingsOf(machine)].map(quoted).join(' \\\n  ')} &&`,
    'sudo installer -pkg gatewarden-desktop_*_mac_*.pkg -target /;',
    `sudo rm -f ${quoted(`${MACOS_FOLDER}/install.env`)}`,
  ].join(' \\\n');
}

/** One block, read whole before it runs. The folder is closed to others before a token lies in it. */
function installedOnWindows(machine: Machine): string {
  return `& {
  $ErrorActionPreference = 'Stop'
  $msi = (Get-Item gatewarden-desktop_*_win_*.msi | Select-Object -First 1).FullName
  $folder = Join-Path $env:ProgramData 'Gatewarden'
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  icacls $folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "icacls ended with $LASTEXITCODE" }
  $token = Read-Host 'Token'
  $lines = @(
${settingsOf(machine)
  .map((line) => `    ${quotedForPowerShell(line)}`)
  .join('\n')}
    "GATEWARDEN_AUTH_TOKEN=$token"
  )
  $file = Join-Path $folder 'install.env'
  [IO.File]::WriteAllLines($file, $lines, [Text.Encoding]::UTF8)
  $ended = Start-Process msiexec -Wait -PassThru -ArgumentList '/i', "\`"$msi\`"", '/qn'
  Remove-Item -Force -ErrorAction SilentlyContinue $file
  if ($ended.ExitCode -ne 0) { throw "msiexec ended with $($ended.ExitCode)" }
}`;
}

/** As lines of the file that installers read. */
const settingsOf = ({ baseUrl, tenantId, subscriberId }: Machine) => [
  `GATEWARDEN_BASE_URL=${baseUrl}`,
  `GATEWARDEN_TENANT_ID=${tenantId}`,
  `GATEWARDEN_SUBSCRIBER_ID=${subscriberId}`,
];

/** PowerShell takes the curly quotes for quotes, too. */
const quotedForPowerShell = (text: string) => `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;

/** One word of a shell, whatever somebody typed. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
