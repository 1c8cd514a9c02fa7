// A skill that a person approved for a tenant's devices, and what they launch under its name from then on.
import { randomUUID } from 'node:crypto';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { expect } from 'vitest';
import { aBatch, aDevice, anEntity } from './builders.ts';
import { deviceCall, type TestHub } from './hub.ts';

/** Lets a device report the skill and approves it; `over` changes the approval, whose default scope is the tenant for good. */
export async function anApprovedSkill(hub: TestHub, over: object) {
  const name = `skill-${randomUUID()}`;
  const { entity_id: entityId } = anEntity(name);
  const report = async (
    over: Parameters<typeof anEntity>[1],
    device: WireDevice,
    subscriber: string,
  ) => {
    const body = aBatch(device, [anEntity(name, { kind: 'ai_tool', source: 'skill', ...over })]);
    const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body,
      headers: { 'x-subscriber-id': subscriber },
    });
    expect(answer.status).toBe(202);
    return device.device_id;
  };
  const launched = (hash: string, device = aDevice(), subscriber = 'alice') =>
    report({ launch_hash: hash.repeat(64) }, device, subscriber);
  const decide = async (decision: object): Promise<string> => {
    const { status, body } = await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: entityId },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
        ...decision,
      },
    });
    expect(status).toBe(201);
    return body.override.override_id;
  };
  await launched('a');
  const overrideId = await decide(over);
  return {
    entityId,
    overrideId,
    launched,
    tell: report,
    decide,
    async patch(change: object) {
      const path = `/overrides/${overrideId}`;
      const { body: before } = await hub.console('GET', path);
      const headers = { 'if-match': before.override.version };
      const answer = await hub.console('PATCH', path, { headers, body: change });
      expect(answer.status).toBe(200);
    },
    async review() {
      const answer = await hub.console('POST', `/discovered-apps/${entityId}/review`, { body: {} });
      expect(answer.status).toBe(200);
    },
    async timesAre(begins: string | null, ends: string | null) {
      await hub.context.database.pool.query(
        'UPDATE overrides SET effective_at = $1, expires_at = $2 WHERE override_id = $3',
        [begins, ends, overrideId],
      );
    },
    /** Moves the approval into the past; the reconciliation of approvals ignores launches around an old approval. */
    async wasDecided(hours: number) {
      await hub.context.database.pool.query(
        `UPDATE overrides SET updated_at = now() - make_interval(hours => $1)
         WHERE override_id = $2`,
        [hours, overrideId],
      );
    },
    async drifts(): Promise<string[]> {
      const { body } = await hub.console('GET', `/discovered-apps/${entityId}`);
      return body.application.drifts.map((drift: { device_id: string }) => drift.device_id);
    },
  };
}
