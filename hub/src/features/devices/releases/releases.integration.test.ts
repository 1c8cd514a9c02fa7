// Releases travel from the operator's command to a device that downloads them in ranges over real HTTP.
import { createHash, generateKeyPairSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareVersions } from '@gatewarden/shared/names.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKeyText, signRelease } from '../../../../../installers/src/sign.ts';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { addRelease, giveToGroup, listReleases, setRing, withdrawRelease } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-releases-'));
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const SIZE = 700_000;
let hub: TestHub;
let deviceId: string;

/** A signed file of random bytes. */
function made(version: string, over: { minimum?: string; days?: number; arch?: string } = {}) {
  const file = join(folder, `gatewarden-agent-${version}-linux-${randomUUID().slice(0, 8)}.tar.gz`);
  writeFileSync(file, randomBytes(SIZE));
  const machine = { version, platform: 'linux' as const, arch: over.arch ?? 'x64' };
  const { manifest, signature } = signRelease(file, machine, folder, {
    ...{ key: privateKey, channel: 'stable', days: over.days ?? 30 },
    minimumVersion: over.minimum ?? '0.1.0',
  });
  return { file, manifest, signature, percent: 100, publicKey: null };
}

async function add(version: string, over: Parameters<typeof made>[1] & { percent?: number } = {}) {
  const wanted = { ...made(version, over), percent: over.percent ?? 100 };
  const bytes = readFileSync(wanted.file);
  const { release_id } = await addRelease(hub.context.database.db, wanted, [hub.tenantId]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { id: release_id, sha256, bytes };
}

const withdrawn = (id: string) =>
  withdrawRelease(hub.context.database.db, id, [hub.tenantId]).catch(() => undefined);

function ask(version: string, id = deviceId, headers: Record<string, string> = {}) {
  return deviceCall(
    hub,
    'GET',
    `/ea/v1/updates/manifest?platform=linux&arch=x64&version=${version}`,
    { headers: { 'x-device-id': id, ...headers } },
  );
}

async function offered(version: string, id = deviceId): Promise<string | null> {
  const answer = await ask(version, id);
  if (answer.status === 204) return null;
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body.manifest).version;
}

function fetchFile(sha256: string, headers: Record<string, string> = {}, id = deviceId) {
  return fetch(`${hub.url}/ea/v1/updates/files/${sha256}`, {
    headers: {
      authorization: `Bearer ${hub.agentToken}`,
      'x-tenant-id': hub.tenantId,
      'x-subscriber-id': 'alice',
      'x-device-id': id,
      ...headers,
    },
  });
}

async function enrolled(): Promise<string> {
  const device = aDevice();
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('one')]),
  });
  expect(answer.status).toBe(202);
  return device.device_id;
}

