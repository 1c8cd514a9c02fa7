// Builds the Windows Installer packages (MSI) of the headless agent with wixl and msibuild of msitools. The package of the
// machine installs for all users and registers the agent as a service. The package of a user needs no administrator, and
// starts the agent at sign-in. Both enroll the agent from public properties. Parts of Windows must be installed
// beforehand: docs/how-to/build-packages.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentScope } from '../../agent/src/config/agent-scope.ts';
import { EVENT_SOURCE_KEY } from '../../agent/src/native/windows/event-log.ts';
import { SERVICE_NAME } from '../../agent/src/native/windows/service-control.ts';
import { type Build, stageWindowsAgent } from './stage.ts';

/** Upgrade codes never change, so that an installation replaces the installed version of its scope. */
export const UPGRADE_CODES: Readonly<Record<AgentScope, string>> = {
  machine: '9F3C2B0E-6B0D-4C53-9A57-0C7A2D1B64E8',
  user: 'C1D7E0A4-52F3-4B8E-8E0B-6A94F0B7D3C2',
};

/** The key of the programs that Windows starts when the user signs in, and the value of the agent there. */
export const RUN_KEY = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
export const RUN_VALUE = 'Gatewarden agent';

/** A program of Windows with the message `%1` for each of the event ids 1 to 1000. */
const EVENT_MESSAGE_FILE = '[System64Folder]EventCreate.exe';

/** Flags of the service as in the other installers: they keep the resident memory small. */
const NODE_FLAGS = '--max-semi-space-size=1 --optimize-for-size --no-opt --no-maglev --expose-gc';

/** The public properties of a silent installation, and the option of `enroll` that each sets. */
export const ENROLL_PROPERTIES = {
  BASE_URL: '--base-url',
  TENANT_ID: '--tenant-id',
  SUBSCRIBER_ID: '--subscriber-id',
  AUTH_TOKEN: '--auth-token',
  ENFORCEMENT: '--enforcement',
  PROXY: '--proxy',
  CA_FILE: '--ca-file',
  PIN_SHA256: '--pin-sha256',
} as const;

/** Properties without a default: an option without a value would be invalid, so that each has an action of its own. */
const OPTIONAL = ['ENFORCEMENT', 'PROXY', 'CA_FILE', 'PIN_SHA256'] as const;

/**
 * Stages the agent with its Node and packs it for a scope. `parts` is the `node_modules` folder with the parts of Windows.
 * Returns the path of the package; null without wixl.
 */
