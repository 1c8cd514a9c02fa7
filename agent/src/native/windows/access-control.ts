// Access control of Windows: who may read and write the agent's folder, and who may connect to its pipes.
import { win32 } from 'node:path';
import { realPath } from '../../runtime/real-path.ts';
import { copyMemory } from '../native-library.ts';
import { advapi32, kernel32 } from './libraries.ts';
import { readOwnSid, readProcessFacts } from './process-handle.ts';
import { ADMINISTRATORS, formatSid, LOCAL_SYSTEM } from './sid.ts';

const SE_FILE_OBJECT = 1;
const SE_KERNEL_OBJECT = 6;
const OWNER_SECURITY_INFORMATION = 0x1;
const DACL_SECURITY_INFORMATION = 0x4;
const PROTECTED_DACL_SECURITY_INFORMATION = 0x80000000;
const PROTECTED_DACL = DACL_SECURITY_INFORMATION + PROTECTED_DACL_SECURITY_INFORMATION;
const SDDL_REVISION_1 = 1;
const READ_CONTROL = 0x00020000;
const WRITE_DAC = 0x00040000;
const OPEN_EXISTING = 3;
/** Other programs may read, write and delete the file while it is open. */
const SHARE_ALL = 0x7;
/** Opens folders, too. */
const FILE_FLAG_BACKUP_SEMANTICS = 0x02000000;
/** The longest path of Windows in UTF-16 units. */
const MAX_PATH_UNITS = 32_768;
const INVALID_HANDLE = -1;
/** FILE_GENERIC_READ and FILE_WRITE_DATA, without the right to create instances of the pipe. */
const CONNECT = '0x12019b';

/** Full access for the system, administrators and the agent's own account, in the security descriptor language. */
const fullAccess = (inheritance: string): string =>
  ['SY', 'BA', readOwnSid()].map((account) => `(A;${inheritance};FA;;;${account})`).join('');

/**
 * Lets only the system, administrators and the agent's own account use a folder with all that it contains. Throws where
 * the path is a link or a junction, or the folder belongs to another account, which could give itself access again.
 */
export function protectFolder(path: string): void {
  withFile(path, READ_CONTROL + WRITE_DAC, (handle) => {
    checkOwner(handle);
    const status = withDacl(`D:P${fullAccess('OICI')}`, (dacl) =>
      advapi32().SetSecurityInfo(handle, SE_FILE_OBJECT, PROTECTED_DACL, null, null, dacl, null),
    );
    if (status !== 0) throw new Error(`its permissions cannot be set: error ${status}`);
  });
}

/** Throws where a file or folder is a link, or belongs to neither an administrator nor the agent's own account. */
export function requireTrustedOwner(path: string): void {
  withFile(path, READ_CONTROL, checkOwner);
}

/** Returns the result of `use` with a handle, which no later change of the path redirects. Throws where the path is a link. */
function withFile<T>(path: string, access: number, use: (handle: number) => T): T {
  const { CreateFileW, CloseHandle } = kernel32();
  const [share, flags] = [SHARE_ALL, FILE_FLAG_BACKUP_SEMANTICS];
  const handle = CreateFileW(path, access, share, null, OPEN_EXISTING, flags, 0);
  if (handle === INVALID_HANDLE) throw new Error('its permissions cannot be read');
  try {
    const expected = win32.join(realPath(win32.dirname(path)), win32.basename(path));
    const opened = readFinalPath(handle);
    if (opened.toLowerCase() !== expected.toLowerCase()) {
      throw new Error(`it is a link to ${opened}`);
    }
    return use(handle);
  } finally {
    CloseHandle(handle);
  }
}

/** Returns the path of an open file without links, in the form of `realPath`. */
function readFinalPath(handle: number): string {
  const text = Buffer.alloc(MAX_PATH_UNITS * 2);
  const length = kernel32().GetFinalPathNameByHandleW(handle, text, MAX_PATH_UNITS, 0);
  const path = text.toString('utf16le', 0, length * 2);
  return path.replace(/^\\\\\?\\UNC\\/, '\\\\').replace(/^\\\\\?\\/, '');
}

function checkOwner(handle: number): void {
  const owner = readOwnerSid(handle);
  if (owner !== null && ![LOCAL_SYSTEM, ADMINISTRATORS, readOwnSid()].includes(owner)) {
    throw new Error(`its owner ${owner} is neither an administrator nor this account`);
  }
}

function readOwnerSid(handle: number): string | null {
  const [owner, descriptor] = [Buffer.alloc(8), Buffer.alloc(8)];
  const { GetSecurityInfo, GetLengthSid } = advapi32();
  const status = GetSecurityInfo(
    ...[handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, owner, null, null, null, descriptor],
  );
  if (status !== 0) return null;
  const address = owner.readBigUInt64LE();
  const sid = formatSid(copyMemory(address, GetLengthSid(address)));
  kernel32().LocalFree(descriptor.readBigUInt64LE());
  return sid;
}

/**
 * Lets every signed-in user connect to a pipe of this process, or only the system, administrators and the agent's own
 * account. No other account may create instances of the pipe. Returns false where Windows refuses.
 */
export function restrictPipe(path: string, isOpenToAll: boolean): boolean {
  const { CreateFileW, CloseHandle } = kernel32();
  const access = READ_CONTROL + WRITE_DAC;
  const handle = CreateFileW(path, access, 0, null, OPEN_EXISTING, 0, 0);
  if (handle === INVALID_HANDLE) return false;
  try {
    const users = isOpenToAll ? `(A;;${CONNECT};;;AU)` : '';
    const status = withDacl(`D:P${fullAccess('')}${users}`, (dacl) =>
      advapi32().SetSecurityInfo(handle, SE_KERNEL_OBJECT, PROTECTED_DACL, null, null, dacl, null),
    );
    return status === 0;
  } finally {
    CloseHandle(handle);
  }
}

/**
 * Returns whether the process behind a pipe belongs to the system or to the caller's own account: any user may create a
 * pipe with a free name. Returns null where no pipe has this name, or all its instances are busy.
 */
export function isTrustedPipe(path: string): boolean | null {
  const { CreateFileW, CloseHandle, GetNamedPipeServerProcessId } = kernel32();
  const handle = CreateFileW(path, READ_CONTROL, 0, null, OPEN_EXISTING, 0, 0);
  if (handle === INVALID_HANDLE) return null;
  try {
    const pid = Buffer.alloc(4);
    if (GetNamedPipeServerProcessId(handle, pid) === 0) return false;
    const { sid } = readProcessFacts(pid.readUInt32LE());
    return sid !== null && [LOCAL_SYSTEM, readOwnSid()].includes(sid);
  } finally {
    CloseHandle(handle);
  }
}

/** Returns the result of `use` with the address of the access list that a text describes. */
function withDacl<T>(descriptorText: string, use: (dacl: bigint) => T): T {
  const outputs = Buffer.alloc(32);
  const [descriptor, present, dacl, defaulted] = [0, 8, 16, 24].map((at) =>
    outputs.subarray(at, at + 8),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const { ConvertStringSecurityDescriptorToSecurityDescriptorW: convert } = advapi32();
  if (convert(descriptorText, SDDL_REVISION_1, descriptor, null) === 0) {
    throw new Error(`no security descriptor: ${descriptorText}`);
  }
  const address = descriptor.readBigUInt64LE();
  try {
    advapi32().GetSecurityDescriptorDacl(address, present, dacl, defaulted);
    return use(dacl.readBigUInt64LE());
  } finally {
    kernel32().LocalFree(address);
  }
}
