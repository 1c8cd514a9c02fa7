// Administrators create and revoke enrollment tokens in the console.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const make = async (name: string) => {
  const answer = await hub.console('POST', '/agent-tokens', {
    body: { name, expires_in_days: 30 },
  });
  expect(answer.status).toBe(201);
  return answer.body as { secret: string; token: { token_id: string; status: string } };
};
const enrol = (token: string, device = aDevice()) =>
  deviceCall({ ...hub, agentToken: token }, 'POST', '/ea/v1/enroll', {
    body: { device, subscriber_id: 'alice' },
  });

describe('enrollment token', () => {
  it('enrolls a device, allows nothing else, and is shown once', async () => {
    const { secret, token } = await make('Berlin laptops');
    expect(token).toMatchObject({ name: 'Berlin laptops', enrol_only: true, status: 'active' });
    const device = aDevice();
    expect((await enrol(secret, device)).status).toBe(201);
    const sync = await deviceCall(
      { ...hub, agentToken: secret },
      'POST',
      '/ea/v1/sync/discovered-apps',
      {
        body: aBatch(device, [anEntity('x')]),
      },
    );
    expect([sync.status, sync.body.error.code]).toEqual([403, 'enrol_only_token']);
    const listed = await hub.console('GET', '/agent-tokens');
    expect(listed.body.items[0]).toMatchObject(token);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    // The device's own token is not among them.
    expect(listed.body.items).toHaveLength(2);
  });

  it('enrolls no device from the next request after its revocation, with an audit event', async () => {
    const { secret, token } = await make('Lost');
    expect((await enrol(secret)).status).toBe(201);
    const ended = await hub.console('DELETE', `/agent-tokens/${token.token_id}`);
    expect(ended.body.token.status).toBe('revoked');
    await expect.poll(async () => (await enrol(secret)).status).toBe(401);
    const { rows } = await hub.context.database.pool.query(
      `SELECT operation, actor->>'kind' AS kind FROM audit_events WHERE resource->>'id' = $1 ORDER BY at`,
      [token.token_id],
    );
    expect(rows).toEqual([
      { operation: 'agent_token.create', kind: 'admin_token' },
      { operation: 'agent_token.revoke', kind: 'admin_token' },
    ]);
  });
});