export async function packMsi(
  work: string,
  out: string,
  build: Build,
  { parts, scope }: { parts: string; scope: AgentScope },
): Promise<string | null> {
  if (!hasWixl()) return null;
  const tree = join(work, 'windows');
  await stageWindowsAgent(tree, build, parts);
  const source = join(work, 'agent.wxs');
  writeFileSync(source, installerSource(tree, build.version, scope));
  const file = join(out, `${PACKAGES[scope].name}_${build.version}_${build.platform.arch}.msi`);
  rmSync(file, { force: true });
  execFileSync('wixl', ['--arch', 'x64', '-o', file, source], {
    // Wixl resolves the sources of files against the current folder.
    cwd: tree,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(build.epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  finish(file, scope);
  return file;
}

function hasWixl(): boolean {
  try {
    execFileSync('wixl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Options by which the commands of a package find configuration and data, whatever environment Windows Installer has. */
const CONFIG = '[CommonAppDataFolder]Gatewarden\\agent.toml';
const FOLDER_OPTIONS: Readonly<Record<AgentScope, string>> = {
  machine: `--config &quot;${CONFIG}&quot;`,
  user: '--data-dir &quot;[LocalAppDataFolder]Gatewarden&quot;',
};

/** Returns the WiX source of the package. Identifiers are derived from paths, so that equal trees give equal packages. */
function installerSource(tree: string, version: string, scope: AgentScope): string {
  const components: string[] = [];
  const contents = PACKAGES[scope];
  const directories = directoryElements(tree, '', scope, components);
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="*" UpgradeCode="${UPGRADE_CODES[scope]}" Name="${contents.title}" Version="${version}"
    Manufacturer="Gatewarden" Language="1033">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="${contents.installScope}"
      Description="Gatewarden agent ${version}" Manufacturer="Gatewarden"/>
    <MajorUpgrade DowngradeErrorMessage="A newer version of the Gatewarden agent is installed."/>
    <Media Id="1" Cabinet="agent.cab" EmbedCab="yes"/>
    <Property Id="ARPNOMODIFY" Value="1"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
${contents.folders(`<Directory Id="INSTALLDIR" Name="Gatewarden">\n${directories}\n</Directory>`)}
    </Directory>
    <Feature Id="Agent" Level="1">
${components.map((id) => `      <ComponentRef Id="${id}"/>`).join('\n')}
    </Feature>
${actionElements(scope)}
  </Product>
</Wix>
`;
}

/** Returns the elements of the files and folders below `path`, and adds the component of each file. */
function directoryElements(
  tree: string,
  path: string,
  scope: AgentScope,
  components: string[],
): string {
  const entries = readdirSync(join(tree, path), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries
    .map((entry) => {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!entry.isDirectory()) return fileElement(inside, scope, components);
      const content = directoryElements(tree, inside, scope, components);
      return `<Directory Id="${idOf('d', inside)}" Name="${entry.name}">\n${content}\n</Directory>`;
    })
    .join('\n');
}

function fileElement(path: string, scope: AgentScope, components: string[]): string {
  const component = idOf('c', path);
  components.push(component);
  const isNode = path === 'bin/node.exe';
  const file = `<File Id="${isNode ? 'NodeExe' : idOf('f', path)}" Source="${path}" KeyPath="yes"/>`;
  const parts = isNode ? `${file}\n${PACKAGES[scope].startElements()}` : file;
  return `<Component Id="${component}" Guid="${guidOf(path, scope)}" Win64="yes">\n${parts}\n</Component>`;
}

/** The service is stopped before files are replaced, and removed with the package. So is the source of its events. */
function serviceElements(): string {
  const run = `${NODE_FLAGS} &quot;[INSTALLDIR]app\\launcher.js&quot; run --service --config &quot;${CONFIG}&quot;`;
  return `<ServiceInstall Id="Service" Name="${SERVICE_NAME}" DisplayName="Gatewarden agent" Type="ownProcess"
  Start="auto" ErrorControl="normal" Arguments="${run}"
  Description="Discovers applications, AI tools and MCP servers on this device, and enforces the company's policies."/>
<ServiceControl Id="ServiceStop" Name="${SERVICE_NAME}" Stop="both" Remove="uninstall" Wait="yes"/>
<RegistryValue Root="HKLM" Key="${EVENT_SOURCE_KEY}" Name="EventMessageFile" Type="string" Value="${EVENT_MESSAGE_FILE}"/>
<RegistryValue Root="HKLM" Key="${EVENT_SOURCE_KEY}" Name="TypesSupported" Type="integer" Value="7"/>`;
}

/** The agent of a user starts at sign-in. Windows takes a command of 260 characters, so that it has no further options. */
function signInElements(): string {
  const run =
    '&quot;[INSTALLDIR]bin\\node.exe&quot; &quot;[INSTALLDIR]app\\launcher.js&quot; run --background';
  return `<RegistryValue Root="HKCU" Key="${RUN_KEY}" Name="${RUN_VALUE}" Type="string" Value="${run}"/>`;
}

/** Custom actions. The agent enrolls if `BASE_URL` is given; then it starts. */
function actionElements(scope: AgentScope): string {
  const { sequence, actions } = PACKAGES[scope];
  const main = '&quot;[INSTALLDIR]app\\main.js&quot;';
  const required = ['BASE_URL', 'TENANT_ID', 'SUBSCRIBER_ID', 'AUTH_TOKEN'] as const;
  const options = required.map((name) => `${ENROLL_PROPERTIES[name]} &quot;[${name}]&quot;`);
  const enroll = `${main} enroll ${FOLDER_OPTIONS[scope]} ${options.join(' ')} [ENROLL_OPTIONS]`;
  const optional = OPTIONAL.map(
    (name) => `    <CustomAction Id="Set${name}" Property="ENROLL_OPTIONS"
      Value="[ENROLL_OPTIONS] ${ENROLL_PROPERTIES[name]} &quot;[${name}]&quot;"/>`,
  );
  return `${optional.join('\n')}
    <CustomAction Id="Enroll" FileKey="NodeExe" ExeCommand="${enroll}"
      Execute="deferred" Return="check"/>
${actions(main)}
    <InstallExecuteSequence>
${sequence.map(({ action, condition }) => `      <Custom Action="${action}" After="InstallFiles">${condition}</Custom>`).join('\n')}
    </InstallExecuteSequence>`;
}

/** An uninstallation releases the quarantine first, because it cannot be released without the agent. */
function serviceActions(main: string): string {
  return `    <CustomAction Id="SetSC" Property="SC" Value="[System64Folder]sc.exe"/>
    <CustomAction Id="SetRecovery" Property="SC" ExeCommand="failure ${SERVICE_NAME} ${RECOVERY}"
      Execute="deferred" Impersonate="no" Return="ignore"/>
    <CustomAction Id="StartService" Property="SC" ExeCommand="start ${SERVICE_NAME}"
      Execute="deferred" Impersonate="no" Return="ignore"/>
    <CustomAction Id="ReleaseQuarantine" FileKey="NodeExe"
      ExeCommand="${main} quarantine --release-all ${FOLDER_OPTIONS.machine}"
      Execute="deferred" Impersonate="no" Return="ignore"/>`;
}

/** All actions run with the rights of the user. An upgrade stops the agent, and an uninstallation leaves nothing of it. */
function userActions(main: string): string {
  const launcher = '&quot;[INSTALLDIR]app\\launcher.js&quot;';
  const commands = {
    StopAgent: `${main} stop ${FOLDER_OPTIONS.user}`,
    RemoveAgent: `${main} stop --delete-data ${FOLDER_OPTIONS.user}`,
    StartAgent: `${launcher} run --background`,
  };
  return Object.entries(commands)
    .map(
      ([id, command]) => `    <CustomAction Id="${id}" FileKey="NodeExe" ExeCommand="${command}"
      Execute="deferred" Impersonate="yes" Return="ignore"/>`,
    )
    .join('\n');
}

interface SequencedAction {
  action: string;
  at: number;
  condition: string;
}

/** Actions of both packages. Wixl places custom actions arbitrarily, so `finish` sets the order. */
const COMMON_SEQUENCE: readonly SequencedAction[] = [
  ...OPTIONAL.map((name, at) => ({ action: `Set${name}`, at: 1402 + at, condition: name })),
  // An upgrade keeps the configuration: its enrollment token may have expired, and a refused token ends the installation.
  { action: 'Enroll', at: 5801, condition: 'BASE_URL AND NOT REMOVE AND NOT WIX_UPGRADE_DETECTED' },
];
const IS_UPGRADED = 'REMOVE="ALL" AND UPGRADINGPRODUCTCODE';
const IS_UNINSTALLED = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE';

interface PackageContents {
  /** File name of the package, without version. */
  name: string;
  /** Name in the list of installed programs. */
  title: string;
  installScope: 'perMachine' | 'perUser';
  /** Returns the elements of the folders around the program's folder. */
  folders(program: string): string;
  /** Returns the elements by which Windows starts the agent. */
  startElements(): string;
  /** Returns the custom actions; `main` is the agent's program. */
  actions(main: string): string;
  sequence: readonly SequencedAction[];
}

const PACKAGES: Readonly<Record<AgentScope, PackageContents>> = {
  machine: {
    name: 'gatewarden-agent',
    title: 'Gatewarden agent',
    installScope: 'perMachine',
    folders: (program) => `<Directory Id="CommonAppDataFolder"/><Directory Id="System64Folder"/>
<Directory Id="ProgramFiles64Folder">${program}</Directory>`,
    startElements: serviceElements,
    actions: serviceActions,
    sequence: [
      { action: 'SetSC', at: 1401, condition: '1' },
      ...COMMON_SEQUENCE,
      { action: 'ReleaseQuarantine', at: 1901, condition: IS_UNINSTALLED },
      { action: 'SetRecovery', at: 5802, condition: 'NOT REMOVE' },
      { action: 'StartService', at: 5803, condition: 'NOT REMOVE' },
    ],
  },
  user: {
    name: 'gatewarden-agent-user',
    title: 'Gatewarden agent (user)',
    installScope: 'perUser',
    folders: (program) => `<Directory Id="LocalAppDataFolder">
<Directory Id="ProgramsFolder" Name="Programs">${program}</Directory></Directory>`,
    startElements: signInElements,
    actions: userActions,
    sequence: [
      ...COMMON_SEQUENCE,
      { action: 'StopAgent', at: 1901, condition: IS_UPGRADED },
      { action: 'RemoveAgent', at: 1902, condition: IS_UNINSTALLED },
      { action: 'StartAgent', at: 5803, condition: 'NOT REMOVE' },
    ],
  },
};

/** The recovery actions of the SCM after a crash: restart after 5 seconds, then after a minute. */
const RECOVERY = 'reset= 600 actions= restart/5000/restart/60000/restart/60000';

const TYPE_SET_PROPERTY = 51;
/** An installed program, deferred, with a hidden command line: as the user, or as the system. */
const TYPE_HIDDEN_AS_USER = 18 + 0x400 + 0x2000;
const TYPE_HIDDEN_AS_SYSTEM = TYPE_HIDDEN_AS_USER + 0x800;

/** Sets what wixl does not support: the order of custom actions, secure and hidden properties, and a hidden command line. */
function finish(file: string, scope: AgentScope): void {
  const secure = [
    ...Object.keys(ENROLL_PROPERTIES),
    'WIX_DOWNGRADE_DETECTED',
    'WIX_UPGRADE_DETECTED',
  ];
  const statements = [
    ...PACKAGES[scope].sequence.map(
      ({ action, at }) =>
        `UPDATE \`InstallExecuteSequence\` SET \`Sequence\` = ${at} WHERE \`Action\` = '${action}'`,
    ),
    // The installed version is removed before the files of the new version are installed.
    "UPDATE `InstallExecuteSequence` SET `Sequence` = 1501 WHERE `Action` = 'RemoveExistingProducts'",
    ...['SC', ...OPTIONAL].map(
      (name) =>
        `UPDATE \`CustomAction\` SET \`Type\` = ${TYPE_SET_PROPERTY} WHERE \`Action\` = 'Set${name}'`,
    ),
    `UPDATE \`CustomAction\` SET \`Type\` = ${scope === 'user' ? TYPE_HIDDEN_AS_USER : TYPE_HIDDEN_AS_SYSTEM} WHERE \`Action\` = 'Enroll'`,
    `UPDATE \`Property\` SET \`Value\` = '${secure.join(';')}' WHERE \`Property\` = 'SecureCustomProperties'`,
    // The address of a proxy may contain a password.
    "INSERT INTO `Property` (`Property`, `Value`) VALUES ('MsiHiddenProperties', 'AUTH_TOKEN;PROXY;ENROLL_OPTIONS')",
  ];
  execFileSync('msibuild', [file, ...statements.flatMap((statement) => ['-q', statement])]);
}

/** Returns an identifier for a path: at most 72 characters, letters and digits. */
function idOf(prefix: string, path: string): string {
  return `${prefix}${createHash('sha256').update(path).digest('hex').slice(0, 20)}`;
}

/** Returns the GUID of a component, equal for equal paths in all versions, as Windows Installer requires. */
function guidOf(path: string, scope: AgentScope): string {
  const hash = createHash('sha256').update(`${UPGRADE_CODES[scope]}/${path}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5').toUpperCase();
}
