// The emergency stop is set by an administrator and delivered to devices.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

describe('emergency stop', () => {
  it('reaches every device with its next poll, is reverted alike, and requires an Admin', async () => {
    const tenant = await hub.newTenant('Emergency');
    const headers = { 'x-device-id': randomUUID() };
    const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
    const ceiling = async () =>
      (await deviceCall({ ...hub, ...tenant }, 'GET', '/ea/v1/sync/delta', { headers })).body
        .enforcement_ceiling;
    expect(await ceiling()).toBe('enforce');
    for (const wanted of ['monitor', 'off', 'enforce'] as const) {
      const set = await hub.console('POST', '/emergency-stop', {
        ...as,
        body: { enforcement_ceiling: wanted },
      });
      expect([set.status, set.body.enforcement_ceiling]).toEqual([200, wanted]);
      expect(await ceiling()).toBe(wanted);
      const shown = await hub.console('GET', '/emergency-stop', as);
      expect(shown.body.enforcement_ceiling).toBe(wanted);
    }
    const reviewer = await hub.tokenFor('Reviewer', tenant.tenantId);
    const body = { enforcement_ceiling: 'off' };
    const refused = await hub.console('POST', '/emergency-stop', { ...as, token: reviewer, body });
    expect(refused.status).toBe(403);
    const wrong = { enforcement_ceiling: 'sometimes' };
    expect((await hub.console('POST', '/emergency-stop', { ...as, body: wrong })).status).toBe(400);
  });
});
