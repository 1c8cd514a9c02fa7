// Files for device management (MDM), with the hub and an enrollment token in them. On Linux and macOS each writes
// `install.env`, which installers/linux/configure reads and deletes. On Windows each sets the properties of the MSI:
// installers/src/msi.ts. Pure.
import {
  installMsi,
  type Machine,
  msiProperty,
  quoted,
  quotedForPowerShell,
  type System,
  settingsOf,
} from './install-commands.ts';

/** A fleet: the owner of each device is the signed-in account at this e-mail domain. */
export interface Fleet extends Omit<Machine, 'subscriberId'> {
  emailDomain: string;
}

export interface MdmFile {
  key: 'intune' | 'gpo' | 'jamf' | 'kandji' | 'env';
  system: System;
  /** The products that the file is for. */
  name: string;
  fileName: string;
  /** Steps after the download, a sentence each. */
  steps: readonly string[];
  content(fleet: Fleet): string;
}

export const MDM_FILES: readonly MdmFile[] = [
  {
    key: 'env',
    system: 'linux',
    name: 'Ansible, Puppet, Chef',
    fileName: 'install.env',
    steps: [
      'Set GATEWARDEN_SUBSCRIBER_ID to the e-mail address of each device’s owner.',
      'Copy the file to /etc/gatewarden/install.env, owned by root with mode 0600.',
      'Install the package. It reads the file and deletes it.',
    ],
    content: linuxFile,
  },
  {
    key: 'jamf',
    system: 'macos',
    name: 'Jamf Pro',
    fileName: 'gatewarden-jamf.sh',
    steps: [
      'Add the script in Settings → Computer management → Scripts.',
      'Create a policy with the script (priority Before) and the package.',
      'Allow the agent Full Disk Access with a privacy profile.',
    ],
    content: (fleet) => macosScript(fleet, '$3'),
  },
  {
    key: 'kandji',
    system: 'macos',
    name: 'Kandji',
    fileName: 'gatewarden-kandji.sh',
    steps: [
      'Create a custom app with the package.',
      'Paste the script as the preinstall script.',
      'Allow the agent Full Disk Access with a privacy profile.',
    ],
    content: (fleet) => macosScript(fleet, ''),
  },
  {
    key: 'intune',
    system: 'windows',
    name: 'Microsoft Intune',
    fileName: 'gatewarden-intune.ps1',
    steps: [
      'Put the script and the MSI into a folder, and pack the folder as a Win32 app.',
      'Install command: powershell -ExecutionPolicy Bypass -File gatewarden-intune.ps1',
      'Install behavior: System. Detection rule: the MSI’s product code.',
    ],
    content: (fleet) => windowsScript(fleet, INTUNE),
  },
  {
    key: 'gpo',
    system: 'windows',
    name: 'Group Policy (GPO)',
    fileName: 'gatewarden-gpo.ps1',
    steps: [
      'Put the script and the MSI into a share that only computers and administrators read.',
      'Add the script in Computer Configuration → Policies → Windows Settings → Scripts → Startup.',
    ],
    content: (fleet) => windowsScript(fleet, GROUP_POLICY),
  },
];

function linuxFile({ token, emailDomain, ...machine }: Fleet): string {
  const lines = settingsOf({ ...machine, subscriberId: `OWNER@${emailDomain}` });
  return `${[...lines, `GATEWARDEN_AUTH_TOKEN=${token}`].join('\n')}\n`;
}

/** Returns a script that runs as root before the package. `account`: shell words of the owner's account; empty: the console's. */
function macosScript({ token, emailDomain, baseUrl, tenantId }: Fleet, account: string): string {
  return `#!/bin/sh
# Gatewarden: settings of the agent for the package that is installed next.
set -e
account="${account}"
[ -n "$account" ] || account=$(stat -f %Su /dev/console)
case "$account" in
  '' | root | loginwindow | _mbsetupuser) echo 'gatewarden: no user is signed in' >&2; exit 1 ;;
esac
umask 077
folder='/Library/Application Support/Gatewarden'
mkdir -p "$folder"
printf '%s\\n' \\
  ${quoted(`GATEWARDEN_BASE_URL=${baseUrl}`)} \\
  ${quoted(`GATEWARDEN_TENANT_ID=${tenantId}`)} \\
  "GATEWARDEN_SUBSCRIBER_ID=$account"${quoted(`@${emailDomain}`)} \\
  ${quoted(`GATEWARDEN_AUTH_TOKEN=${token}`)} > "$folder/install.env"
`;
}

/** Microsoft Entra stores the address of the user who joined the device. */
const INTUNE = [
  "$join = 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\CloudDomainJoin\\JoinInfo'",
  "$owner = Get-ChildItem $join -ErrorAction SilentlyContinue | ForEach-Object { $_.GetValue('UserEmail') } | Select-Object -First 1",
  '$account = (Get-CimInstance Win32_ComputerSystem).UserName',
];

/** At startup no user is signed in: the owner is the account that signed in last. */
const GROUP_POLICY = [
  'if (Get-Service gatewarden-agent -ErrorAction SilentlyContinue) { exit 0 }',
  "$logon = 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Authentication\\LogonUI'",
  '$account = (Get-ItemProperty $logon).LastLoggedOnSAMUser',
];

function windowsScript(
  { token, emailDomain, baseUrl, tenantId }: Fleet,
  findOwner: readonly string[],
): string {
  return [
    '# Gatewarden: installs the MSI beside this script, and enrolls the device.',
    "$ErrorActionPreference = 'Stop'",
    '$owner = $null',
    ...findOwner,
    `if (-not $owner -and $account) { $owner = ($account -split '\\\\')[-1] + ${quotedForPowerShell(`@${emailDomain}`)} }`,
    "if (-not $owner) { throw 'no user has signed in yet' }",
    ...installMsi('$PSScriptRoot', [
      msiProperty('BASE_URL', baseUrl),
      msiProperty('TENANT_ID', tenantId),
      '"SUBSCRIBER_ID=`"$owner`""',
      msiProperty('AUTH_TOKEN', token),
    ]),
    'exit $ended.ExitCode',
    '',
  ].join('\r\n');
}