beforeAll(async () => {
  hub = await startTestHub();
  deviceId = await enrolled();
});
afterAll(async () => {
  await hub.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('release offer', () => {
  it('offers the newest compatible version as the vendor signed it', async () => {
    expect(await offered('0.1.0')).toBe(null);
    const all = [await add('0.2.0'), await add('0.10.0', { minimum: '0.2.0' })];
    expect(await offered('0.1.0')).toBe('0.2.0');
    expect(await offered('0.2.0')).toBe('0.10.0');
    expect(await offered('0.10.0')).toBe(null);
    expect(await offered('1.0.0')).toBe(null);
    const { body, headers } = await ask('0.2.0');
    const signature = Buffer.from(body.signature, 'base64');
    expect(verify(null, Buffer.from(body.manifest), publicKey, signature)).toBe(true);
    const again = await ask('0.2.0', deviceId, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    for (const item of all) await withdrawn(item.id);
    expect(await offered('0.1.0')).toBe(null);
  });

  it('offers nothing to another platform, an unknown device or a foreign tenant', async () => {
    const { id, sha256 } = await add('0.3.0', { arch: 'arm64' });
    expect(await offered('0.1.0')).toBe(null);
    await withdrawn(id);
    const mine = await add('0.3.0');
    expect((await ask('0.1.0', randomUUID())).status).toBe(404);
    const other = await hub.newTenant('Other');
    const foreign = await fetchFile(mine.sha256, {
      authorization: `Bearer ${other.agentToken}`,
      'x-tenant-id': other.tenantId,
    });
    expect(foreign.status).toBe(404);
    expect((await fetchFile(sha256)).status).toBe(404);
    expect((await fetchFile('0'.repeat(63))).status).toBe(400);
    expect((await ask('latest')).body.error.message).toMatch(
      /^\/querystring\/version|^\/query\/version/,
    );
    await withdrawn(mine.id);
  });

  it('grows a ring only, and offers early to a group', async () => {
    const { db } = hub.context.database;
    const { id, sha256 } = await add('0.4.0', { percent: 0 });
    const fleet = await Promise.all(Array.from({ length: 30 }, enrolled));
    const reached = async () => {
      const versions = await Promise.all(fleet.map((text) => offered('0.1.0', text)));
      return new Set(fleet.filter((_, i) => versions[i] === '0.4.0'));
    };
    expect((await reached()).size).toBe(0);
    expect((await fetchFile(sha256)).status).toBe(404);
    const early = await hub.console('POST', '/device-groups', { body: { name: 'Early' } });
    const [first = ''] = fleet;
    await hub.console('PUT', `/device-groups/${early.body.group.group_id}/devices/${first}`);
    await giveToGroup(db, id, hub.tenantId, early.body.group.group_id);
    expect(await reached()).toEqual(new Set([first]));
    let before = await reached();
    for (const percent of [20, 50, 100]) {
      await setRing(db, id, percent, [hub.tenantId]);
      const now = await reached();
      for (const text of before) expect(now.has(text)).toBe(true);
      before = now;
    }
    expect(before.size).toBe(fleet.length);
    await withdrawn(id);
  });
});

describe('release file', () => {
  it('downloads completely, resumes, and is served by any hub process', async () => {
    const { id, sha256, bytes } = await add('0.5.0');
    const whole = await fetchFile(sha256);
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const second = await startTestHub(hub.config);
    for (const from of [1, 262_143, 262_144, 300_001, SIZE - 1]) {
      const part = await fetchFile(sha256, { range: `bytes=${from}-` });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${SIZE - 1}/${SIZE}`);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from))).toBe(true);
    }
    const there = await fetch(`${second.url}/ea/v1/updates/files/${sha256}`, {
      headers: {
        authorization: `Bearer ${hub.agentToken}`,
        'x-tenant-id': hub.tenantId,
        'x-subscriber-id': 'alice',
        'x-device-id': deviceId,
      },
    });
    expect(Buffer.from(await there.arrayBuffer()).equals(bytes)).toBe(true);
    await second.stop();
    // What cannot be is answered with all of it.
    for (const range of [`bytes=${SIZE}-`, 'bytes=5-9', 'bytes=-5', 'lines=1-']) {
      expect((await fetchFile(sha256, { range })).headers.get('content-length')).toBe(`${SIZE}`);
    }
    await withdrawn(id);
    expect((await fetchFile(sha256)).status).toBe(404);
  });
});

describe('operator', () => {
  it('rejects an addition of files that do not belong together', async () => {
    const { db } = hub.context.database;
    const tries: [RegExp, (item: ReturnType<typeof made>) => unknown][] = [
      [/is not the file/, (item) => writeFileSync(item.file, randomBytes(SIZE))],
      [/has 3 bytes/, (item) => writeFileSync(item.file, 'abc')],
      [/not one of Ed25519/, (item) => ({ signature: item.manifest })],
      [/is not JSON/, (item) => ({ manifest: item.signature })],
      [/percentage/, () => ({ percent: 101 })],
      [/cannot be read/, () => ({ file: '/nowhere' })],
    ];
    for (const [message, spoil] of tries) {
      const item = made('0.6.0');
      await expect(addRelease(db, { ...item, ...(spoil(item) as object) }, [])).rejects.toThrow(
        message,
      );
    }
    await expect(addRelease(db, made('0.6.0', { days: -1 }), [])).rejects.toThrow(/expired/);
    const pem = (key: typeof publicKey) => {
      writeFileSync(join(folder, 'key.pem'), key.export({ type: 'spki', format: 'pem' }));
      return join(folder, 'key.pem');
    };
    const stranger = generateKeyPairSync('ed25519').publicKey;
    const wrong = { ...made('0.6.0'), publicKey: pem(stranger) };
    await expect(addRelease(db, wrong, [])).rejects.toThrow(/not of this manifest and key/);
    expect((await listReleases(db)).some((release) => release.version === '0.6.0')).toBe(false);
    const refusal = (text: string) => {
      const file = join(folder, 'no.pem');
      writeFileSync(file, text);
      return addRelease(db, { ...made('0.6.0'), publicKey: file }, []).catch(String);
    };
    const own = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await refusal(own)).toContain('that is the private key');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    for (const text of ['none', String(rsa.export({ type: 'spki', format: 'pem' }))]) {
      expect(await refusal(text)).toContain('the public key is none of Ed25519 in PEM');
    }
    const right = { ...made('0.6.0'), publicKey: pem(publicKey) };
    const { release_id } = await addRelease(db, right, [hub.tenantId]);
    await expect(addRelease(db, made('0.6.0'), [])).rejects.toThrow(/there already/);
    const audit = await hub.context.database.pool.query(
      "SELECT operation FROM audit_events WHERE tenant_id = $1 AND resource->>'id' = $2",
      [hub.tenantId, release_id],
    );
    expect(audit.rows).toEqual([{ operation: 'agent_release.add' }]);
    await withdrawn(release_id);
    expect(publicKeyText(privateKey)).toMatch(/^MCowBQYDK2VwAyEA/);
    expect(compareVersions('0.10.0', '0.9.0')).toBeGreaterThan(0);
  });
});

describe('release page', () => {
  it('shows offers, running versions and failed updates of its own tenant', async () => {
    const { id } = await add('0.7.0', { percent: 25 });
    const group = (await hub.console('POST', '/device-groups', { body: { name: 'Early <b>' } }))
      .body.group.group_id;
    await giveToGroup(hub.context.database.db, id, hub.tenantId, group);
    const device = aDevice({ agent_version: '0.6.0', hostname: 'gave-up' });
    const sent = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
      body: {
        device,
        alerts: [
          anAlert({
            ...{ action: 'agent', code: 'update_rolled_back', process: null },
            message: 'Version 0.7.0 did not work here (silent); 0.6.0 goes on',
          }),
          anAlert(),
        ],
      },
    });
    expect(sent.status).toBe(202);
    const token = await hub.tokenFor('Viewer');
    const { body } = await hub.console('GET', '/agent-releases', { token });
    expect(
      body.releases.find((release: { release_id: string }) => release.release_id === id),
    ).toMatchObject({
      version: '0.7.0',
      ring_percent: 25,
      state: 'offered',
      groups: [{ name: 'Early <b>' }],
    });
    expect(body.versions).toContainEqual({
      ...{ version: '0.6.0', platform: 'linux', arch: 'x64', devices: 1, seen_today: 1 },
    });
    expect(body.rolled_back).toMatchObject([{ hostname: 'gave-up', device_id: device.device_id }]);
    await withdrawn(id);
    const other = await hub.newTenant('Third');
    const elsewhere = await hub.console('GET', '/agent-releases', {
      tenantId: other.tenantId,
      token: other.adminToken,
    });
    expect(elsewhere.body).toMatchObject({ versions: [], rolled_back: [] });
    const seen = elsewhere.body.releases.find(
      (release: { release_id: string }) => release.release_id === id,
    );
    expect(seen).toMatchObject({ state: 'withdrawn', groups: [] });
  });
});
