// The commands about devices, policies, alerts and access requests do what the console does, as the operator.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../test/support/builders.ts';
import { deviceCall, eventsOf, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { groupProducts } from '../features/devices/products/index.ts';
import { ERRORS } from '../platform/http/errors/error-list.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runAlertAcknowledge, runAlertList } from './alert-actions.ts';
import { runDeviceList, runDeviceRetire, runDeviceShow } from './device-actions.ts';
import { displayPolicies } from './policy.ts';
import {
  type ListedPolicies,
  runPolicyList,
  runPolicyRemove,
  runPolicySet,
} from './policy-actions.ts';
import { runRequestApprove, runRequestDeny, runRequestList } from './request-actions.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const run = () => ({
  config: hub.config,
  log: createLog('silent'),
  stdin: Readable.from([]),
});
const editor = anEntity('editor', { kind: 'application', source: 'desktop_entry' });

/** A new tenant with a device, on which the editor is installed. */
async function newFleet(hostname: string) {
  const tenant = await hub.newTenant(`Fleet of ${hostname}`);
  const device = aDevice({ hostname });
  const at = { ...hub, ...tenant };
  const enrolled = await deviceCall(at, 'POST', '/ea/v1/enroll', {
    body: { device, subscriber_id: 'alice' },
  });
  const headers = { authorization: `Bearer ${enrolled.body.device_token}` };
  const post = async (path: string, content: object) => {
    const body = { device, ...content };
    const answer = await deviceCall(at, 'POST', `/ea/v1/sync/${path}`, { body, headers });
    expect(answer.status).toBe(202);
  };
  await post('discovered-apps', aBatch(device, [editor]));
  await groupProducts(hub.context.database.db);
  return { ...tenant, tenant: tenant.tenantId, device, post };
}

const operator = { kind: 'operator', id: 'command-line', email: null };

describe('device', () => {
  it('lists, shows and retires a device by its host name', async () => {
    const { tenant, device } = await newFleet('laptop-ada');
    const id = device.device_id;
    expect(await runDeviceList(run(), { tenant })).toMatchObject({
      devices: [{ device_id: id, hostname: 'laptop-ada', entity_count: 1 }],
      truncated: false,
    });
    const selection = { tenant, device: 'LAPTOP-ADA' };
    expect(await runDeviceShow(run(), selection)).toMatchObject({ device: { device_id: id } });
    expect(await runDeviceRetire(run(), { ...selection, dryRun: true })).toMatchObject({
      would_retire: { device_id: id },
    });
    await expect(runDeviceRetire(run(), selection)).rejects.toThrow(/Add --yes/);
    expect(await runDeviceRetire(run(), { ...selection, yes: true })).toEqual({
      device_id: id,
      retired: true,
    });
    expect(await runDeviceList(run(), { tenant })).toMatchObject({ devices: [] });
    expect(await eventsOf(hub, id)).toContainEqual(
      expect.objectContaining({ operation: 'device.retire', actor: operator }),
    );
  });

  it('refuses a host name that several devices have', async () => {
    const { tenant, tenantId, agentToken } = await newFleet('twin');
    const device = aDevice({ hostname: 'twin' });
    const body = aBatch(device, [editor]);
    await deviceCall({ ...hub, tenantId, agentToken }, 'POST', '/ea/v1/sync/discovered-apps', {
      body,
    });
    await expect(runDeviceShow(run(), { tenant, device: 'twin' })).rejects.toThrow(
      /several devices are called twin: use an id/,
    );
  });

  it('pages a list by its limit', async () => {
    const { tenant } = await newFleet('paged');
    expect(await runDeviceList(run(), { tenant, limit: '1' })).toMatchObject({ truncated: false });
    await expect(runDeviceList(run(), { tenant, limit: '0' })).rejects.toThrow(/--limit/);
  });
});

