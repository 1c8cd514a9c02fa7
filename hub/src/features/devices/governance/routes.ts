// C/overrides: what people decide, stored with audit event and feed number in one transaction; and its preview.
import { randomUUID } from 'node:crypto';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  OverrideAnswer,
  OverrideDeletedAnswer,
  OverrideInput,
  OverridePatch,
  OverridesAnswer,
  OverridesQuery,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { Type } from 'typebox';
import type { AuditEvent } from '../../../platform/audit.ts';
import { actorOf, type Person, personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import type { App } from '../../../platform/http/app.ts';
import { listPage } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { selectGroup } from '../groups/index.ts';
import { recordDecision } from '../inventory/index.ts';
import { previewOverride } from './preview.ts';
import {
  decidedProduct,
  mayLeaveScope,
  newOverride,
  overrideRow,
  patchedOverride,
  splitScope,
} from './rules.ts';
import type { Snapshots } from './snapshots.ts';
import {
  insertDeparture,
  insertOverride,
  type OverrideRecord,
  selectOverride,
  selectOverrides,
  selectProductDecision,
  updateOverride,
} from './store.ts';

const OverrideParams = Type.Object({ tenant_id: Type.String(), override_id: Uuid });
/** Not required in the schema, or its absence would be a 400 and not a 428. */
const IfMatch = Type.Object({ 'if-match': Type.Optional(Type.String()) });

export interface GovernanceDeps {
  db: Db;
  snapshots: Snapshots;
  cursors: CursorSealer;
  pages: PageEvents;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}

export function registerGovernancePages(app: App, deps: GovernanceDeps): void {
  const { db } = deps;
  const told = (tenantId: string) => {
    deps.snapshots.touch(tenantId);
    deps.pages.announce(tenantId, 'applications');
  };

  app.get(
    '/overrides',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['overrides'],
        querystring: OverridesQuery,
        response: { 200: OverridesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { entity_id: entityId } = request.query;
      const filter = entityId === undefined ? {} : { entity_id: entityId };
      const page = await listPage({
        cursors: deps.cursors,
        binding: ['overrides', tenantId, entityId ?? null],
        query: request.query,
        fetch: (after, limit) => selectOverrides(db, tenantId, filter, after, limit),
        keyOf: (override) => [override.sort_key, override.override_id],
        item: overrideRow,
      });
      return { ...page, request_id: request.id };
    },
  );

  app.get(
    '/overrides/:override_id',
    {
      config: { access: 'Viewer' },
      schema: { tags: ['overrides'], params: OverrideParams, response: { 200: OverrideAnswer } },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const found = await selectOverride(db, tenantId, request.params.override_id);
      if (found === null) throw new HubError('not_found');
      reply.header('etag', etagOf(found.version));
      return { override: overrideRow(found), request_id: request.id };
    },
  );

  app.post(
    '/overrides',
    {
      config: { access: 'Reviewer' },
      schema: { tags: ['overrides'], body: OverrideInput, response: { 201: OverrideAnswer } },
    },
    async (request, reply) => {
      const person = personOf(request);
      const override = newOverride(request.body, {
        overrideId: randomUUID(),
        email: person.email,
        now: new Date(),
      });
      const created = await recordedCreation(db, {
        tenantId: person.tenantId,
        feed: 'governance',
        page: 'overrides',
        store: async (tx, revision) => {
          await checkGroup(tx, person.tenantId, override);
          const stored = await insertOverride(tx, person.tenantId, override, revision);
          await refreshProducts(tx, person.tenantId, [stored]);
          return stored;
        },
        audit: (stored) =>
          auditEvent(person, 'override.create', request.id, stored.override_id, {
            after: overrideRow(stored),
          }),
      });
      told(person.tenantId);
      reply.code(201).header('etag', etagOf(created.version));
      return { override: overrideRow(created), request_id: request.id };
    },
  );

  app.post(
    '/overrides/preview',
    {
      config: { access: 'Reviewer' },
      schema: { tags: ['overrides'], body: OverrideInput, response: { 200: PreviewAnswer } },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      await checkGroup(db, tenantId, splitScope(request.body.scope));
      const preview = await previewOverride(
        {
          db,
          tenantId,
          snapshot: await deps.snapshots.of(tenantId),
          mappings: await deps.mappingsOf(tenantId),
          now: new Date(),
        },
        request.body,
      );
      return { ...preview, request_id: request.id };
    },
  );

  app.patch(
    '/overrides/:override_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['overrides'],
        params: OverrideParams,
        headers: IfMatch,
        body: OverridePatch,
        response: { 200: OverrideAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const after = await changeOverride(deps, person, {
        overrideId: request.params.override_id,
        ifMatch: request.headers['if-match'],
        requestId: request.id,
        operation: 'override.update',
        change: (before) =>
          patchedOverride(before, request.body, { email: person.email, now: new Date() }),
      });
      told(person.tenantId);
      reply.header('etag', etagOf(after.version));
      return { override: overrideRow(after), request_id: request.id };
    },
  );

  app.delete(
    '/overrides/:override_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['overrides'],
        params: OverrideParams,
        headers: IfMatch,
        response: { 200: OverrideDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const after = await changeOverride(deps, person, {
        overrideId: request.params.override_id,
        ifMatch: request.headers['if-match'],
        requestId: request.id,
        operation: 'override.delete',
        change: ({ sort_key: _key, revision: _revision, ...before }) => ({
          ...before,
          deleted: true,
          updated_at: new Date(),
          updated_by: person.email,
        }),
      });
      told(person.tenantId);
      return {
        override_id: after.override_id,
        revision: after.revision,
        deleted: true as const,
        request_id: request.id,
      };
    },
  );
}

function changeOverride(
  deps: GovernanceDeps,
  person: Person,
  write: {
    overrideId: string;
    ifMatch: string | undefined;
    requestId: string;
    operation: string;
    change(before: OverrideRecord): Omit<OverrideRecord, 'sort_key' | 'revision'> | null;
  },
): Promise<OverrideRecord> {
  const { tenantId } = person;
  return versionedWrite(deps.db, {
    tenantId,
    feed: 'governance',
    page: 'overrides',
    ifMatch: write.ifMatch,
    load: (tx) => selectOverride(tx, tenantId, write.overrideId),
    change: write.change,
    store: async (tx, before, change, revision) => {
      if (!change.deleted) await checkGroup(tx, tenantId, change);
      const after = await updateOverride(tx, tenantId, before.version, { ...change, revision });
      if (after === null) return null;
      if (!after.deleted && mayLeaveScope(before, after)) {
        await insertDeparture(tx, tenantId, {
          revision,
          override_id: after.override_id,
          scope_kind: before.scope_kind,
          scope_id: before.scope_id,
          rollout_percent: before.rollout_percent,
        });
      }
      await refreshProducts(tx, tenantId, [before, after]);
      return after;
    },
    audit: (before, after) =>
      auditEvent(person, write.operation, write.requestId, after.override_id, {
        before: overrideRow(before),
        ...(after.deleted ? {} : { after: overrideRow(after) }),
      }),
  });
}

/** Behind the feed's lock, so that the group cannot go while the override comes. Throws 400 where it is not there. */
async function checkGroup(
  tx: Db,
  tenantId: string,
  scope: Pick<OverrideRecord, 'scope_kind' | 'scope_id'>,
): Promise<void> {
  if (scope.scope_kind !== 'group') return;
  if ((await selectGroup(tx, tenantId, scope.scope_id)) === null) {
    throw new HubError('invalid_request', '/scope/group_id must be of a device group that exists');
  }
}

/** Brings the approval that lists show in line with what is now decided tenant-wide. */
async function refreshProducts(
  tx: Tx,
  tenantId: string,
  touched: readonly OverrideRecord[],
): Promise<void> {
  for (const entityId of new Set(touched.map(decidedProduct))) {
    if (entityId === null) continue;
    const decision = await selectProductDecision(tx, tenantId, entityId);
    await recordDecision(
      tx,
      tenantId,
      entityId,
      decision === null
        ? null
        : {
            overrideId: decision.override_id,
            approvalStatus: decision.approval_status,
            executionPolicy: decision.execution_policy,
          },
    );
  }
}

function auditEvent(
  person: Person,
  operation: string,
  requestId: string,
  overrideId: string,
  detail: object,
): AuditEvent {
  return {
    tenantId: person.tenantId,
    actor: actorOf(person),
    operation,
    resource: { kind: 'override', id: overrideId },
    requestId,
    detail,
  };
}
