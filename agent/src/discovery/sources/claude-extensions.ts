// Extensions of Claude Desktop (DXT, MCPB): each contains an MCP server, and its manifest describes the launch.
import { basename } from 'node:path/posix';
import { placesOf } from '../clients/path-tokens.ts';
import { identifyProduct, launchHash } from '../mcp/identity.ts';
import { launchedWords, plainDefinition } from '../mcp/launch.ts';
import { isFields, serversIn } from '../mcp/servers.ts';
import { showArguments, showLabel } from '../redaction/argument-allowlist.ts';
import { redactText } from '../redaction/argument-redaction.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';
import { findInPath } from './lib/path-lookup.ts';

/** The last is where the edition of Windows' own store keeps what it believes to be roaming. */
const CLAUDES = [
  '{AS}/Claude',
  '{A}/Claude',
  '{XC}/Claude',
  '{XC}/claude',
  '{XC}/claude-desktop',
  '{L}/Packages/Claude_*/LocalCache/Roaming/Claude',
];
const FOLDER = 'Claude Extensions';
const SETTINGS = 'Claude Extensions Settings';
const MAX_MANIFEST = 1024 * 1024;
const MAX_SHOWN_ARGUMENTS = 24;
const AT_ONCE = 20;
/** The folder's name is the extension's id: `ant.dir.ant.anthropic.filesystem`, `local.dxt.acme.tool`. */
const ID = /^[A-Za-z0-9][\w.@+-]{0,199}$/;
/** Variable of the manifest for its own folder. */
const INSTALL_FOLDER = `\${__dirname}`;

export const claudeExtensions: Source = {
  name: 'claude_extension',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['home'],
  watches: (platform) => ({
    machine: [],
    home: CLAUDES.filter((folder) => !folder.includes('*'))
      .flatMap((folder) => placesOf(platform, folder))
      .map((folder) => `${folder}/${FOLDER}`),
  }),
  async *discover(fs) {
    let done = 0;
    const bases = CLAUDES.flatMap((folder) => placesOf(fs.platform, folder));
    for (const base of bases.flatMap((base) => fs.expand(base))) {
      for (const path of fs.expand(`${base}/${FOLDER}/*/manifest.json`)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const found = await describeExtension(fs, base, path);
        if (found !== null) yield found;
      }
    }
  },
};

async function describeExtension(
  fs: ScopedFs,
  base: string,
  path: string,
): Promise<Discovered | null> {
  const manifest = await readJson(fs, path, MAX_MANIFEST);
  if (manifest === undefined) return null;
  const folder = path.slice(0, -'/manifest.json'.length);
  const id = basename(folder);
  if (!isFields(manifest) || !ID.test(id) || redactText(id) !== id) {
    fs.reportError(path, 'unparsed', 'no manifest of an extension');
    return null;
  }
  const [server] = serversIn({ [id]: configurationOf(manifest, fs.platform) }, ['.']);
  const plain = server === undefined ? null : plainDefinition(server, fs.home);
  const started =
    server === undefined ? null : plainDefinition(startedFrom(fs, folder, server), fs.home);
  const product = started === null ? null : identifyProduct(started);
  const { display_name: shown, name, version, author } = manifest;
  const publisher = isFields(author) ? author.name : author;
  const program =
    server === undefined || product === null
      ? null
      : programOf(fs, folder, server, product.isRunner);
  return {
    kind: 'mcp_server',
    key: id.toLowerCase(),
    name: showLabel(textOf(shown) ?? textOf(name) ?? id),
    version: textOf(version),
    publisher: textOf(publisher) === null ? null : redactText(textOf(publisher) ?? ''),
    path: fs.toMachinePath(folder),
    executables: program === null ? [] : [program],
    // The launch names the extension's folder as the manifest does: the same on every device.
    launchHash: plain === null ? null : launchHash(plain, null),
    launch: product?.launch ?? null,
    installedAt: fs.changedAt(path),
    details: {
      configured: [
        {
          client: 'claude-desktop',
          scope: 'extension',
          transport: server?.transport ?? 'stdio',
          ...(plain === null || plain.command === null
            ? {}
            : {
                command: redactText(basename(plain.command.replaceAll('\\', '/'))).slice(0, 128),
                args: showArguments(
                  plain.args
                    .slice(0, MAX_SHOWN_ARGUMENTS)
                    .map((arg) => arg.replaceAll(INSTALL_FOLDER, '.')),
                ),
              }),
          ...(server === undefined || server.environment.length === 0
            ? {}
            : { env: server.environment }),
          ...((await isDisabled(fs, base, id)) ? { disabled: true } : {}),
        },
      ],
    },
  };
}

/** Returns the launch on this platform; the manifest of an extension of kind `uv` names its script only. */
function configurationOf(manifest: Record<string, unknown>, platform: string): unknown {
  const { server } = manifest;
  if (!isFields(server)) return null;
  const { mcp_config: config, entry_point: script } = server;
  if (!isFields(config)) {
    return typeof script === 'string' && server.type === 'uv'
      ? { command: 'uv', args: ['run', `${INSTALL_FOLDER}/${script}`] }
      : null;
  }
  const others = config.platform_overrides;
  const own = isFields(others) && Object.hasOwn(others, platform) ? others[platform] : null;
  return isFields(own) ? { ...config, ...own } : config;
}

/** Replaces the variable by the real folder, as in the command line of the process. */
function startedFrom<T extends { command: string | null; args: string[] }>(
  fs: ScopedFs,
  folder: string,
  server: T,
): T {
  const real = (text: string) => text.replaceAll(INSTALL_FOLDER, fs.toMachinePath(folder));
  return {
    ...server,
    command: server.command === null ? null : real(server.command),
    args: server.args.map(real),
  };
}

/** Returns the program: in the extension's folder, or of the machine. */
function programOf(
  fs: ScopedFs,
  folder: string,
  { command, args }: { command: string | null; args: string[] },
  isRunner: boolean,
): string | null {
  if (command === null || isRunner) return null;
  if (!command.startsWith(`${INSTALL_FOLDER}/`)) {
    return findInPath(fs, launchedWords(command, args)[0] ?? command);
  }
  const real = fs.executable(`${folder}/${command.slice(INSTALL_FOLDER.length + 1)}`);
  return real !== null && fs.locate(real) !== null ? real : null;
}

/** Only the switch of its settings is read: the rest was entered by the user. */
async function isDisabled(fs: ScopedFs, base: string, id: string): Promise<boolean> {
  const settings = await readJson(fs, `${base}/${SETTINGS}/${id}.json`, MAX_MANIFEST);
  return isFields(settings) && settings.isEnabled === false;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
