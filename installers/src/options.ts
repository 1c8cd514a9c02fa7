// Validates build options against the rules of agents and hubs. A package with an unknown version format or an invalid
// key would never be updated, without a visible error.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  RELEASE_CHANNEL_PATTERN,
  RELEASE_VERSION_PATTERN,
} from '@gatewarden/shared/wire/sync/updates.ts';
import { parsePublicKey } from '../../agent/src/update/release-manifest.ts';
import { agentVersion } from './bundle.ts';

const LINUX_KINDS = ['deb', 'rpm', 'tar'];
/** Packages for Windows need parts that npm does not install here, so that they are built on request only. */
const KINDS = [...LINUX_KINDS, 'msi', 'user-msi', 'windows-tar'];
const DAYS_MAX = 3650;

/** Returns the options of `npm run package`. Throws a single-line error that names the invalid option. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'dist' },
      version: { type: 'string', default: agentVersion() },
      arch: { type: 'string', default: process.arch },
      only: { type: 'string', default: LINUX_KINDS.join(',') },
      fast: { type: 'boolean', default: false },
      sign: { type: 'string' },
      'update-key': { type: 'string' },
      channel: { type: 'string', default: 'stable' },
      'minimum-version': { type: 'string', default: '0.1.0' },
      days: { type: 'string', default: '180' },
      parts: { type: 'string', default: join(import.meta.dirname, '../../node_modules') },
    },
  });
  const { arch, channel, version } = values;
  const minimumVersion = values['minimum-version'];
  const updateKey = values['update-key'] ?? null;
  const kinds = values.only.split(',');
  const days = Number(values.days);
  checkVersion('--version', version);
  checkVersion('--minimum-version', minimumVersion);
  if (arch !== 'x64' && arch !== 'arm64') throw new Error('--arch is x64 or arm64');
  const unknown = kinds.find((kind) => !KINDS.includes(kind));
  if (unknown !== undefined) throw new Error(`--only is some of ${KINDS.join(',')}: ${unknown}`);
  if (updateKey !== null) checkUpdateKey(updateKey);
  if (!new RegExp(RELEASE_CHANNEL_PATTERN).test(channel)) {
    throw new Error('--channel begins with a letter and has letters, digits and dashes');
  }
  if (!(Number.isInteger(days) && days >= 1 && days <= DAYS_MAX)) {
    throw new Error(`--days is a number from 1 to ${DAYS_MAX}`);
  }
  const archives = kinds.filter((kind) => kind === 'tar' || kind === 'windows-tar');
  if (values.sign !== undefined && archives.length !== 1) {
    throw new Error('--sign signs a single archive: add tar or windows-tar to --only');
  }
  const { out, fast, sign, parts } = values;
  return {
    out,
    version,
    arch,
    kinds,
    fast,
    sign,
    updateKey,
    channel,
    minimumVersion,
    days,
    parts,
  } as const;
}

/** Validates a version of three numbers, the only format that hubs and launchers accept. */
export function checkVersion(option: string, version: string): void {
  if (new RegExp(RELEASE_VERSION_PATTERN).test(version)) return;
  throw new Error(`${option} is three numbers with dots between, such as 1.2.3: ${version}`);
}

/** Validates a public key in the format of agents: Ed25519, SPKI in base64. */
export function checkUpdateKey(text: string): void {
  if (parsePublicKey(text) !== null) return;
  throw new Error('--update-key is a public key of Ed25519: SPKI in base64, without lines');
}
