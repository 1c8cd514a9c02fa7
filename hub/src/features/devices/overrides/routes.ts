// /overrides: policies of users, stored with audit event and feed number in the same transaction; and their preview.
import { randomUUID } from 'node:crypto';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  type Override,
  OverrideAnswer,
  OverrideDeletedAnswer,
  OverrideInput,
  OverridePatch,
  OverridePreviewInput,
  OverridesAnswer,
  OverridesDownloadQuery,
  OverridesQuery,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadCountedPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { recordedCreation } from '../../../platform/versioned-write.ts';
import { mayMatch } from '../inventory/match-qualifiers.ts';
import { selectProduct } from '../inventory/product-read-store.ts';
import { previewOverride } from '../preview/preview.ts';
import { selectRollouts } from '../rollouts/store.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { selectExistingOverrides } from './existing-overrides.ts';
import {
  type DecisionList,
  FILE_COLUMNS,
  listedOverride,
  type OverridesFilter,
  selectListed,
  withAppNames,
} from './list-rows.ts';
import { countOverrides } from './list-store.ts';
import {
  newOverride,
  overrideFacts,
  overrideRow,
  patchedOverride,
  splitScope,
} from './override-rules.ts';
import { type OverrideRecord, selectOverride } from './store.ts';
import { changeOverride, checkGroup, overrideEvent, storeNew } from './write-override.ts';

const OverrideParams = Type.Object({ tenant_id: Type.String(), override_id: Uuid });

export interface GovernanceDeps {
  db: Db;
  snapshots: Snapshots;
  cursors: CursorSealer;
  pages: PageEvents;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}

function registerPolicyLists(app: App, deps: GovernanceDeps): void {
  const { db } = deps;
  const among = async (tenantId: string, entityId: string | undefined) => {
    if (entityId === undefined) return undefined;
    const product = await selectProduct(db, tenantId, entityId, []);
    const { overrides } = await deps.snapshots.get(tenantId);
    return overrides
      .filter((override) => mayMatch(override.match, entityId, product))
      .map((override) => override.override_id);
  };

  const decisions = ({ concerns, ...filter }: OverridesFilter): DecisionList => ({
    cursors: deps.cursors,
    list: 'overrides',
    by: filterBinding({ ...filter, concerns }),
    fetch: async (tenantId, after, limit) => {
      const ids = await among(tenantId, concerns);
      return selectListed(db, tenantId, { ...filter, among: ids }, after, limit);
    },
    keyOf: ({ record }) => [record.sort_key, record.override_id],
    item: listedOverride,
  });

  app.get(
    '/overrides',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['policies'],
        summary: 'List policies',
        querystring: OverridesQuery,
        response: { 200: OverridesAnswer },
      },
    },
    async (request) => {
      const filter = extractFilter(request.query);
      const { concerns, ...rest } = filter;
      const count = async (tenantId: string) =>
        countOverrides(db, tenantId, { ...rest, among: await among(tenantId, concerns) });
      return loadCountedPage(request, { ...decisions(filter), count });
    },
  );

  app.get(
    '/overrides/download',
    fileRoute('Viewer', 'policies', 'the policies', OverridesAnswer, {
      querystring: OverridesDownloadQuery,
    }),
    (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, withAppNames(db, decisions(filter)), {
        format,
        columns: FILE_COLUMNS,
      });
    },
  );
}

export function registerGovernancePages(app: App, deps: GovernanceDeps): void {
  registerPolicyLists(app, deps);
  registerPolicyPage(app, deps);
  registerPolicyCreation(app, deps);
  registerPolicyPreview(app, deps);
  registerPolicyChanges(app, deps);
}

function registerPolicyPage(app: App, deps: GovernanceDeps): void {
  const { db } = deps;
  app.get(
    '/overrides/:override_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['policies'],
        summary: 'Get a policy',
        params: OverrideParams,
        response: { 200: OverrideAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const found = await selectOverride(db, tenantId, request.params.override_id);
      if (found === null) throw new HubError('not_found');
      reply.header('etag', etagOf(found.version));
      return { override: await withRollout(db, tenantId, found), request_id: request.id };
    },
  );
}

