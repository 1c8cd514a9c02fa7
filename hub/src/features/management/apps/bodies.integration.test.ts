// Random bodies from the schema of an app's configuration are stored and read back as they are meant when valid,
// rejected with a 4xx when invalid, and never cause a 5xx or a partial write.

import { BUILT_IN_CATEGORIES } from '@gatewarden/shared/detection-categories.ts';
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Known,
  type Schema,
  spoiled,
  valuesOf,
} from '../../../../../test/support/arbitrary-bodies.ts';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, makeProvider, manage } from '../../../../../test/support/management.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { configWithoutSecrets, differences, mergedConfig } from '../configuration/index.ts';
import { importCatalog } from '../imports/index.ts';

const RUNS = Number(process.env.GATEWARDEN_BODIES ?? propertyRuns(150));
let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  await makeProvider(api, 'p');
  const { db } = hub.context.database;
  await importCatalog(
    { db, sealer: hub.context.sealer },
    hub.tenantId,
    JSON.stringify({
      smart_groups: [{ group_name: 'finance' }, { group_name: 'it' }],
      custom_definitions: [{ edm_id: 'd1', name: 'D' }],
    }),
  );
  await api.call('POST', '/apps', { body: { name: 'random', provider_labels: ['p'] } });
});
afterAll(() => hub.stop());

const category = BUILT_IN_CATEGORIES[0];
const subcategory = fc.constantFrom(...(category?.subcategories ?? []));
const target = (weight?: number) => ({
  provider_name: 'vendorA',
  ...(weight === undefined ? { model: 'm' } : { model_name: 'm', weight }),
  credential_source: 'p',
});
const groups = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 3 })
  .map((names) => names.map((group_name) => ({ group_name, models: [target(40), target(60)] })));
const emails = fc.uniqueArray(
  fc.nat(99).map((n) => `p${n}@example.com`),
  { maxLength: 3 },
);
const KNOWN: Known = {
  names: {
    category: [category?.id ?? ''],
    selector: [category?.id ?? '', ...(category?.subcategories ?? [])],
    provider: ['p'],
    definition: ['d1'],
    smart_group: ['finance', 'it'],
  },
  byName: {
    custom_definitions: fc.constantFrom([], [{ definition_id: 'd1', enabled: false }]),
    sub_category_actions: fc.dictionary(
      fc.constant(category?.id ?? ''),
      fc.dictionary(subcategory, fc.constant('redact'), { noNullPrototype: true }),
      { noNullPrototype: true },
    ),
    sub_category_sensitivities: fc.dictionary(
      fc.constant(category?.id ?? ''),
      fc.dictionary(subcategory, fc.constant('high'), { noNullPrototype: true }),
      { noNullPrototype: true },
    ),
    smart_group_policies: fc.constantFrom([], [{ group_name: 'it', enabled: true }]),
    routing_groups: groups,
    token_based_routing_groups: groups,
    custom_routing: fc.constantFrom(
      [],
      [{ type: 'Low_Context_Request', is_published: true, models: [target()] }],
    ),
    routing_thresholds: fc
      .tuple(fc.nat(1000), fc.nat(1000))
      .map(([a, b]) => ({ low_max_words: Math.min(a, b), medium_max_words: Math.max(a, b) })),
    allowed_source_ips: fc.constantFrom(null, [], ['10.0.0.0/8', '::1'], {
      enabled: true,
      ips: ['192.0.2.1'],
    }),
    jwt_auth: fc.constantFrom(null, { enabled: false }),
    emails,
    allow_emails: emails,
    deny_emails: emails,
    webhooks: fc.constantFrom([], [{ id: 'w', url: 'https://hooks.example.com/x' }]),
  },
};
const bodies = fc.record(
  {
    ...Object.fromEntries(
      Object.entries(CONFIG_SECTIONS).map(([name, schema]) => [
        name,
        valuesOf(schema as Schema, KNOWN, name),
      ]),
    ),
    enabled: fc.boolean(),
    tags: fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, unknown>>;

const read = async () => (await api.call('GET', '/apps/random')).body.app;
const sectionsOf = (app: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(CONFIG_SECTIONS).map((name) => [name, app[name]]));

test('stores and returns what the schema allows', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const before = await read();
      const answer = await api.call('PATCH', '/apps/random', { ifMatch: before.version, body });
      expect(answer.body.error).toBeUndefined();
      const after = await read();
      const stored = Object.fromEntries(
        Object.entries(sectionsOf(before)).filter(([, value]) => value !== undefined),
      );
      const meant = configWithoutSecrets(mergedConfig(stored, body));
      expect(differences(meant, sectionsOf(after))).toEqual([]);
      expect(after.enabled).toBe(body.enabled ?? before.enabled);
      expect(after.tags).toEqual(body.tags ?? before.tags);
      expect(answer.body.app).toEqual(after);
      const again = await api.call('PATCH', '/apps/random', { ifMatch: after.version, body });
      expect(again.headers.get('etag')).toBe(after.version);
    }),
    { numRuns: RUNS },
  );
});

test('answers 400 with a pointer to invalid bodies, and changes nothing', {
  timeout: 120_000,
}, async () => {
  const before = await read();
  await fc.assert(
    fc.asyncProperty(bodies.chain(spoiled), async (body) => {
      const answer = await api.call('PATCH', '/apps/random', { ifMatch: before.version, body });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^\//),
      });
    }),
    { numRuns: RUNS },
  );
  expect(await read()).toEqual(before);
});

test('answers anything below 500', { timeout: 120_000 }, async () => {
  const before = await read();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(CONFIG_SECTIONS), 'enabled', 'tags', 'provider_labels', ''),
      fc.jsonValue({ maxDepth: 4 }),
      async (section, value) => {
        const body = section === '' ? value : { [section]: value };
        const { version } = await read();
        const answer = await api.call('PATCH', '/apps/random', { ifMatch: version, body });
        expect(answer.status).toBeLessThan(500);
      },
    ),
    { numRuns: RUNS },
  );
  expect((await read()).app_id).toBe(before.app_id);
});
