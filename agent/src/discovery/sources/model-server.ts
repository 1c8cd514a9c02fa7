// Servers of local models: whether their program is installed, and on Linux whether it listens.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_SERVERS, type ModelServer } from '../clients/models.ts';
import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { programFolders } from './lib/program-folders.ts';

const LISTENING = '0A';
const MAX_PROCESSES = 20_000;

export const modelServers: Source = {
  name: 'model_server',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    const listening =
      fs.platform === 'linux' && fs.owner === null
        ? readListeners(fs)
        : new Map<number, Set<string>>();
    const folders = [...new Set([...(await programFolders(fs)), ...searchedFolders(fs)])];
    for (const server of MODEL_SERVERS) {
      await fs.yieldToEventLoop();
      const inodes = listening.get(server.port);
      const running = inodes === undefined ? null : await findProcess(fs, inodes);
      const isRunning = running !== null && server.process.test(baseName(running));
      const program = findProgram(fs, server, folders);
      if (!isRunning && program === undefined) continue;
      fs.markPresent();
      yield describe(server, isRunning ? running : (program ?? null), isRunning);
    }
  },
};

/** Returns the folders of the service's own PATH that are in no person's home. */
function searchedFolders(fs: ScopedFs): string[] {
  if (fs.owner !== null) return [];
  return (fs.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/') && !/^\/(home|root|Users)\//.test(folder));
}

/** The real path of the server's program in this look; of a home only what lies in it. */
function findProgram(
  fs: ScopedFs,
  { binaries, programs = [] }: ModelServer,
  folders: readonly string[],
): string | undefined {
  const endings = fs.platform === 'win32' ? ['.exe'] : [''];
  const names = binaries.flatMap((binary) => endings.map((ending) => `${binary}${ending}`));
  const own = programs
    .flatMap((path) => placesOf(fs.platform, path))
    .filter((path) => path.startsWith('/') === (fs.owner === null));
  const paths = [...own, ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}`))];
  return paths
    .filter((path) => fs.has(path))
    .map((path) => fs.executable(path))
    .find((real) => real !== null && (fs.owner === null || fs.locate(real) !== null)) as
    | string
    | undefined;
}

function describe(
  server: ModelServer,
  executable: string | null,
  isListening: boolean,
): Discovered {
  return {
    kind: 'ai_tool',
    key: `${server.port}:${server.name.toLowerCase()}`,
    name: server.name,
    path: executable,
    executables: executable === null ? [] : [executable],
    // A listening socket at the moment of a scan is incidental: only the known port is reported.
    details: { port: server.port, ...(isListening ? { seen_listening: true } : {}) },
  };
}

/** Ports that something listens on, with the inodes of the sockets. */
function readListeners(fs: ScopedFs): Map<number, Set<string>> {
  const ports = new Map<number, Set<string>>();
  for (const file of ['proc/net/tcp', 'proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(join(fs.root, file), 'utf8');
    } catch {
      // A system without this family of addresses, or without /proc.
      continue;
    }
    fs.markPresent();
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const port = Number.parseInt(fields[1]?.split(':').at(-1) ?? '', 16);
      const inode = fields[9];
      if (fields[3] !== LISTENING || inode === undefined) continue;
      if (!MODEL_SERVERS.some((server) => server.port === port)) continue;
      ports.set(port, (ports.get(port) ?? new Set()).add(`socket:[${inode}]`));
    }
  }
  return ports;
}

/** Returns the executable of the process with a socket; null where it cannot be read. */
async function findProcess(fs: ScopedFs, sockets: ReadonlySet<string>): Promise<string | null> {
  const proc = join(fs.root, 'proc');
  const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
  for (const [at, pid] of pids.slice(0, MAX_PROCESSES).entries()) {
    if (at % 100 === 99) await fs.yieldToEventLoop();
    try {
      const handles = readdirSync(join(proc, pid, 'fd'));
      const isPortListed = handles.some((fd) =>
        sockets.has(readlinkSync(join(proc, pid, 'fd', fd))),
      );
      if (isPortListed) return readlinkSync(join(proc, pid, 'exe')).replace(/ \(deleted\)$/, '');
    } catch {
      // Ended meanwhile, or not ours to see.
    }
  }
  return null;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
