// Bytes of a connection's response that the kernel has not delivered yet. The kernel buffers megabytes ahead and accepts
// more only when a third of its buffer is free. Node therefore sees no progress for minutes from a client that reads ten
// kilobytes per second, but the kernel does.
import { readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

export interface SocketQueues {
  /** Returns the unacknowledged bytes in hexadecimal, or null if the kernel does not report them (Linux only). */
  unacknowledgedBytes(socket: Socket): Promise<string | null>;
}

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** `sl local remote st tx:rx tr:when retransmits uid timeout inode …` */
const LINE = /^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm;

/** Returns a reader that loads the kernel's connection table at most once in `maxAgeMs`. */
export function createSocketQueues(maxAgeMs: number): SocketQueues {
  let cached: { loadedAt: number; table: Promise<Map<string, string>> } | null = null;
  const loadTable = () => {
    const now = performance.now();
    if (cached === null || now - cached.loadedAt >= maxAgeMs) {
      cached = { loadedAt: now, table: readTables() };
    }
    return cached.table;
  };
  return {
    async unacknowledgedBytes(socket) {
      const inode = await inodeOf(socket);
      return inode === null ? null : ((await loadTable()).get(inode) ?? null);
    },
  };
}

/** Returns the send queue of each connection by inode. */
async function readTables(): Promise<Map<string, string>> {
  const queues = new Map<string, string>();
  for (const file of TABLES) {
    const text = await readFile(file, 'latin1').catch(() => '');
    for (const [, queued = '', inode = ''] of text.matchAll(LINE)) queues.set(inode, queued);
  }
  return queues;
}

async function inodeOf(socket: Socket): Promise<string | null> {
  // Node exposes the file descriptor on the private handle only.
  const fd = (socket as { _handle?: { fd?: number } | null })._handle?.fd;
  if (fd === undefined || fd < 0) return null;
  const link = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
  return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? null;
}
