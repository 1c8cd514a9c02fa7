// The devices, users and apps of the sample data. Pure: the same seed and time give the same fleet.
import { entityId, sha256Hex } from '@gatewarden/shared/identity.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { FIRST_NAMES, LAST_NAMES, SAMPLE_PRODUCTS, type SampleProduct } from './catalog.ts';
import type { Random } from './random.ts';

/** The domain of all users of the sample data. */
export const SAMPLE_DOMAIN = 'sample.example';
const USERS = 30;
const DEVICES = 60;
const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;

/** Shares of the platforms, their versions and architectures. */
const SYSTEMS = [
  {
    platform: 'darwin',
    prefix: 'mac',
    versions: ['macOS 15.7', 'macOS 26.1'],
    arch: 'arm64',
    weight: 5,
  },
  {
    platform: 'win32',
    prefix: 'win',
    versions: ['Windows 11 24H2', 'Windows 11 25H2'],
    arch: 'x64',
    weight: 4,
  },
  {
    platform: 'linux',
    prefix: 'lnx',
    versions: ['Ubuntu 24.04', 'Debian 13', 'Fedora 43'],
    arch: 'x64',
    weight: 3,
  },
] as const satisfies readonly { platform: Platform; weight: number; [field: string]: unknown }[];

export interface SampleUser {
  email: string;
}

export interface SampleDevice {
  device: WireDevice;
  owner: SampleUser;
  entities: WireEntity[];
  /** Running products of the device, with the entity of each. */
  running: { product: SampleProduct; entity: WireEntity }[];
}

export interface SampleFleet {
  users: SampleUser[];
  devices: SampleDevice[];
}

/** Returns 30 users and 60 devices on three platforms with the apps of each. */
export function generateFleet(random: Random, now: Date): SampleFleet {
  const users = Array.from({ length: USERS }, (_, i): SampleUser => {
    const first = FIRST_NAMES[i % FIRST_NAMES.length] ?? 'Ada';
    const last = random.pick(LAST_NAMES);
    return { email: `${first}.${last}@${SAMPLE_DOMAIN}`.toLowerCase() };
  });
  const devices = Array.from({ length: DEVICES }, (_, i) => {
    const owner = users[i % USERS] as SampleUser;
    return generateDevice(random, now, owner, i);
  });
  return { users, devices };
}

function generateDevice(random: Random, now: Date, owner: SampleUser, i: number): SampleDevice {
  const system = random.weighted(SYSTEMS);
  const device: WireDevice = {
    device_id: random.uuid(),
    hostname: `${system.prefix}-${owner.email.split('.')[0]}-${String(i + 1).padStart(2, '0')}`,
    platform: system.platform,
    os_version: random.pick(system.versions),
    arch: system.arch,
    agent_version: random.chance(0.85) ? '0.1.0' : '0.0.9',
  };
  const owned = SAMPLE_PRODUCTS.filter((product) => random.chance(product.share)).map(
    (product) => ({ product, entity: entityOf(random, now, system.platform, product) }),
  );
  const installed = owned.filter(
    (pair): pair is { product: SampleProduct; entity: WireEntity } => pair.entity !== null,
  );
  return {
    device,
    owner,
    entities: installed.map(({ entity }) => entity),
    running: installed.filter(({ product }) => product.runs === true && random.chance(0.6)),
  };
}

function entityOf(
  random: Random,
  now: Date,
  platform: Platform,
  product: SampleProduct,
): WireEntity | null {
  const install = product.installs[platform];
  if (install === undefined) return null;
  const installed = now.getTime() - random.integer(0, HISTORY_DAYS * 24) * (DAY_MS / 24);
  return {
    entity_id: entityId(platform, product.kind, install.source, install.name),
    kind: product.kind,
    source: install.source,
    name: install.name,
    version: random.pick(product.versions),
    publisher: product.publisher === '' ? null : product.publisher,
    install_path: install.path,
    executables: product.runs === true ? [install.path] : [],
    installed_at: new Date(installed).toISOString(),
    launch_hash: product.kind === 'mcp_server' ? launchHash(install.name) : null,
    ...(install.details === undefined ? {} : { details: install.details }),
  };
}

/** Returns the hash of the launch of a sample MCP server; `changed` is another launch of it. */
export function launchHash(name: string, changed = false): string {
  return sha256Hex(`sample launch of ${name}${changed ? ' with another command' : ''}`);
}
