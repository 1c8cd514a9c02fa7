// The publisher of a program by its Authenticode signature
// (https://learn.microsoft.com/windows/win32/api/wintrust/nf-wintrust-winverifytrust). A name counts only where Windows
// trusts the signature, because anybody can make a certificate with any name.
import { win32 } from 'node:path';
import { addressOf, bindLibrary, callInBackground, copyMemory } from '../native-library.ts';

/** WINTRUST_ACTION_GENERIC_VERIFY_V2. */
const VERIFY_V2 = Buffer.from('6bc5aa0044cdd0118cc200c04fc295ee', 'hex');
const NO_WINDOW = -1;
const FILE_INFO_BYTES = 32;
const TRUST_DATA_BYTES = 80;
const UI_NONE = 2;
const CHOICE_FILE = 1;
const STATE_VERIFY = 1;
const STATE_CLOSE = 2;
/** Certificates come from this machine only; a check never waits for the network. */
const CACHE_ONLY_URL_RETRIEVAL = 0x1000;
const UNTRUSTED_ROOT = 0x20;
const PARTIAL_CHAIN = 0x10000;
const SIMPLE_DISPLAY_NAME = 4;
const NAME_UNITS_MAX = 512;
/** Windows accepts longer paths with the prefix `\\?\` only. */
const MAX_PLAIN_PATH = 260;

const wintrust = bindLibrary('wintrust.dll', {
  WinVerifyTrust: ['int32', 'intptr_t', 'void *', 'void *'],
  WTHelperProvDataFromStateData: ['uint64', 'intptr_t'],
  WTHelperGetProvSignerFromChain: ['uint64', 'uint64', 'uint32', 'int', 'uint32'],
  WTHelperGetProvCertFromChain: ['uint64', 'uint64', 'uint32'],
});
const crypt32 = bindLibrary('crypt32.dll', {
  CertGetNameStringW: ['uint32', 'uint64', 'uint32', 'uint32', 'void *', 'void *', 'uint32'],
});

/**
 * Returns the name in the certificate with which a program was signed; null for a program without a signature of its own,
 * or with one that Windows does not trust. The whole file is hashed on a thread of the pool.
 */
export async function readSigner(path: string): Promise<string | null> {
  const { WinVerifyTrust } = wintrust();
  const request = describeRequest(path);
  const status = await callInBackground(WinVerifyTrust, NO_WINDOW, VERIFY_V2, request);
  try {
    return status === 0 ? nameSigner(Number(request.readBigInt64LE(56))) : null;
  } finally {
    request.writeUInt32LE(STATE_CLOSE, 48);
    WinVerifyTrust(NO_WINDOW, VERIFY_V2, request);
  }
}

/** Returns WINTRUST_DATA of 64-bit Windows, then WINTRUST_FILE_INFO and the path in the same memory. */
function describeRequest(path: string): Buffer {
  const acceptedPath = path.length < MAX_PLAIN_PATH ? path : win32.toNamespacedPath(path);
  const pathText = Buffer.from(`${acceptedPath}\0`, 'utf16le');
  const memory = Buffer.alloc(TRUST_DATA_BYTES + FILE_INFO_BYTES + pathText.length);
  const fileInfo = memory.subarray(TRUST_DATA_BYTES);
  const address = addressOf(memory);
  memory.writeUInt32LE(TRUST_DATA_BYTES, 0);
  memory.writeUInt32LE(UI_NONE, 24);
  memory.writeUInt32LE(CHOICE_FILE, 32);
  memory.writeBigUInt64LE(address + BigInt(TRUST_DATA_BYTES), 40);
  memory.writeUInt32LE(STATE_VERIFY, 48);
  memory.writeUInt32LE(CACHE_ONLY_URL_RETRIEVAL, 72);
  fileInfo.writeUInt32LE(FILE_INFO_BYTES, 0);
  fileInfo.writeBigUInt64LE(address + BigInt(TRUST_DATA_BYTES + FILE_INFO_BYTES), 8);
  pathText.copy(fileInfo, FILE_INFO_BYTES);
  return memory;
}

function nameSigner(state: number): string | null {
  const { WTHelperProvDataFromStateData, WTHelperGetProvSignerFromChain } = wintrust();
  const signer = WTHelperGetProvSignerFromChain(WTHelperProvDataFromStateData(state), 0, 0, 0);
  const certificate = signer === 0 ? 0 : wintrust().WTHelperGetProvCertFromChain(signer, 0);
  if (certificate === 0 || !hasTrustedRoot(signer)) return null;
  // CRYPT_PROVIDER_CERT begins with its size and the address of the certificate's context.
  const context = copyMemory(BigInt(certificate), 16).readBigUInt64LE(8);
  const name = Buffer.alloc(NAME_UNITS_MAX * 2);
  const units = crypt32().CertGetNameStringW(
    ...[context, SIMPLE_DISPLAY_NAME, 0, null, name, NAME_UNITS_MAX],
  );
  // The count includes the zero at the end.
  return name.toString('utf16le', 0, (units - 1) * 2) || null;
}

/** Returns whether the chain ends in a root that this machine trusts: Wine's WinVerifyTrust accepts any root. */
function hasTrustedRoot(signer: number): boolean {
  // CRYPT_PROVIDER_SGNR ends with the address of a CERT_CHAIN_CONTEXT, which begins with its size and the status.
  const chain = copyMemory(BigInt(signer), 64).readBigUInt64LE(56);
  const status = copyMemory(chain, 8).readUInt32LE(4);
  return (status & (UNTRUSTED_ROOT | PARTIAL_CHAIN)) === 0;
}
