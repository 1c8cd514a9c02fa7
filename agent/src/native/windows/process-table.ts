// Lists the processes of Windows with a single system call (NtQuerySystemInformation, class 5), on which the Toolhelp
// snapshot is built, too. A row identifies a process: pid and start together are never used again.
import { addressOf } from '../native-library.ts';
import { ntdll } from './libraries.ts';

export interface ProcessRow {
  pid: number;
  ppid: number;
  /** Start in the units of Windows: 100 ns since 1601. */
  startedAt: bigint;
  /** Base name of the image, as the kernel stores it. */
  name: string;
}

const SYSTEM_PROCESS_INFORMATION = 5;
const STATUS_INFO_LENGTH_MISMATCH = 0xc0000004 | 0;
const MIN_BYTES = 256 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** Offsets in SYSTEM_PROCESS_INFORMATION on 64-bit Windows. */
const OFFSETS = { startedAt: 32, nameLength: 56, nameAddress: 64, pid: 80, ppid: 88, end: 96 };

let memory = Buffer.alloc(0);
const returned = Buffer.alloc(4);

/** Returns all processes. Throws where the kernel refuses, or has more than 64 MiB of them. */
export function readProcessTable(): ProcessRow[] {
  if (memory.length === 0) memory = Buffer.alloc(MIN_BYTES);
  const { NtQuerySystemInformation } = ntdll();
  for (;;) {
    const status = NtQuerySystemInformation(
      SYSTEM_PROCESS_INFORMATION,
      memory,
      memory.length,
      returned,
    );
    if (status === 0) return decodeProcessTable(memory, addressOf(memory));
    if (status !== STATUS_INFO_LENGTH_MISMATCH || memory.length >= MAX_BYTES) {
      throw new Error(`the list of processes: status ${(status >>> 0).toString(16)}`);
    }
    // Processes start between two calls: a quarter more than the kernel asked for.
    const wanted = Math.max(memory.length * 2, Math.ceil(returned.readUInt32LE() * 1.25));
    memory = Buffer.alloc(Math.min(MAX_BYTES, wanted));
  }
}

/** Decodes the kernel's answer. `address` is the address of its first byte; pointers out of the answer are ignored. */
export function decodeProcessTable(answer: Buffer, address: bigint): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (let at = 0; at + OFFSETS.end <= answer.length; ) {
    const nameAt = Number(answer.readBigUInt64LE(at + OFFSETS.nameAddress) - address);
    const nameEnd = nameAt + answer.readUInt16LE(at + OFFSETS.nameLength);
    const hasName = nameAt > 0 && nameEnd <= answer.length;
    rows.push({
      pid: Number(answer.readBigUInt64LE(at + OFFSETS.pid)),
      ppid: Number(answer.readBigUInt64LE(at + OFFSETS.ppid)),
      startedAt: answer.readBigInt64LE(at + OFFSETS.startedAt),
      name: hasName ? answer.toString('utf16le', nameAt, nameEnd) : '',
    });
    const next = answer.readUInt32LE(at);
    if (next === 0) break;
    at += next;
  }
  return rows;
}

const MS_FROM_1601_TO_1970 = 11_644_473_600_000;

/** Returns the time of a Windows timestamp; null for processes of the kernel, which have none. */
export function dateOf(startedAt: bigint): Date | null {
  return startedAt <= 0n ? null : new Date(Number(startedAt / 10_000n) - MS_FROM_1601_TO_1970);
}
