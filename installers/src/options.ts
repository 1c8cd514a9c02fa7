// What a build is asked for, held against what agents and hubs will take: a package whose version no hub knows, or whose key
// is none, would never be updated again, and nobody would see why.
import { parseArgs } from 'node:util';
import {
  RELEASE_CHANNEL_PATTERN,
  RELEASE_VERSION_PATTERN,
} from '@gatewarden/shared/wire/sync/updates.ts';
import { parsePublicKey } from '../../agent/src/update/release-manifest.ts';
import { agentVersion } from './bundle.ts';

const KINDS = ['deb', 'rpm', 'tar'];
const DAYS_MAX = 3650;

/** The options of `npm run package`; throws one line that names the wrong one. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'dist' },
      version: { type: 'string', default: agentVersion() },
      arch: { type: 'string', default: process.arch },
      only: { type: 'string', default: KINDS.join(',') },
      fast: { type: 'boolean', default: false },
      sign: { type: 'string' },
      'update-key': { type: 'string' },
      channel: { type: 'string', default: 'stable' },
      'minimum-version': { type: 'string', default: '0.1.0' },
      days: { type: 'string', default: '180' },
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
  const strange = kinds.find((one) => !KINDS.includes(one));
  if (strange !== undefined) throw new Error(`--only is some of ${KINDS.join(',')}: ${strange}`);
  if (updateKey !== null) checkUpdateKey(updateKey);
  if (!new RegExp(RELEASE_CHANNEL_PATTERN).test(channel)) {
    throw new Error('--channel begins with a letter and has letters, digits and dashes');
  }
  if (!(Number.isInteger(days) && days >= 1 && days <= DAYS_MAX)) {
    throw new Error(`--days is a number from 1 to ${DAYS_MAX}`);
  }
  if (values.sign !== undefined && !kinds.includes('tar')) {
    throw new Error('--sign signs the archive: add tar to --only');
  }
  const { out, fast, sign } = values;
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
  } as const;
}

/** Three numbers: hubs and launchers know no others. */
export function checkVersion(option: string, version: string): void {
  if (new RegExp(RELEASE_VERSION_PATTERN).test(version)) return;
  throw new Error(`${option} is three numbers with dots between, such as 1.2.3: ${version}`);
}

/** A public key as agents take it: Ed25519, SPKI in base64. */
export function checkUpdateKey(text: string): void {
  if (parsePublicKey(text) !== null) return;
  throw new Error('--update-key is a public key of Ed25519: SPKI in base64, without lines');
}
