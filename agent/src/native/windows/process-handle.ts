// Facts about a process of Windows, read through a handle: as long as the handle is open, its pid is not used again.
import { advapi32, kernel32, ntdll } from './libraries.ts';
import { readProcessTable } from './process-table.ts';
import { formatSid } from './sid.ts';

const PROCESS_TERMINATE = 0x0001;
const PROCESS_VM_READ = 0x0010;
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
const SYNCHRONIZE = 0x00100000;
const TOKEN_QUERY = 0x0008;
const TOKEN_USER = 1;
const COMMAND_LINE_INFORMATION = 60;
const BASIC_INFORMATION = 0;
/** Offsets in RTL_USER_PROCESS_PARAMETERS on 64-bit Windows. */
const PARAMETERS = { currentDirectory: 0x38n, commandLine: 0x70n };
const WAIT_OBJECT_0 = 0;
const EXIT_CODE = 1;
/** The longest path of Windows in UTF-16 units. */
const MAX_PATH_UNITS = 32_768;
const MAX_COMMAND_LINE_BYTES = 64 * 1024;

export interface ProcessFactsOnWindows {
  /** Path of the image with its drive letter; null where it cannot be read. */
  path: string | null;
  /** Security identifier of the process's user; null where it cannot be read. */
  sid: string | null;
}

const text = Buffer.alloc(MAX_PATH_UNITS * 2);
const count = Buffer.alloc(4);
const handleOut = Buffer.alloc(8);
const tokenUser = Buffer.alloc(256);

/** Returns the result of `use` with a handle of the process; null where it has ended, or refuses access. */
function withProcess<T>(pid: number, access: number, use: (handle: number) => T): T | null {
  const { OpenProcess, CloseHandle } = kernel32();
  const handle = OpenProcess(access, 0, pid);
  if (handle === 0) return null;
  try {
    return use(handle);
  } finally {
    CloseHandle(handle);
  }
}

/** Reads path and owner of the process with this pid. */
export function readProcessFacts(pid: number): ProcessFactsOnWindows {
  const facts = withProcess(pid, PROCESS_QUERY_LIMITED_INFORMATION, (handle) => ({
    path: readImagePath(handle),
    sid: readOwner(handle),
  }));
  return facts ?? { path: null, sid: null };
}

function readImagePath(handle: number): string | null {
  count.writeUInt32LE(MAX_PATH_UNITS);
  if (kernel32().QueryFullProcessImageNameW(handle, 0, text, count) === 0) return null;
  return text.toString('utf16le', 0, count.readUInt32LE() * 2) || null;
}

function readOwner(process: number): string | null {
  const { OpenProcessToken, GetTokenInformation } = advapi32();
  if (OpenProcessToken(process, TOKEN_QUERY, handleOut) === 0) return null;
  const token = Number(handleOut.readBigInt64LE());
  try {
    const size = tokenUser.length;
    if (GetTokenInformation(token, TOKEN_USER, tokenUser, size, count) === 0) return null;
    // TOKEN_USER is a pointer and attributes of 16 bytes; the identifier that it points to follows.
    return formatSid(tokenUser.subarray(16));
  } finally {
    kernel32().CloseHandle(token);
  }
}

let ownSid: string | null = null;

/** Returns the security identifier of the account that the agent runs under. */
export function readOwnSid(): string {
  ownSid ??= readOwner(kernel32().GetCurrentProcess());
  if (ownSid === null) throw new Error('the account of this process cannot be read');
  return ownSid;
}

/** Reads the command line as the process was started with it; null where it cannot be read. */
export function readCommandLine(pid: number): string | null {
  return (
    withProcess(pid, PROCESS_QUERY_LIMITED_INFORMATION, queryCommandLine) ??
    withProcess(pid, PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ, copyCommandLine)
  );
}

function queryCommandLine(handle: number): string | null {
  const answer = Buffer.alloc(MAX_COMMAND_LINE_BYTES);
  const status = ntdll().NtQueryInformationProcess(
    handle,
    COMMAND_LINE_INFORMATION,
    answer,
    answer.length,
    count,
  );
  // UNICODE_STRING of 16 bytes, then its characters.
  return status === 0 ? answer.toString('utf16le', 16, 16 + answer.readUInt16LE(0)) : null;
}

/** Copies it where the kernel does not answer (before Windows 8.1, and in Wine). */
const copyCommandLine = (handle: number): string | null =>
  copyParameter(handle, PARAMETERS.commandLine);

/** Reads the folder that the process works in, without the slash at its end; null where it cannot be read. */
export function readWorkingFolder(pid: number): string | null {
  const access = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ;
  const folder = withProcess(pid, access, (handle) =>
    copyParameter(handle, PARAMETERS.currentDirectory),
  );
  return folder?.replace(/(?<!:)\\$/, '') ?? null;
}

/** Copies a text of RTL_USER_PROCESS_PARAMETERS out of the memory of the process. */
function copyParameter(handle: number, offset: bigint): string | null {
  const basic = Buffer.alloc(48);
  const status = ntdll().NtQueryInformationProcess(
    handle,
    BASIC_INFORMATION,
    basic,
    basic.length,
    count,
  );
  if (status !== 0) return null;
  const read = (address: bigint, length: number): Buffer | null => {
    const bytes = Buffer.alloc(length);
    return kernel32().ReadProcessMemory(handle, address, bytes, length, null) === 0 ? null : bytes;
  };
  // PEB.ProcessParameters on 64-bit Windows, then a UNICODE_STRING.
  const parameters = read(basic.readBigUInt64LE(8) + 0x20n, 8)?.readBigUInt64LE(0);
  const text = parameters === undefined ? null : read(parameters + offset, 16);
  if (text === null) return null;
  return read(text.readBigUInt64LE(8), text.readUInt16LE(0))?.toString('utf16le') ?? null;
}

/** An open process that can be ended. Its pid belongs to no other process before `close`. */
export interface EndableProcess {
  /** Returns false where access was refused. */
  terminate(): boolean;
  hasEnded(): boolean;
  close(): void;
}

/** Opens the process that has this pid and started at this time; `gone` where it has ended, `refused` by Windows. */
export function openProcessToEnd(
  pid: number,
  startedAt: bigint,
): EndableProcess | 'gone' | 'refused' {
  const { OpenProcess, CloseHandle, TerminateProcess, WaitForSingleObject } = kernel32();
  const access = PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE;
  const handle = OpenProcess(access, 0, pid);
  if (handle === 0) return isRunning(pid, startedAt) ? 'refused' : 'gone';
  const hasEnded = () => WaitForSingleObject(handle, 0) === WAIT_OBJECT_0;
  if (readStart(handle) !== startedAt || hasEnded()) {
    CloseHandle(handle);
    return 'gone';
  }
  return {
    terminate: () => TerminateProcess(handle, EXIT_CODE) !== 0 || hasEnded(),
    hasEnded,
    close: () => void CloseHandle(handle),
  };
}

function isRunning(pid: number, startedAt: bigint): boolean {
  return readProcessTable().some((row) => row.pid === pid && row.startedAt === startedAt);
}

function readStart(handle: number): bigint | null {
  const times = Array.from({ length: 4 }, () => Buffer.alloc(8));
  if (kernel32().GetProcessTimes(handle, ...times) === 0) return null;
  return times[0]?.readBigInt64LE() ?? null;
}
