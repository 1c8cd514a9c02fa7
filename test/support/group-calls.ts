// Calls that tests of device groups repeat. Each call reads the current hub.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { aBatch, aDevice, anEntity } from './builders.ts';
import { type Answer, type CallOptions, deviceCall, type TestHub } from './hub.ts';

export type Tenant = Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;
type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** `hub` is asked for at each call: it starts after the test file is read. */
export function groupCalls(hub: () => TestHub) {
  /** Returns the calls of a tenant's administrator. */
  const caller =
    (as: Tenant): Call =>
    (method, path, options = {}) =>
      hub().console(method, path, { tenantId: as.tenantId, token: as.adminToken, ...options });
  const call: Call = (...args) => caller(hub())(...args);
  return {
    caller,
    call,
    /** A device that is known; gives its id. */
    async enrolled(as: Partial<Tenant> = {}): Promise<string> {
      const device = aDevice();
      await deviceCall({ ...hub(), ...as }, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(device, [anEntity('curl')]),
      });
      return device.device_id;
    },
    async aGroup(as: Tenant = hub(), body: object = { name: `group ${randomUUID()}` }) {
      const answer = await caller(as)('POST', '/device-groups', { body });
      expect(answer.status).toBe(201);
      return answer.body.group;
    },
    put: (groupId: string, deviceId: string) =>
      call('PUT', `/device-groups/${groupId}/devices/${deviceId}`),
    remove: (groupId: string, deviceId: string) =>
      call('DELETE', `/device-groups/${groupId}/devices/${deviceId}`),
  };
}