function registerPolicyCreation(app: App, deps: GovernanceDeps): void {
  const { db } = deps;

  app.post(
    '/overrides',
    {
      config: { access: 'Reviewer', alsoAnswers: ['412'] },
      schema: {
        tags: ['policies'],
        summary: 'Create a policy',
        body: OverrideInput,
        response: { 201: OverrideAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const override = newOverride(request.body, {
        overrideId: chosenId(request.body.override_id),
        email: person.email,
        now: new Date(),
      });
      const created = await recordedCreation(db, {
        tenantId: person.tenantId,
        feed: 'governance',
        page: 'overrides',
        store: (tx, revision) =>
          storeNew(tx, person.tenantId, override, { revision, seen: request.body.as_of_revision }),
        audit: (stored) =>
          overrideEvent(person, 'override.create', request.id, stored.override_id, {
            after: overrideFacts(stored),
          }),
      });
      notifyChange(deps, person.tenantId);
      reply.code(201).header('etag', etagOf(created.version));
      return { override: overrideRow(created, null), request_id: request.id };
    },
  );
}

function registerPolicyPreview(app: App, deps: GovernanceDeps): void {
  const { db } = deps;
  app.post(
    '/overrides/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Preview the impact of a policy',
        body: OverridePreviewInput,
        response: { 200: PreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      await checkGroup(db, tenantId, splitScope(request.body.scope));
      const { replaces, ...input } = request.body;
      const context = {
        db,
        tenantId,
        snapshot: await deps.snapshots.get(tenantId),
        mappings: await deps.mappingsOf(tenantId),
        now: new Date(),
        overrideId: replaces?.toLowerCase() ?? chosenId(input.override_id),
        ...(replaces === undefined ? {} : { replaces: new Set([replaces.toLowerCase()]) }),
      };
      const touched = await previewOverride(context, input);
      const target = { ...splitScope(input.scope), match: input.match };
      return {
        ...touched,
        as_of_revision: context.snapshot.n,
        ...(await selectExistingOverrides(context, [target])),
        request_id: request.id,
      };
    },
  );
}

function registerPolicyChanges(app: App, deps: GovernanceDeps): void {
  const { db } = deps;

  app.patch(
    '/overrides/:override_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Update a policy',
        params: OverrideParams,
        headers: IfMatch,
        body: OverridePatch,
        response: { 200: OverrideAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const after = await changeOverride(db, person, {
        overrideId: request.params.override_id,
        ifMatch: request.headers['if-match'],
        requestId: request.id,
        operation: 'override.update',
        seen: request.body.as_of_revision,
        change: (before) =>
          patchedOverride(before, request.body, { email: person.email, now: new Date() }),
      });
      notifyChange(deps, person.tenantId);
      reply.header('etag', etagOf(after.version));
      return { override: await withRollout(db, tenantId, after), request_id: request.id };
    },
  );

  app.delete(
    '/overrides/:override_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Delete a policy',
        params: OverrideParams,
        headers: IfMatch,
        response: { 200: OverrideDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const after = await changeOverride(db, person, {
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
      notifyChange(deps, person.tenantId);
      return {
        override_id: after.override_id,
        revision: after.revision,
        deleted: true as const,
        request_id: request.id,
      };
    },
  );
}

function notifyChange({ snapshots, pages }: GovernanceDeps, tenantId: string): void {
  snapshots.invalidate(tenantId);
  pages.announce(tenantId, 'applications');
}

/** Computed ids belong to default policies and to drift. */
function chosenId(wanted: string | undefined): string {
  if (wanted === undefined) return randomUUID();
  if (!/^.{14}[47]/.test(wanted)) {
    throw new HubError('invalid_request', '/override_id must be a UUID of version 4 or 7');
  }
  return wanted.toLowerCase();
}

async function withRollout(db: Db, tenantId: string, record: OverrideRecord): Promise<Override> {
  const rollouts = await selectRollouts(db, tenantId, [record.override_id]);
  return overrideRow(record, rollouts.get(record.override_id) ?? null);
}
