// The commands that install the agent on each platform; docs/how-to/enroll-devices.md documents the same settings.

export interface Machine {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
  /** The enrollment token. */
  token: string;
}

export const SYSTEMS = ['linux', 'macos', 'windows'] as const;
export type System = (typeof SYSTEMS)[number];

export interface Installer {
  key: 'deb' | 'rpm' | 'archive' | 'source' | 'macos' | 'windows';
  system: System;
  name: string;
  command(machine: Machine): string;
}

const TOKEN_FILE = '/root/gatewarden-token';
const MACOS_FOLDER = '/Library/Application Support/Gatewarden';

export const INSTALLERS: readonly Installer[] = [
  {
    key: 'deb',
    system: 'linux',
    name: 'Debian, Ubuntu (.deb)',
    command: (machine) => installed(machine, 'dpkg -i gatewarden-agent_*_amd64.deb'),
  },
  {
    key: 'rpm',
    system: 'linux',
    name: 'Fedora, RHEL, SUSE (.rpm)',
    command: (machine) => installed(machine, 'rpm -i gatewarden-agent-*.x86_64.rpm'),
  },
  {
    key: 'archive',
    system: 'linux',
    name: 'Other Linux (archive)',
    command: (machine) =>
      [
        'tar xzf gatewarden-agent-*-linux-x64.tar.gz',
        installed(machine, './gatewarden-agent-*-linux-x64/install.sh'),
      ].join(' && \\\n'),
  },
  {
    key: 'source',
    system: 'linux',
    name: 'From a checkout of the source',
    command: enrolledFromSource,
  },
  {
    key: 'macos',
    system: 'macos',
    name: 'macOS (.pkg)',
    command: installedOnMacos,
  },
  {
    key: 'windows',
    system: 'windows',
    name: 'Windows (MSI, by PowerShell as administrator)',
    command: installedOnWindows,
  },
];

/** Returns shell words that write the token to standard output. `printf` is part of the shell: no list of processes has the token. */
const writeToken = (token: string): string => `printf '%s\\n' ${quoted(token)}`;

/** Returns a command for root: the token goes through a file that only root reads, because everybody sees a command line. */
function installed({ baseUrl, tenantId, subscriberId, token }: Machine, program: string): string {
  return [
    `${writeToken(token)} | sudo sh -c 'umask 077; cat > ${TOKEN_FILE}' &&`,
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

/** Returns a command for the folder of a checkout: the agent enrolls and runs as the user, with a data folder of its own. */
function enrolledFromSource({ baseUrl, tenantId, subscriberId, token }: Machine): string {
  return [
    `${writeToken(token)} | npm run -s agent -- enroll --data-dir ~/gatewarden-agent`,
    `  --base-url ${quoted(baseUrl)} --tenant-id ${quoted(tenantId)}`,
    `  --subscriber-id ${quoted(subscriberId)} --auth-token-stdin &&`,
    'npm run -s agent -- run --data-dir ~/gatewarden-agent',
  ].join(' \\\n');
}

/** Returns a command that writes the file that only root reads: the installer's scripts get no environment. */
function installedOnMacos(machine: Machine): string {
  const script = [
    'umask 077; read -r token; folder=$1; shift; mkdir -p "$folder" &&',
    'printf "%s\\n" "$@" "GATEWARDEN_AUTH_TOKEN=$token" > "$folder/install.env"',
  ].join(' ');
  return [
    `${writeToken(machine.token)} | sudo sh -c '${script}' sh`,
    `  ${[MACOS_FOLDER, ...settingsOf(machine)].map(quoted).join(' \\\n  ')} &&`,
    'sudo installer -pkg gatewarden-desktop_*_mac_*.pkg -target /;',
    `sudo rm -f ${quoted(`${MACOS_FOLDER}/install.env`)}`,
  ].join(' \\\n');
}

/** Returns a block that PowerShell reads whole before it runs. */
function installedOnWindows({ baseUrl, tenantId, subscriberId, token }: Machine): string {
  const properties = [
    msiProperty('BASE_URL', baseUrl),
    msiProperty('TENANT_ID', tenantId),
    msiProperty('SUBSCRIBER_ID', subscriberId),
    msiProperty('AUTH_TOKEN', token),
  ];
  return `& {
  $ErrorActionPreference = 'Stop'
${indented(installMsi('.', properties))}
  if ($ended.ExitCode -ne 0) { throw "msiexec ended with $($ended.ExitCode)" }
}`;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

/** Returns an expression of PowerShell with a property of the MSI. Windows Installer reads two quotes as a quote. */
export const msiProperty = (name: string, value: string): string =>
  quotedForPowerShell(`${name}="${value.replaceAll('"', '""')}"`);

/**
 * Returns lines of PowerShell that install the MSI of a folder with these properties, and set `$ended` to the process.
 * Folder and properties are expressions. installers/src/msi.ts defines the properties; its log does not show the token.
 */
export const installMsi = (folder: string, properties: readonly string[]): string[] => [
  `$msi = (Get-Item (Join-Path ${folder} 'gatewarden-agent_*_x64.msi') | Select-Object -First 1).FullName`,
  "if (-not $msi) { throw 'no gatewarden-agent_*_x64.msi in this folder' }",
  '$settings = @(',
  ...properties.map((property) => `  ${property}`),
  ')',
  '$ended = Start-Process msiexec -Wait -PassThru -ArgumentList (@(\'/i\', "`"$msi`"", \'/qn\') + $settings)',
];

/** Returns the settings as lines of the file that installers read, without the token. */
export const settingsOf = ({ baseUrl, tenantId, subscriberId }: Omit<Machine, 'token'>) => [
  `GATEWARDEN_BASE_URL=${baseUrl}`,
  `GATEWARDEN_TENANT_ID=${tenantId}`,
  `GATEWARDEN_SUBSCRIBER_ID=${subscriberId}`,
];

/** PowerShell takes the curly quotes for quotes, too. */
export const quotedForPowerShell = (text: string) =>
  `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;

/** Returns the text as a single, quoted word of a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
