// Builds the Windows Installer package (MSI) of the headless agent with wixl and msibuild of msitools. The package installs for all users,
// registers the agent as a service, and enrolls it from public properties. Parts of Windows must be installed beforehand:
// docs/how-to/build-packages.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_SOURCE_KEY } from '../../agent/src/native/windows/event-log.ts';
import { SERVICE_NAME } from '../../agent/src/native/windows/service-control.ts';
import { bundleAgent } from './bundle.ts';
import { licenceText } from './licences.ts';
import { type Build, settle } from './stage.ts';

/** Equal in all versions: an installation replaces the installed version. It never changes. */
export const UPGRADE_CODE = '9F3C2B0E-6B0D-4C53-9A57-0C7A2D1B64E8';

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
 * Stages the agent with its Node and packs it. `parts` is the `node_modules` folder with the parts of Windows. Returns the path
 * of the package; null without wixl.
 */
export async function packMsi(
  work: string,
  out: string,
  build: Build,
  parts: string,
): Promise<string | null> {
  if (!hasWixl()) return null;
  const tree = join(work, 'windows');
  await stageWindows(tree, build, parts);
  const source = join(work, 'agent.wxs');
  writeFileSync(source, installerSource(tree, build.version));
  const file = join(out, `gatewarden-agent_${build.version}_${build.platform.arch}.msi`);
  rmSync(file, { force: true });
  execFileSync('wixl', ['--arch', 'x64', '-o', file, source], {
    // Wixl resolves the sources of files against the current folder.
    cwd: tree,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(build.epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  finish(file);
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

/** Creates the files of the installed agent. Throws if the Windows parts are not installed. */
export async function stageWindows(folder: string, build: Build, parts: string): Promise<void> {
  const platform = { ...build.platform, os: 'win32' } as const;
  const node = join(parts, `node-win-${platform.arch}/bin/node.exe`);
  if (!existsSync(node)) {
    throw new Error(
      `${node} is missing: install the Windows parts (see docs/how-to/build-packages.md)`,
    );
  }
  mkdirSync(join(folder, 'bin'), { recursive: true });
  await bundleAgent(folder, { ...build, platform, parts });
  copyFileSync(node, join(folder, 'bin/node.exe'));
  writeFileSync(join(folder, 'version'), `${build.version}\r\n`);
  writeFileSync(join(folder, 'copyright.txt'), licenceText().replaceAll('\n', '\r\n'));
  writeFileSync(join(folder, 'gatewarden.cmd'), COMMAND);
  settle(folder, new Set(), build.epoch);
}

/** The command `gatewarden` in the PATH of all users. */
const COMMAND = `@"%~dp0bin\\node.exe" "%~dp0app\\launcher.js" %*\r\n`;

const CONFIG = '[CommonAppDataFolder]Gatewarden\\agent.toml';

/** Returns the WiX source of the package. Identifiers are derived from paths, so that equal trees give equal packages. */
function installerSource(tree: string, version: string): string {
  const components: string[] = [];
  const directories = directoryElements(tree, '', components);
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="*" UpgradeCode="${UPGRADE_CODE}" Name="Gatewarden agent" Version="${version}"
    Manufacturer="Gatewarden" Language="1033">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine"
      Description="Gatewarden agent ${version}" Manufacturer="Gatewarden"/>
    <MajorUpgrade DowngradeErrorMessage="A newer version of the Gatewarden agent is installed."/>
    <Media Id="1" Cabinet="agent.cab" EmbedCab="yes"/>
    <Property Id="ARPNOMODIFY" Value="1"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="CommonAppDataFolder"/>
      <Directory Id="System64Folder"/>
      <Directory Id="ProgramFiles64Folder">
        <Directory Id="INSTALLDIR" Name="Gatewarden">
${directories}
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Agent" Level="1">
${components.map((id) => `      <ComponentRef Id="${id}"/>`).join('\n')}
    </Feature>
${actionElements()}
  </Product>
</Wix>
`;
}

/** Returns the elements of the files and folders below `path`, and adds the component of each file. */
function directoryElements(tree: string, path: string, components: string[]): string {
  const entries = readdirSync(join(tree, path), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries
    .map((entry) => {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!entry.isDirectory()) return fileElement(inside, components);
      const content = directoryElements(tree, inside, components);
      return `<Directory Id="${idOf('d', inside)}" Name="${entry.name}">\n${content}\n</Directory>`;
    })
    .join('\n');
}

function fileElement(path: string, components: string[]): string {
  const component = idOf('c', path);
  components.push(component);
  const isNode = path === 'bin/node.exe';
  const file = `<File Id="${isNode ? 'NodeExe' : idOf('f', path)}" Source="${path}" KeyPath="yes"/>`;
  const parts = isNode ? `${file}\n${serviceElements()}` : file;
  return `<Component Id="${component}" Guid="${guidOf(path)}" Win64="yes">\n${parts}\n</Component>`;
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

/**
 * Custom actions. The agent enrolls if `BASE_URL` is given; then the service starts. An uninstallation releases the
 * quarantine first, because it cannot be released without the agent.
 */
function actionElements(): string {
  const main = '&quot;[INSTALLDIR]app\\main.js&quot;';
  const required = ['BASE_URL', 'TENANT_ID', 'SUBSCRIBER_ID', 'AUTH_TOKEN'] as const;
  const options = required.map((name) => `${ENROLL_PROPERTIES[name]} &quot;[${name}]&quot;`);
  const enroll = `${main} enroll --config &quot;${CONFIG}&quot; ${options.join(' ')} [ENROLL_OPTIONS]`;
  const optional = OPTIONAL.map(
    (name) => `    <CustomAction Id="Set${name}" Property="ENROLL_OPTIONS"
      Value="[ENROLL_OPTIONS] ${ENROLL_PROPERTIES[name]} &quot;[${name}]&quot;"/>`,
  );
  return `${optional.join('\n')}
    <CustomAction Id="SetSC" Property="SC" Value="[System64Folder]sc.exe"/>
    <CustomAction Id="Enroll" FileKey="NodeExe" ExeCommand="${enroll}"
      Execute="deferred" Impersonate="no" Return="check"/>
    <CustomAction Id="SetRecovery" Property="SC" ExeCommand="failure ${SERVICE_NAME} ${RECOVERY}"
      Execute="deferred" Impersonate="no" Return="ignore"/>
    <CustomAction Id="StartService" Property="SC" ExeCommand="start ${SERVICE_NAME}"
      Execute="deferred" Impersonate="no" Return="ignore"/>
    <CustomAction Id="ReleaseQuarantine" FileKey="NodeExe"
      ExeCommand="${main} quarantine --release-all --config &quot;${CONFIG}&quot;"
      Execute="deferred" Impersonate="no" Return="ignore"/>
    <InstallExecuteSequence>
${SEQUENCE.map(({ action, condition }) => `      <Custom Action="${action}" After="InstallFiles">${condition}</Custom>`).join('\n')}
    </InstallExecuteSequence>`;
}

/** The custom actions in the order of their execution. Wixl places custom actions arbitrarily, so `finish` sets the order. */
const SEQUENCE = [
  { action: 'SetSC', at: 1401, condition: '1' },
  ...OPTIONAL.map((name, at) => ({ action: `Set${name}`, at: 1402 + at, condition: name })),
  { action: 'ReleaseQuarantine', at: 1901, condition: 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE' },
  { action: 'Enroll', at: 5801, condition: 'BASE_URL AND NOT REMOVE' },
  { action: 'SetRecovery', at: 5802, condition: 'NOT REMOVE' },
  { action: 'StartService', at: 5803, condition: 'NOT REMOVE' },
];

/** The recovery actions of the SCM after a crash: restart after 5 seconds, then after a minute. */
const RECOVERY = 'reset= 600 actions= restart/5000/restart/60000/restart/60000';

const TYPE_SET_PROPERTY = 51;
/** An installed program, deferred, as the system, with a hidden command line. */
const TYPE_HIDDEN_PROGRAM = 18 + 0x400 + 0x800 + 0x2000;

/** Sets what wixl does not support: the order of custom actions, secure and hidden properties, and a hidden command line. */
function finish(file: string): void {
  const secure = [
    ...Object.keys(ENROLL_PROPERTIES),
    'WIX_DOWNGRADE_DETECTED',
    'WIX_UPGRADE_DETECTED',
  ];
  const statements = [
    ...SEQUENCE.map(
      ({ action, at }) =>
        `UPDATE \`InstallExecuteSequence\` SET \`Sequence\` = ${at} WHERE \`Action\` = '${action}'`,
    ),
    // The installed version is removed before the files of the new version are installed.
    "UPDATE `InstallExecuteSequence` SET `Sequence` = 1501 WHERE `Action` = 'RemoveExistingProducts'",
    ...['SC', ...OPTIONAL].map(
      (name) =>
        `UPDATE \`CustomAction\` SET \`Type\` = ${TYPE_SET_PROPERTY} WHERE \`Action\` = 'Set${name}'`,
    ),
    `UPDATE \`CustomAction\` SET \`Type\` = ${TYPE_HIDDEN_PROGRAM} WHERE \`Action\` = 'Enroll'`,
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
function guidOf(path: string): string {
  const hash = createHash('sha256').update(`${UPGRADE_CODE}/${path}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5').toUpperCase();
}
