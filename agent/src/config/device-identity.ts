// Identity of this device: an id created once, stored beside a hash of the machine's own id, so that a cloned image
// creates its own.
import { existsSync, readFileSync } from 'node:fs';
import { hostname, machine, release, type, version } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { isUuid } from '@gatewarden/shared/uuid.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { PLATFORMS, type Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { readRegistryValues } from '../native/windows/registry.ts';
import { AS_THE_AGENT, codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { AGENT_VERSION } from '../version.ts';
import { readRegularFile, writeFileAtomically } from './atomic-file.ts';

export interface DeviceIdentity {
  deviceId: string;
  /** Reason why a new id was created just now; null where the stored id is valid. */
  made: 'first start' | 'another machine id: this is a clone' | null;
  /** False where the system has no machine id: a clone cannot be recognized then. */
  machineKnown: boolean;
}

const FILE = 'device.json';
const COPY = 'device.json.copy';
/** Windows sets its value when it is installed; tools that prepare images set another. */
const MACHINE_GUID_KEY = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/** Returns the stored device id, or a new id at the first start and on a cloned image. */
export function loadIdentity(
  dataDir: string,
  makeId: () => string,
  machineId: string | null = readMachineId(),
): DeviceIdentity {
  const file = join(dataDir, FILE);
  const copy = join(dataDir, COPY);
  // Salted with our own name: the machine's id itself is never stored, nor anything others could join it with.
  const machineHash = machineId === null ? null : sha256Hex(`gatewarden-agent\0${machineId}`);
  const read = readKept(file);
  // A removed file means that a new id is requested; after damage the id is restored from the copy.
  const kept = read === 'damaged' ? readCopy(copy) : read;
  const cloned =
    kept !== null &&
    kept.machine_hash !== null &&
    machineHash !== null &&
    kept.machine_hash !== machineHash;
  const stays = kept !== null && !cloned;
  const now: Kept = stays
    ? { ...kept, machine_hash: kept.machine_hash ?? machineHash }
    : { device_id: makeId(), machine_hash: machineHash };
  if (!isEqual(read, now)) write(file, now);
  copyTo(copy, now);
  const why = cloned ? 'another machine id: this is a clone' : 'first start';
  return {
    deviceId: now.device_id,
    made: stays ? null : why,
    machineKnown: machineHash !== null,
  };
}

/**
 * Without file and copy, the folder was removed, and no new id was requested: the file is written
 * again.
 */
export function putBackIdentity(dataDir: string, deviceId: string): void {
  const [file, copy] = [join(dataDir, FILE), join(dataDir, COPY)];
  if (existsSync(file) || existsSync(copy)) return;
  // The machine's hash joins it at the next start.
  write(file, { device_id: deviceId, machine_hash: null });
}

interface Kept {
  device_id: string;
  machine_hash: string | null;
}

/** Reads the copy; null where it is invalid for whatever reason. */
function readCopy(copy: string): Kept | null {
  try {
    const read = readKept(copy);
    return read === 'damaged' ? null : read;
  } catch {
    return null;
  }
}

const isEqual = (read: Kept | 'damaged' | null, kept: Kept): boolean =>
  read !== null &&
  read !== 'damaged' &&
  read.device_id === kept.device_id &&
  read.machine_hash === kept.machine_hash;

/** A full disk or a folder in its place is no reason not to start. */
function copyTo(copy: string, kept: Kept): void {
  if (isEqual(readCopy(copy), kept)) return;
  try {
    write(copy, kept);
  } catch {
    // Tried again at the next start.
  }
}

/** Null: there is none. */
function readKept(file: string): Kept | 'damaged' | null {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new PlainError(`cannot read ${file}: ${messageOf(error)}: ${adviceOn(error)}`);
  }
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || !('device_id' in kept)) return 'damaged';
    const hash = 'machine_hash' in kept ? kept.machine_hash : null;
    if (typeof kept.device_id !== 'string' || !isUuid(kept.device_id)) return 'damaged';
    return { device_id: kept.device_id, machine_hash: typeof hash === 'string' ? hash : null };
  } catch {
    return 'damaged';
  }
}

/** A folder in place of the file may contain something valuable: it is not removed. */
const adviceOn = (error: unknown): string =>
  codeOf(error) === 'EACCES'
    ? AS_THE_AGENT
    : `put ${COPY} in its place, or this becomes another device`;

function write(file: string, kept: Kept): void {
  writeFileAtomically(file, `${JSON.stringify(kept)}\n`, 0o600);
}

function readMachineId(): string | null {
  if (process.platform === 'win32') return readMachineGuid();
  for (const file of MACHINE_ID_FILES) {
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (/^[0-9a-f]{32}$/i.test(text)) return text;
    } catch {
      // Not there on this system; the caller notes it.
    }
  }
  return null;
}

function readMachineGuid(): string | null {
  const guid = readRegistryValues(MACHINE_GUID_KEY)?.get('machineguid');
  return typeof guid === 'string' && isUuid(guid) ? guid.toLowerCase() : null;
}

/** Returns the platform in the wire's terms; other systems are refused with a `PlainError`. */
export function currentPlatform(): Platform {
  const platform = PLATFORMS.find((p) => p === process.platform);
  if (platform === undefined) throw new PlainError(`${process.platform} is not supported`);
  return platform;
}

/** How the device names itself in every POST. */
export function describeDevice(deviceId: string): WireDevice {
  return {
    device_id: deviceId,
    hostname: (hostname() || 'unknown').slice(0, 255),
    platform: currentPlatform(),
    os_version: osVersion().slice(0, 255),
    arch: machine().slice(0, 64),
    agent_version: AGENT_VERSION,
  };
}

function osVersion(): string {
  try {
    const found = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'));
    if (found?.[1]) return found[1];
  } catch {
    // Without os-release the kernel's name and release describe the system.
  }
  const name = process.platform === 'win32' ? version() : type();
  return `${name} ${release()}`;
}