describe('policy', () => {
  it('previews, sets, changes, lists and removes a policy for a product', async () => {
    const { tenant, device } = await newFleet('policy-host');
    const wanted = { tenant, name: 'Editor', action: 'block' as const };
    expect(await runPolicySet(run(), { ...wanted, dryRun: true })).toMatchObject({
      dry_run: true,
      preview: { devices: { count: 1, items: [{ hostname: 'policy-host' }] } },
    });
    expect(await runPolicyList(run(), { tenant })).toMatchObject({ policies: [] });
    const set = await runPolicySet(run(), { ...wanted, reason: 'Not licensed' });
    expect(set).toMatchObject({
      created: true,
      policy: { execution_policy: 'block', approval_status: 'blocked', reason: 'Not licensed' },
    });
    const policyId = (set as { policy: { policy_id: string } }).policy.policy_id;
    const changed = await runPolicySet(run(), { ...wanted, action: 'warn', expiresIn: '7d' });
    expect(changed).toMatchObject({
      created: false,
      policy: { policy_id: policyId, execution_policy: 'warn', reason: 'Not licensed' },
    });
    const scoped = await runPolicySet(run(), { ...wanted, device: 'policy-host' });
    expect(scoped).toMatchObject({
      created: true,
      policy: { scope: { kind: 'device', device_id: device.device_id } },
    });
    const { policies } = (await runPolicyList(run(), { tenant, name: 'editor' })) as {
      policies: object[];
    };
    expect(policies).toHaveLength(2);
    const removal = { tenant, policyId };
    expect(await runPolicyRemove(run(), { ...removal, dryRun: true })).toMatchObject({
      would_remove: { policy_id: policyId },
    });
    expect(await runPolicyRemove(run(), { ...removal, yes: true })).toEqual({
      policy_id: policyId,
      removed: true,
    });
    const operations = (await eventsOf(hub, policyId)).map(({ operation }) => operation);
    expect(operations).toEqual([
      'product_policy.create',
      'product_policy.update',
      'product_policy.delete',
    ]);
  });

  it('lists and removes a policy for a process beside those for products', async () => {
    const fleet = await newFleet('process-host');
    const { tenant, tenantId, adminToken } = fleet;
    const { body } = await hub.console('POST', '/overrides', {
      ...{ tenantId, token: adminToken },
      body: {
        match: { name: 'gw-demo' },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
      },
    });
    const policyId = body.override.override_id;
    await runPolicySet(run(), { tenant, name: 'Editor', action: 'block' });
    const listed = (await runPolicyList(run(), { tenant })) as ListedPolicies;
    expect(listed).toMatchObject({
      policies: [{ product_name: 'editor' }],
      app_policies: [{ override_id: policyId, match: { name: 'gw-demo' } }],
    });
    expect(listed.app_policies).toHaveLength(1);
    expect((await displayPolicies(listed)).split('\n')).toEqual([
      expect.stringMatching(/^POLICY +FOR +ACTION/),
      expect.stringMatching(/ editor +block /),
      expect.stringContaining(`${policyId}  gw-demo`),
    ]);
    expect(await runPolicyRemove(run(), { tenant, policyId, yes: true })).toEqual({
      policy_id: policyId,
      removed: true,
    });
    expect(await runPolicyList(run(), { tenant })).toMatchObject({ app_policies: [] });
    await expect(
      runPolicyRemove(run(), { tenant, policyId: randomUUID(), yes: true }),
    ).rejects.toThrow(ERRORS.not_found.message);
  });

  it('refuses an unknown product, with similar names, and an unknown group', async () => {
    const { tenant } = await newFleet('unknown');
    const action = 'block' as const;
    await expect(runPolicySet(run(), { tenant, action, name: 'edit' })).rejects.toThrow(
      'there is no product "edit" in this tenant; did you mean "editor"?',
    );
    await expect(
      runPolicySet(run(), { tenant, action, name: 'editor', group: 'None' }),
    ).rejects.toThrow('there is no device group "None"');
  });
});

describe('alert', () => {
  it('lists and acknowledges an alert', async () => {
    const { tenant, post } = await newFleet('alerting');
    const alert = anAlert();
    await post('alerts', { alerts: [alert] });
    const alertId = alert.alert_id;
    const open = { tenant, state: 'open' };
    expect(await runAlertList(run(), open)).toMatchObject({ alerts: [{ alert_id: alertId }] });
    expect(await runAlertAcknowledge(run(), { tenant, alertId })).toMatchObject({
      alert_id: alertId,
      state: 'acknowledged',
      acknowledged_by: 'operator',
    });
    expect(await runAlertList(run(), open)).toMatchObject({ alerts: [] });
  });

  it('reports an unknown alert as not found, and a malformed id as a usage error', async () => {
    const { tenant } = await newFleet('no-alerts');
    const acknowledge = (alertId: string) => runAlertAcknowledge(run(), { tenant, alertId });
    await expect(acknowledge(randomUUID())).rejects.toMatchObject({
      code: 'not_found',
      exitCode: 1,
    });
    await expect(acknowledge('x')).rejects.toMatchObject({ code: 'invalid_request', exitCode: 2 });
  });
});

describe('request', () => {
  const asked = async (hostname: string) => {
    const fleet = await newFleet(hostname);
    await runPolicySet(run(), { tenant: fleet.tenant, name: 'editor', action: 'block' });
    const access_request_id = randomUUID();
    await fleet.post('access-requests', {
      requests: [
        {
          access_request_id,
          entity_id: editor.entity_id,
          process_name: null,
          reason: 'For the report',
          asked_at: new Date().toISOString(),
        },
      ],
    });
    return { ...fleet, requestId: access_request_id };
  };

  it('approves an open request for a limited time', async () => {
    const { tenant, requestId } = await asked('approved');
    expect(await runRequestList(run(), { tenant, state: 'open' })).toMatchObject({
      requests: [{ access_request_id: requestId, reason: 'For the report' }],
    });
    const answer = await runRequestApprove(run(), { tenant, requestId, expiresIn: '7d' });
    expect(answer).toMatchObject({ access_request_id: requestId, state: 'granted' });
    await expect(runRequestApprove(run(), { tenant, requestId, expiresIn: '7d' })).rejects.toThrow(
      /there is no open access request/,
    );
  });

  it('denies an open request with a reason', async () => {
    const { tenant, requestId } = await asked('denied');
    const answer = await runRequestDeny(run(), { tenant, requestId, reason: 'Use the other app' });
    expect(answer).toMatchObject({ access_request_id: requestId, state: 'declined' });
    expect(await eventsOf(hub, requestId)).toContainEqual(
      expect.objectContaining({ operation: 'access_request.decline', actor: operator }),
    );
  });
});
