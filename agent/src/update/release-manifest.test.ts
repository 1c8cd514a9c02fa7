// Manifests allow installation only when valid: none of thousands of invalid offers is accepted.
import { generateKeyPairSync, sign } from 'node:crypto';
import { compareVersions } from '@gatewarden/shared/names.ts';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { UpdateRefused } from '../sync/backoff.ts';
import { acceptManifest, type Installed, parsePublicKey } from './release-manifest.ts';
import { isHealthy } from './update-trial.ts';

const vendor = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const NOW = new Date('2026-11-21T12:00:00Z');

const installed: Installed = {
  publicKey: vendor.publicKey,
  version: '0.3.0',
  platform: 'linux',
  arch: 'x64',
  channel: 'stable',
  bad: ['0.9.9'],
  now: NOW,
};

const good: ReleaseManifest = {
  format: 1,
  version: '0.4.0',
  channel: 'stable',
  platform: 'linux',
  arch: 'x64',
  file: 'gatewarden-agent-0.4.0-linux-x64.tar.gz',
  size: 1000,
  sha256: 'a'.repeat(64),
  minimum_version: '0.1.0',
  made_at: '2026-11-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
};

function offer(manifest: object, key = vendor.privateKey) {
  const text = JSON.stringify(manifest);
  return { manifest: text, signature: sign(null, Buffer.from(text), key).toString('base64') };
}

function refusal(answer: ReturnType<typeof offer>, over: Partial<Installed> = {}): UpdateRefused {
  try {
    acceptManifest(answer, { ...installed, ...over });
  } catch (error) {
    if (error instanceof UpdateRefused) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('manifest', () => {
  it('accepts a manifest as the vendor signed it', () => {
    expect(acceptManifest(offer(good), installed)).toEqual(good);
  });

  it('rejects a manifest with any invalid field', () => {
    const wrong: [object, RegExp][] = [
      [{ version: '0.3.0' }, /not newer/],
      [{ version: '0.2.9' }, /not newer/],
      [{ version: '0.9.9' }, /did not work here/],
      [{ platform: 'darwin' }, /is for darwin/],
      [{ arch: 'arm64' }, /is for linux arm64/],
      [{ channel: 'beta' }, /channel beta/],
      [{ minimum_version: '0.3.1' }, /only be installed over/],
      [{ expires_at: '2026-11-21T12:00:00Z' }, /expired/],
      [{ format: 2 }, /unknown form/],
      [{ size: 0 }, /unknown form/],
      [{ version: '0.4' }, /unknown form/],
      [{ file: '../../etc/passwd.tar.gz' }, /unknown form/],
    ];
    for (const [over, message] of wrong) {
      const refused = refusal(offer({ ...good, ...over }));
      expect(refused.message).toMatch(message);
      expect(refused.forged).toBe(false);
    }
  });

  it('rejects another signature, and any changed bit of signature or text', () => {
    expect(refusal(offer(good, stranger.privateKey)).forged).toBe(true);
    const right = offer(good);
    const flipped = (text: string, at: number) => {
      const bytes = Buffer.from(text);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      return bytes;
    };
    const bits = fc.nat({ max: right.manifest.length * 8 - 1 });
    fc.assert(
      fc.property(bits, (at) => {
        const manifest = flipped(right.manifest, at).toString('latin1');
        return refusal({ ...right, manifest }).forged;
      }),
      { numRuns: propertyRuns(500) },
    );
    const raw = Buffer.from(right.signature, 'base64');
    for (let at = 0; at < raw.length * 8; at++) {
      const bytes = Buffer.from(raw);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect(refusal({ ...right, signature: bytes.toString('base64') }).forged).toBe(true);
    }
  });

  it('never allows an older or equal version, whatever is signed', () => {
    const part = fc.nat({ max: 12 });
    const version = fc.tuple(part, part, part).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(version, version, version, (own, offered, minimum) => {
        const answer = offer({ ...good, version: offered, minimum_version: minimum });
        const mayBe = compareVersions(offered, own) > 0 && compareVersions(minimum, own) <= 0;
        const now = { ...installed, version: own, bad: [] };
        if (mayBe) return acceptManifest(answer, now).version === offered;
        return refusal(answer, now) instanceof UpdateRefused;
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('accepts only Ed25519 keys', () => {
    const text = vendor.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    expect(parsePublicKey(text)?.equals(vendor.publicKey)).toBe(true);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const other = rsa.export({ type: 'spki', format: 'der' }).toString('base64');
    for (const wrong of ['', 'abc', other, text.slice(0, 40)]) {
      expect(parsePublicKey(wrong)).toBe(null);
    }
  });
});

describe('version on trial', () => {
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();
  const scan = (seconds: number) => ({ at: at(seconds), entities: 1, duration_ms: 1 });
  const hub = (over: object) => ({
    url: 'https://hub',
    reachable: true,
    last_contact_at: at(2),
    last_error: null,
    ...over,
  });
  const health = (over: object, status: object = {}) =>
    isHealthy({
      status: { hub: hub({}), last_scan: scan(1), ...status },
      waiting: false,
      scannedBefore: at(-1),
      share: 0.01,
      ...over,
    });

  it('keeps a version on trial once it scanned and the hub accepted its report', () => {
    expect(health({})).toBe(true);
    expect(health({ waiting: true })).toBe(false);
    expect(health({}, { last_scan: null })).toBe(false);
    expect(health({}, { last_scan: scan(-1) })).toBe(false);
    expect(health({}, { hub: hub({ last_contact_at: null }) })).toBe(false);
    expect(health({ share: 0.99 }, { hub: hub({ last_error: '500' }) })).toBe(false);
  });

  it('keeps a version on trial over any clock changes', () => {
    const setBack = { last_scan: scan(-86_400), hub: hub({ last_contact_at: at(-86_400) }) };
    expect(health({}, setBack)).toBe(true);
  });

  it('keeps a version on trial without a hub after it ran steadily', () => {
    const away = { hub: hub({ reachable: false, last_error: 'ECONNREFUSED' }) };
    expect(health({ share: 0.59 }, away)).toBe(false);
    expect(health({ share: 0.6 }, away)).toBe(true);
    expect(health({ share: 0.6 }, { ...away, last_scan: null })).toBe(false);
    // A hub that is there and cannot take anything from anybody is none: else an hour without its database would have every
    // device on trial give up a sound version for good.
    const down = { hub: hub({ last_error: '503 database_unavailable: try again' }) };
    expect(health({ share: 0.59, waiting: true }, down)).toBe(false);
    expect(health({ share: 0.6, waiting: true }, down)).toBe(true);
    const silent = { hub: hub({ reachable: false, last_contact_at: null, last_error: null }) };
    expect(health({ share: 0.99 }, silent)).toBe(false);
    const wrong = { hub: hub({ last_error: '400 invalid_request: no' }) };
    expect(health({ share: 0.99 }, wrong)).toBe(false);
  });
});
