// A tenant-wide override by name covers applications without a review: list, page, counts and suggestions agree.

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { groupProducts } from '../products/index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Status = 'approved' | 'blocked' | 'pending' | 'restricted';

async function report(entity: ReturnType<typeof anEntity>, device = aDevice()) {
  const body = aBatch(device, [entity]);
  const { status } = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(status).toBe(202);
}

async function aTool(over: object = {}) {
  const name = `Tool ${randomUUID()}`;
  const entity = anEntity(name, { kind: 'ai_tool', source: 'ai_cli', ...over });
  await report(entity);
  return { name, id: entity.entity_id };
}

async function decide(match: object, status: Status, policy: string, over: object = {}) {
  const answer = await hub.console('POST', '/overrides', {
    body: {
      match,
      approval_status: status,
      execution_policy: policy,
      scope: { kind: 'tenant' },
      ...over,
    },
  });
  expect(answer.status).toBe(201);
  return answer.body.override.override_id as string;
}

async function shown(id: string) {
  const { application } = (await hub.console('GET', `/discovered-apps/${id}`)).body;
  const { approval_status, execution_policy, named_decision_id } = application;
  return [approval_status, execution_policy, named_decision_id];
}

const withdraw = (id: string) =>
  hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': '"1"' } });

const waiting = async () => {
  const { items } = (
    await hub.console('GET', '/discovered-apps?kind=ai_tool&approval_status=pending&limit=200')
  ).body;
  return items.map((item: { entity_id: string }) => item.entity_id);
};

const pendingTools = async () => {
  await groupProducts(hub.context.database.db);
  const { review } = (await hub.console('GET', '/overview')).body;
  const tools = review.pending.find(({ category }: { category: string }) => category === 'ai_tool');
  return tools?.count ?? 0;
};

describe('override by name', () => {
  it('covers the application in every list and count until it is withdrawn', async () => {
    const { name, id } = await aTool();
    const before = await pendingTools();
    expect(await waiting()).toContain(id);
    const decision = await decide({ name: name.toUpperCase() }, 'blocked', 'block');
    expect(await shown(id)).toEqual(['blocked', 'block', decision]);
    expect(await waiting()).not.toContain(id);
    expect(await pendingTools()).toBe(before - 1);
    const { items } = (
      await hub.console('GET', '/discovered-apps?kind=ai_tool&approval_status=blocked')
    ).body;
    expect(items).toContainEqual(
      expect.objectContaining({ entity_id: id, named_decision_id: decision }),
    );
    const file = await hub.console('GET', '/discovered-apps/download?format=csv&kind=ai_tool');
    expect(file.body).toContain(`"${id}","","${decision}"\r\n`);
    await withdraw(decision);
    expect(await shown(id)).toEqual(['pending', null, null]);
    expect(await pendingTools()).toBe(before);
  });

  it('covers products of any kind that appear later, and suggestions show it', async () => {
    const { name, id } = await aTool();
    const decision = await decide({ name }, 'approved', 'allow');
    const later = anEntity(name, {
      kind: 'application',
      source: 'desktop_entry',
      entity_id: randomBytes(32).toString('hex'),
    });
    await report(later);
    expect(await shown(later.entity_id)).toEqual(['approved', 'allow', decision]);
    const { items } = (await hub.console('GET', `/discovered-apps/${id}/similar`)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ entity_id: later.entity_id, approval_status: 'approved' }),
    );
  });

  it('yields to an override by id, and of two the more specific is shown', async () => {
    const { name, id } = await aTool();
    await decide({ name }, 'blocked', 'block');
    const exact = await decide({ name, kind: 'ai_tool' }, 'restricted', 'warn');
    expect(await shown(id)).toEqual(['restricted', 'warn', exact]);
    const byId = await decide({ entity_id: id }, 'approved', 'allow');
    expect(await shown(id)).toEqual(['approved', 'allow', null]);
    await withdraw(byId);
    expect(await shown(id)).toEqual(['restricted', 'warn', exact]);
  });

  it.each<[string, object, object]>([
    ['of another kind', { kind: 'mcp_server' }, {}],
    ['of another publisher', { publisher: 'Somebody Else' }, {}],
    ['of old versions', { version_below: '1.0' }, {}],
    ['for a single person', {}, { scope: { kind: 'subscriber', subscriber_id: 'a@example.com' } }],
    ['that reaches nobody', {}, { rollout_percent: 0 }],
    ['that has not begun', {}, { effective_at: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('does not cover the product %s', async (_, match, over) => {
    const { name, id } = await aTool({ publisher: 'Maker' });
    await decide({ name, ...match }, 'blocked', 'block', over);
    expect(await shown(id)).toEqual(['pending', null, null]);
  });

  it('blocks a server without a review, but leaves an approved server to the review', async () => {
    const over = { kind: 'mcp_server', source: 'mcp_config' };
    const [good, bad] = [await aTool(over), await aTool(over)];
    await decide({ name: good.name }, 'approved', 'allow');
    const block = await decide({ name: bad.name }, 'blocked', 'block');
    expect(await shown(good.id)).toEqual(['pending', null, null]);
    expect(await shown(bad.id)).toEqual(['blocked', 'block', block]);
  });

  it.each([
    ['how it is launched', { launch_hash: 'a'.repeat(64) }],
    ['what it may do', { instances: [{ owner: 'alice', path: '/a', permissions: ['ask'] }] }],
  ])('leaves a product that reports %s to the review', async (_what, over) => {
    const { name, id } = await aTool(over);
    const decision = await decide({ name }, 'approved', 'allow');
    expect(await shown(id)).toEqual(['pending', null, null]);
    await withdraw(decision);
    const block = await decide({ name }, 'blocked', 'block');
    expect(await shown(id)).toEqual(['blocked', 'block', block]);
  });

  it('covers a product that reports no launch or permission, also as null', async () => {
    const { name, id } = await aTool({
      launch_hash: null,
      instances: [{ owner: 'alice', path: '/a', permissions: null, launch_hash: null }],
    });
    const decision = await decide({ name }, 'approved', 'allow');
    expect(await shown(id)).toEqual(['approved', 'allow', decision]);
  });

  it('leaves a product to the review once a device reports a launch', async () => {
    const { name, id } = await aTool();
    const decision = await decide({ name }, 'approved', 'allow');
    for (let i = 0; i < 3; i++) await report(anEntity(name, { kind: 'ai_tool', entity_id: id }));
    expect(await shown(id)).toEqual(['approved', 'allow', decision]);
    const device = aDevice();
    const plain = anEntity(name, { kind: 'ai_tool', entity_id: id });
    await report(plain, device);
    // All other fields are unchanged.
    await report({ ...plain, launch_hash: 'a'.repeat(64) }, device);
    expect(await shown(id)).toEqual(['pending', null, null]);
  });

  it('leaves products to the review when the override matches a kind only, like a default', async () => {
    const { id } = await aTool();
    const decision = await decide({ kind: 'ai_tool' }, 'blocked', 'block');
    expect((await shown(id))[0]).toBe('pending');
    await withdraw(decision);
  });
});
