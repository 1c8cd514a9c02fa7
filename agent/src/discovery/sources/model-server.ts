// Servers of local models: that their program stands there, and on Linux that it listens.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_SERVERS, type ModelServer } from '../clients/models.ts';
import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, Look, Source } from '../source-contract.ts';
import { programFolders } from './lib/program-folders.ts';

const LISTENING = '0A';
const MAX_PROCESSES = 20_000;

export const modelServers: Source = {
  name: 'model_server',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['machine', 'home'],
  async *discover(look) {
    const listening =
      look.platform === 'linux' && look.owner === null
        ? readListeners(look)
        : new Map<number, Set<string>>();
    const folders = [...new Set([...(await programFolders(look)), ...searchedFolders(look)])];
    for (const server of MODEL_SERVERS) {
      await look.turn();
      const inodes = listening.get(server.port);
      const running = inodes === undefined ? null : await findProcess(look, inodes);
      const isRunning = running !== null && server.process.test(baseName(running));
      const program = findProgram(look, server, folders);
      if (!isRunning && program === undefined) continue;
      look.found();
      yield describe(server, isRunning ? running : (program ?? null), isRunning);
    }
  },
};

/** Returns the folders of the service's own PATH that are in no person's home. */
function searchedFolders(look: Look): string[] {
  if (look.owner !== null) return [];
  return (look.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/') && !/^\/(home|root|Users)\//.test(folder));
}

/** The real path of the server's program in this look; of a home only what lies in it. */
function findProgram(
  look: Look,
  { binaries, programs = [] }: ModelServer,
  folders: readonly string[],
): string | undefined {
  const endings = look.platform === 'win32' ? ['.exe'] : [''];
  const names = binaries.flatMap((binary) => endings.map((ending) => `${binary}${ending}`));
  const own = programs
    .flatMap((path) => placesOf(look.platform, path))
    .filter((path) => path.startsWith('/') === (look.owner === null));
  const paths = [...own, ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}`))];
  return paths
    .filter((path) => look.has(path))
    .map((path) => look.executable(path))
    .find((real) => real !== null && (look.owner === null || look.locate(real) !== null)) as
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
    // Whether it listens at the moment of a scan comes and goes: only the port it is known by is told.
    details: { port: server.port, ...(isListening ? { seen_listening: true } : {}) },
  };
}

/** Ports that something listens on, with the inodes of the sockets. */
function readListeners(look: Look): Map<number, Set<string>> {
  const ports = new Map<number, Set<string>>();
  for (const file of ['proc/net/tcp', 'proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(join(look.root, file), 'utf8');
    } catch {
      // A system without this family of addresses, or without /proc.
      continue;
    }
    look.found();
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

/** The executable of the process that holds one of the sockets; null where it cannot be seen. */
async function findProcess(look: Look, sockets: ReadonlySet<string>): Promise<string | null> {
  const proc = join(look.root, 'proc');
  const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
  for (const [at, pid] of pids.slice(0, MAX_PROCESSES).entries()) {
    if (at % 100 === 99) await look.turn();
    try {
      const handles = readdirSync(join(proc, pid, 'fd'));
      const holds = handles.some((fd) => sockets.has(readlinkSync(join(proc, pid, 'fd', fd))));
      if (holds) return readlinkSync(join(proc, pid, 'exe')).replace(/ \(deleted\)$/, '');
    } catch {
      // Ended meanwhile, or not ours to see.
    }
  }
  return null;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
