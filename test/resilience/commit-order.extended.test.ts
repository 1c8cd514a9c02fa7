// Feeds deliver every change in commit order while many clients write through three hubs and each poll reaches another
// hub. GATEWARDEN_DECISIONS=50000 is the long run.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { follower } from '../support/follower.ts';
import { groupCalls } from '../support/group-calls.ts';
import { call, cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { type Management, makeApp, manage } from '../support/management.ts';
import { freePort } from '../support/programs.ts';
import { retryUnavailable } from '../support/waiting.ts';

const DECISIONS = Number(process.env.GATEWARDEN_DECISIONS ?? 200);
const PEOPLE = 8;
const DEVICES = 20;
const NODES = 4;
const LIMIT_MS = 300_000 + DECISIONS * 100;
const { isCitus } = inject('postgres');

let hubs: TestHub[];
beforeAll(async () => {
  const port = await freePort();
  const config = {
    ...hubConfig(await cloneDatabase()),
    // All processes are one installation: credentials of either are valid at each.
    ...{ baseUrl: `http://127.0.0.1:${port}`, deviceRate: 100_000, tokenRate: 1_000_000 },
  };
  hubs = [await startTestHub({ ...config, port })];
  for (let i = 0; i < 2; i++) hubs.push(await startTestHub(config));
});
afterAll(async () => {
  for (const hub of [...(hubs ?? [])].reverse()) await hub.stop();
});

const first = () => hubs[0] as TestHub;
const anyUrl = () => `http://127.0.0.1:${pickRandom(hubs).hub.port}`;

/** Returns the first hub's tenant with a URL that is another hub's at each use. */
const anywhere = <T extends object>(what: T): T & { readonly url: string } =>
  Object.defineProperty({ ...what }, 'url', { get: anyUrl }) as T & { readonly url: string };

function pickRandom<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

/** Delays a quarter of the commits that changed these tables by up to 30 ms, while their locks are kept. */
async function delayCommits(tables: readonly string[]): Promise<void> {
  // A cluster has no triggers; its commits take their own time.
  if (isCitus) return;
  const { pool } = first().context.database;
  await pool.query(`
    CREATE FUNCTION takes_its_time() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF random() < 0.25 THEN PERFORM pg_sleep(0.03 * random()); END IF; RETURN NULL; END $$`);
  for (const table of tables) {
    await pool.query(`
      CREATE CONSTRAINT TRIGGER takes_its_time AFTER INSERT OR UPDATE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION takes_its_time()`);
  }
}

/** Follows until the writers are done and all revisions were received; received revisions must never decrease. */
async function follow(pull: () => Promise<number[]>, isOver: () => boolean): Promise<void> {
  let last = 0;
  for (let over = false; ; ) {
    over = isOver();
    const revisions = await pull();
    for (const n of revisions) {
      expect(n).toBeGreaterThanOrEqual(last);
      last = n;
    }
    if (over) return;
    await sleep(20 * Math.random());
  }
}

it(`delivers every override to devices in order (${DECISIONS} by ${PEOPLE} people)`, {
  timeout: LIMIT_MS,
}, async () => {
  const hub = first();
  const { enrolled, aGroup, put } = groupCalls(() => anywhere(hub));
  const groups: string[] = [];
  for (let i = 0; i < 3; i++) groups.push((await aGroup()).group_id);
  const devices = await Promise.all(Array.from({ length: DEVICES }, () => enrolled()));
  for (const [i, device] of devices.entries())
    await put(groups[i % 4] ?? pickRandom(groups), device);
  await delayCommits(['overrides']);

  const scope = () =>
    pickRandom([
      { kind: 'tenant' },
      { kind: 'group', group_id: pickRandom(groups) },
      { kind: 'device', device_id: pickRandom(devices) },
    ]);
  let token = hub.adminToken;
  // A token lasts an hour, which the long run exceeds.
  const renewing = setInterval(() => {
    void hub.tokenFor('Admin').then((fresh) => {
      token = fresh;
    });
  }, 1_200_000).unref();
  onTestFinished(() => clearInterval(renewing));
  const asked = (method: string, path: string, body?: object, version?: string) =>
    retryUnavailable(() =>
      call(
        `${anyUrl()}/console/api/v1/tenants/${hub.tenantId}/overrides${path}`,
        method,
        {
          authorization: `Bearer ${token}`,
          ...(version === undefined ? {} : { 'if-match': version }),
        },
        body,
      ),
    );
  let left = DECISIONS;
  const decide = async () => {
    const own: { override_id: string; version: string }[] = [];
    while (left-- > 0) {
      const n = Math.floor(Math.random() * own.length);
      const override = own[n];
      const act = override === undefined ? 1 : Math.random();
      if (override === undefined || act > 0.3) {
        const created = await asked('POST', '', {
          match: { name: `app ${randomUUID()}` },
          ...{ approval_status: 'approved', execution_policy: 'allow', scope: scope() },
        });
        expect(created.status).toBe(201);
        own.push(created.body.override);
      } else if (act > 0.1) {
        const changed = await asked(
          'PATCH',
          `/${override.override_id}`,
          { scope: scope() },
          override.version,
        );
        expect(changed.status).toBe(200);
        own[n] = changed.body.override;
      } else {
        const { status } = await asked(
          'DELETE',
          `/${override.override_id}`,
          undefined,
          override.version,
        );
        expect([200, 204]).toContain(status);
        own.splice(n, 1);
      }
    }
  };
  let written = false;
  const followers = devices.map((id) =>
    follower(anywhere(hub), id, { limit: 1 + (id.charCodeAt(0) % 50) }),
  );
  const followed = Promise.all(
    followers.map((follower) =>
      follow(
        async () => (await follower.pull()).map(({ revision }) => revision),
        () => written,
      ),
    ),
  );
  const deciding = Promise.all(Array.from({ length: PEOPLE }, decide)).then(() => {
    written = true;
  });
  await Promise.all([deciding, followed]);

  const truth = async (device: string) => {
    const { rows } = await hub.context.database.pool.query<{ override_id: string }>(
      `SELECT override_id FROM overrides o WHERE tenant_id = $1 AND NOT deleted AND
        (scope_kind = 'tenant' OR (scope_kind = 'device' AND scope_id = $2)
         OR (scope_kind = 'group' AND scope_id IN (SELECT group_id::text FROM device_group_members m
           WHERE m.tenant_id = $1 AND m.device_id = $2::uuid)))`,
      [hub.tenantId, device],
    );
    return rows.map((row) => row.override_id).sort();
  };
  for (const [i, device] of devices.entries()) {
    const expected = await truth(device);
    expect(expected.length).toBeGreaterThan(0);
    // Another process may hear of the last ones a moment later.
    const readFollower = async () => {
      await followers[i]?.pull();
      return followers[i]?.ids();
    };
    await expect.poll(readFollower).toEqual(expected);
  }
});

it('delivers every configuration change to gateway nodes in order', {
  timeout: LIMIT_MS,
}, async () => {
  const hub = first();
  const { db, pool } = hub.context.database;
  const secondTenant = await hub.newTenant('Other');
  const tenants = [hub, { ...hub, ...secondTenant }];
  await delayCommitsOfConfiguration();
  let left = Math.ceil(DECISIONS / 2);
  const write = async (by: Management, name: string) => {
    const created = await makeApp(by, name);
    expect(created.status).toBe(201);
    let { version } = created.body.app;
    const ids = new Set<string>();
    while (left-- > 0) {
      const [old] = ids;
      const gone = old !== undefined && Math.random() < 0.3 ? old : null;
      const id = gone ?? `p${Math.floor(Math.random() * 50)}`;
      const answer = await by.call(
        gone === null ? 'PUT' : 'DELETE',
        `/apps/${name}/prompts/${id}`,
        {
          ifMatch: version,
          ...(gone === null ? { body: { content: randomUUID() } } : {}),
        },
      );
      expect(answer.status).toBeLessThan(300);
      version = answer.body.app_version;
      if (gone === null) ids.add(id);
      else ids.delete(id);
    }
  };
  let written = false;
  const nodes = await Promise.all(
    Array.from({ length: NODES }, async (_, i) => {
      const tenantId = [hub.tenantId, secondTenant.tenantId, null][i % 3] ?? null;
      const { token } = await createNodeToken(db, { name: `node ${i}`, tenantId });
      const items = new Map<string, number>();
      let cursor = '';
      const pull = async () => {
        const numbers: number[] = [];
        for (;;) {
          const query = `?limit=${1 + i * 3}${cursor === '' ? '' : `&cursor=${cursor}`}`;
          const { status, body } = await call(`${anyUrl()}/node/v1/config${query}`, 'GET', {
            authorization: `Bearer ${token}`,
          });
          expect(status).toBe(200);
          for (const { tenant_id, kind, id, revision, deleted } of body.items) {
            numbers.push(revision);
            const key = `${tenant_id} ${kind} ${id}`;
            if (deleted) items.delete(key);
            else items.set(key, revision);
          }
          cursor = body.next_cursor;
          if (!body.has_more) return numbers;
        }
      };
      return { tenantId, items, done: () => follow(pull, () => written) };
    }),
  );
  const writing = Promise.all(
    tenants.flatMap((tenant, t) =>
      [0, 1].map(async (n) => {
        const by = await manage(anywhere(tenant));
        await write(by, `app ${t} ${n}`);
      }),
    ),
  ).then(() => {
    written = true;
  });
  await Promise.all([writing, ...nodes.map((node) => node.done())]);

  for (const { tenantId, items } of nodes) {
    const { rows } = await pool.query<{ key: string; revision: number }>(
      `SELECT tenant_id || ' ' || kind || ' ' || id AS key, revision FROM configuration_items
       WHERE NOT deleted AND ($1::uuid IS NULL OR tenant_id = $1)`,
      [tenantId],
    );
    expect(rows.length).toBeGreaterThan(0);
    const wanted = new Map(rows.map(({ key, revision }) => [key, Number(revision)]));
    expect([...items].sort()).toEqual([...wanted].sort());
  }

  async function delayCommitsOfConfiguration(): Promise<void> {
    await pool.query('DROP FUNCTION IF EXISTS takes_its_time CASCADE');
    await delayCommits(['configuration_items']);
  }
});
