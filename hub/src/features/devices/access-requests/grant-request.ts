// Computes the override in force for a request, and the exception that would take precedence over it.
import { decide } from '@gatewarden/shared/policy.ts';
import type { AccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import type { Db } from '../../../platform/db/database.ts';
import { selectEntitiesOf } from '../inventory/index.ts';
import { loadOverridesInForce } from '../overrides/index.ts';
import type { Snapshots } from '../sync/index.ts';
import { exceptionMatch, type Subject } from './grant-override.ts';
import type { RequestRecord } from './store.ts';

type Exception = AccessRequest['exception'];

/** Returns the exception of each request; null for a resolved request, or if the device has another user by now. */
export async function exceptionsFor(
  deps: { db: Db; snapshots: Snapshots },
  tenantId: string,
  requests: readonly RequestRecord[],
): Promise<Map<string, Exception>> {
  const open = requests.filter(
    (request) => request.state === 'open' && request.owner === request.subscriber_id,
  );
  const entities = await selectEntitiesOf(deps.db, tenantId, {
    deviceIds: [...new Set(open.map((request) => request.device_id))],
    entityIds: [...new Set(open.flatMap((request) => request.entity_id ?? []))],
  });
  const result = new Map<string, Exception>();
  for (const request of open) {
    const entity = entities.find(
      (row) => row.device_id === request.device_id && row.entity_id === request.entity_id,
    );
    result.set(
      request.access_request_id,
      await exceptionFor(deps, tenantId, request, subjectOf(request, entity)),
    );
  }
  return result;
}

async function exceptionFor(
  { snapshots }: { snapshots: Snapshots },
  tenantId: string,
  request: RequestRecord,
  subject: Subject | null,
): Promise<Exception> {
  const { platform, device_id, subscriber_id } = request;
  if (subject === null || platform === null) return null;
  const inForce = await loadOverridesInForce(snapshots, tenantId, { device_id, subscriber_id });
  const facts = {
    name: subject.processName ?? subject.entity.name,
    application_name: request.application_name,
    publisher: subject.entity?.publisher ?? null,
    sha256: null,
    entities: subject.entity === null ? [] : [subject.entity],
  };
  // Only the device knows which file runs: its report about an override by file hash decides.
  const byFile = inForce.find(
    (override) =>
      override.override_id === request.blocked_by && override.match.executable_sha256 !== undefined,
  );
  const winner = byFile ?? decide({ platform }, facts, inForce, Date.now()).override;
  return {
    policy: winner?.execution_policy ?? 'allow',
    override_id: winner?.override_id ?? null,
    match: exceptionMatch(subject, platform, winner),
  };
}

/** An application that went meanwhile is nothing to be excepted. */
function subjectOf(
  request: RequestRecord,
  entity: Extract<Subject, { processName: null }>['entity'] | undefined,
): Subject | null {
  if (request.process_name !== null) return { entity: null, processName: request.process_name };
  return entity === undefined ? null : { entity, processName: null };
}
