// How much of what was written to a connection the kernel still holds. It takes megabytes ahead, and more only when a third of
// them is gone: of one that reads ten kilobytes a second Node sees nothing for minutes, the kernel does.
import { readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

export interface KernelQueues {
  /** What the other end has not confirmed, as the kernel writes it; null where it does not say (only Linux does). */
  heldFor(socket: Socket): Promise<string | null>;
}

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** `sl local remote st tx:rx tr:when retransmits uid timeout inode …` */
const LINE = /^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm;

/** The kernel's list of all connections is read at most once in `keptMs`, whoever asks. */
export function createKernelQueues(keptMs: number): KernelQueues {
  let kept: { at: number; table: Promise<Map<string, string>> } | null = null;
  const table = () => {
    const now = performance.now();
    if (kept === null || now - kept.at >= keptMs) kept = { at: now, table: readTables() };
    return kept.table;
  };
  return {
    async heldFor(socket) {
      const inode = await inodeOf(socket);
      return inode === null ? null : ((await table()).get(inode) ?? null);
    },
  };
}

/** By inode. */
async function readTables(): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  for (const file of TABLES) {
    const text = await readFile(file, 'latin1').catch(() => '');
    for (const [, queued = '', inode = ''] of text.matchAll(LINE)) held.set(inode, queued);
  }
  return held;
}

async function inodeOf(socket: Socket): Promise<string | null> {
  // Node shows it nowhere else.
  const fd = (socket as { _handle?: { fd?: number } | null })._handle?.fd;
  if (fd === undefined || fd < 0) return null;
  const link = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
  return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? null;
}
