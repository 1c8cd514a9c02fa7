// The setup checklist: a step is done as soon as its object exists, in its own tenant alone.
import type { SetupAnswer } from '@gatewarden/shared/wire/console/setup.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { createUser } from '../../people/identity/index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

async function doneSteps(as: { tenantId?: string; token?: string } = {}): Promise<string[]> {
  const { status, body } = await hub.console('GET', '/setup', as);
  expect(status).toBe(200);
  const { steps } = body as SetupAnswer;
  expect(steps).toHaveLength(8);
  return steps.filter((step) => step.is_done).map(({ step }) => step);
}

it('marks each step as done when its object exists', async () => {
  expect(await doneSteps()).toEqual([]);
  const entity = anEntity('first');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [entity]),
  });
  expect(await doneSteps()).toEqual(['device']);
  await hub.console('POST', '/overrides', {
    body: {
      ...{ match: { entity_id: entity.entity_id }, approval_status: 'approved' },
      ...{ execution_policy: 'allow', scope: { kind: 'tenant' } },
    },
  });
  await hub.console('POST', '/alert-routes', {
    body: {
      ...{ kind: 'webhook', name: 'Hook', url: 'https://example.com/hook' },
      min_severity: 'critical',
    },
  });
  expect(await doneSteps()).toEqual(['device', 'policy', 'notification_channel']);
  await makeApp(await manage(hub), 'bot');
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine({ id: 'a' })]);
  await hub.console('POST', '/mcp/backends', {
    body: {
      ...{ slug: 'files', name: 'Files', url: 'https://example.com/mcp' },
      auth: { kind: 'none' },
    },
  });
  for (const name of ['ada', 'grace']) {
    expect(await doneSteps()).not.toContain('colleague');
    await createUser(hub.context.database.db, {
      ...{ tenantId: hub.tenantId, email: `${name}@example.com`, role: 'Admin', password: null },
    });
  }
  expect(await doneSteps()).toEqual([
    ...['device', 'policy', 'notification_channel', 'provider', 'app_key', 'request'],
    ...['mcp_server', 'colleague'],
  ]);
});

it('counts nothing of another tenant, and refuses reviewers', async () => {
  const { tenantId, adminToken: token } = await hub.newTenant('Apart');
  expect(await doneSteps({ tenantId, token })).toEqual([]);
  const reviewer = { token: await hub.tokenFor('Reviewer') };
  expect((await hub.console('GET', '/setup', reviewer)).status).toBe(403);
});

it('marks the step of the colleague as done when the user is invited', async () => {
  const { tenantId, adminToken: token } = await hub.newTenant('Inviting');
  const body = { email: 'ada@example.com', role: 'Viewer' };
  const invited = await hub.console('POST', '/invitations', { tenantId, token, body });
  expect(invited.status, JSON.stringify(invited.body)).toBe(201);
  expect(await doneSteps({ tenantId, token })).toEqual(['colleague']);
});
