// A trial runs the detectors of the gateway with unsaved settings, for custom definitions as well, and stores nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { importCatalog } from '../imports/index.ts';

let hub: TestHub;
let viewer: string;
beforeAll(async () => {
  hub = await sharedTestHub();
  viewer = await hub.tokenFor('Viewer');
});
afterAll(() => hub.stop());

const TEXT = 'Write to ann@example.com about PRJ-1234.';
const run = (body: object) =>
  hub.console('POST', '/llm/guardrail-tests', {
    token: viewer,
    body: { text: TEXT, direction: 'request', detection: {}, ...body },
  });

test('detects nothing without settings', async () => {
  expect((await run({})).body).toMatchObject({ outcome: 'pass', text: TEXT, spans: [] });
});

test('redacts with the settings of the trial, in the direction of its scope', async () => {
  const detection = {
    enabled_categories: { pii: true },
    category_actions: { pii: 'redact' },
    category_scopes: { pii: 'request' },
  };
  const { body } = await run({ detection });
  expect(body).toMatchObject({
    outcome: 'redact',
    text: 'Write to [REDACTED_EMAIL_ADDRESS] about PRJ-1234.',
    spans: [{ start: 9, end: 24, category: 'pii', subcategory: 'email_address' }],
  });
  expect((await run({ detection, direction: 'response' })).body.outcome).toBe('pass');
});

test('returns no text of a blocked request', async () => {
  const detection = { enabled_categories: { pii: true }, category_actions: { pii: 'block' } };
  expect((await run({ detection })).body).toMatchObject({ outcome: 'block', text: null });
});

test('lists imported categories, and rejects settings that the schema does not know', async () => {
  const { db } = hub.context.database;
  await importCatalog(
    { db, sealer: hub.context.sealer },
    hub.tenantId,
    JSON.stringify({
      categories: [
        { id: 'own', name: 'Own', subcategories: [], actions: ['block'], scopes: ['both'] },
      ],
    }),
  );
  const { body } = await hub.console('GET', '/llm/guardrail-categories', { token: viewer });
  expect(body.items).toContainEqual(expect.objectContaining({ id: 'own', actions: ['block'] }));
  expect(body.items).toContainEqual(expect.objectContaining({ id: 'pii', has_detector: true }));
  expect(body.items).toContainEqual(
    expect.objectContaining({ id: 'toxicity', has_detector: false }),
  );
  expect((await run({ detection: { unknown: true } })).status).toBe(400);
  expect((await run({ text: 'x'.repeat(20_001) })).status).toBe(400);
});
