// Processes of macOS by libproc and sysctl. Layouts are those of 64-bit macOS (<sys/proc_info.h>), the same on Intel and
// Apple silicon.
import { bindLibrary } from '../native-library.ts';

const MEMORY = 'void *';

const libSystem = bindLibrary('/usr/lib/libSystem.B.dylib', {
  proc_listallpids: ['int', MEMORY, 'int'],
  proc_pidpath: ['int', 'int', MEMORY, 'uint32'],
  proc_pidinfo: ['int', 'int', 'int', 'uint64', MEMORY, 'int'],
  sysctl: ['int', MEMORY, 'uint32', MEMORY, MEMORY, MEMORY, 'size_t'],
});

const PROC_PIDTBSDINFO = 3;
const BSD_INFO_BYTES = 136;
const PATH_BYTES = 4096;
const PID_BYTES = 4;
/** Processes may start between the two calls. */
const SPARE_PIDS = 64;
const CTL_KERN = 1;
const KERN_PROCARGS2 = 49;
const MAX_ARGUMENT_BYTES = 1024 * 1024;
/** Offsets in `struct proc_bsdinfo`; `name` has 32 bytes, `comm` has the first 16 of them. */
const OFFSETS = { pid: 12, ppid: 16, uid: 20, comm: 48, name: 64, seconds: 120, micros: 128 };

export interface BsdInfo {
  pid: number;
  ppid: number;
  uid: number;
  name: string;
  /** Start in microseconds since 1970. */
  startedAt: bigint;
}

/** Returns the pids of all processes. */
export function listMacPids(): number[] {
  const { proc_listallpids } = libSystem();
  const room = proc_listallpids(null, 0) + SPARE_PIDS;
  const pids = Buffer.alloc(room * PID_BYTES);
  const count = proc_listallpids(pids, pids.length);
  return Array.from({ length: Math.min(count, room) }, (_, at) => pids.readInt32LE(at * PID_BYTES));
}

/** Reads a process; null for a process that has ended, or that the agent may not open. */
export function readBsdInfo(pid: number): BsdInfo | null {
  const info = Buffer.alloc(BSD_INFO_BYTES);
  const length = libSystem().proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, info, info.length);
  return length === BSD_INFO_BYTES ? decodeBsdInfo(info) : null;
}

/** Decodes `struct proc_bsdinfo`. */
export function decodeBsdInfo(info: Buffer): BsdInfo {
  const seconds = info.readBigUInt64LE(OFFSETS.seconds);
  return {
    pid: info.readUInt32LE(OFFSETS.pid),
    ppid: info.readUInt32LE(OFFSETS.ppid),
    uid: info.readUInt32LE(OFFSETS.uid),
    name: textAt(info, OFFSETS.name, 32) || textAt(info, OFFSETS.comm, 16),
    startedAt: seconds * 1_000_000n + info.readBigUInt64LE(OFFSETS.micros),
  };
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('utf8', at, at + length).replace(/\0.*$/s, '');
}

/** Returns the path of the program that a process runs; null where it cannot be read. */
export function readMacPath(pid: number): string | null {
  const path = Buffer.alloc(PATH_BYTES);
  const length = libSystem().proc_pidpath(pid, path, path.length);
  return length > 0 ? path.toString('utf8', 0, length) : null;
}

/** Returns the arguments of a process; none where they cannot be read. */
export function readMacArguments(pid: number): string[] {
  const name = Buffer.from(Int32Array.of(CTL_KERN, KERN_PROCARGS2, pid).buffer);
  const answer = Buffer.alloc(MAX_ARGUMENT_BYTES);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(answer.length));
  const status = libSystem().sysctl(name, 3, answer, length, null, 0);
  if (status !== 0) return [];
  return decodeArguments(answer.subarray(0, Number(length.readBigUInt64LE())));
}

/** Decodes KERN_PROCARGS2: the count, the path of the program, zeros, the arguments, then the environment. */
export function decodeArguments(answer: Buffer): string[] {
  if (answer.length < 4) return [];
  const count = answer.readInt32LE();
  let at = answer.indexOf(0, 4);
  while (at >= 0 && at < answer.length && answer[at] === 0) at++;
  const words: string[] = [];
  while (at >= 0 && at < answer.length && words.length < count) {
    const end = answer.indexOf(0, at);
    words.push(answer.toString('utf8', at, end < 0 ? answer.length : end));
    at = end < 0 ? -1 : end + 1;
  }
  return words;
}
