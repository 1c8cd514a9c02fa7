// R/providers: shared providers. The test of a provider is in test-model.ts.
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { PageQuery } from '@gatewarden/shared/wire/management/common.ts';
import {
  ProviderAnswer,
  ProviderInput,
  ProviderPatch,
  ProvidersAnswer,
  ProviderTestAnswer,
  ProviderTestInput,
  SECRET_SETTINGS,
} from '@gatewarden/shared/wire/management/providers.ts';
import { type AuditEvent, recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { etagOf, requireMatch } from '../../../platform/http/server/etag.ts';
import { type Principal, type RouteSpec, route } from '../auth/index.ts';
import { differences } from '../configuration/index.ts';
import { createOnce } from '../operations/index.ts';
import { storeProviderTest } from './provider-test-store.ts';
import {
  checkSettings,
  endpointMoved,
  newProvider,
  type ProviderDraft,
  type ProviderRow,
  patchedProvider,
  sameProvider,
  wireProvider,
} from './rules.ts';
import { openedProvider, sealedProvider } from './secrets.ts';
import { insertProvider, selectProvider, selectProviders, updateProvider } from './store.ts';
import type { ModelTester } from './test-model.ts';

const COLLECTION = 'providers';

export interface ProviderDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  tester: ModelTester;
}

/** Returns the routes of shared providers. */
export function providerRoutes(deps: ProviderDeps): RouteSpec[] {
  return [...collectionRoutes(deps), ...providerChangeRoutes(deps)];
}

function collectionRoutes(deps: ProviderDeps): RouteSpec[] {
  const { db, cursors } = deps;
  return [
    route({
      method: 'GET',
      path: '/providers',
      summary: 'List shared providers',
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: ProvidersAnswer },
      async handle({ principal: { tenantId }, query }) {
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: COLLECTION,
          query,
          fetch: (after, limit) => selectProviders(db, tenantId, after, limit),
          keyOf: ({ label }) => [label],
          countFitting,
          item: wireProvider,
        });
        return { body: page };
      },
    }),
    route({
      method: 'POST',
      path: '/providers',
      summary: 'Create a shared provider',
      scopes: ['providers:write'],
      idempotent: true,
      body: ProviderInput,
      answers: { 201: ProviderAnswer },
      handle: (call) =>
        createOnce(deps, call, { operation: 'provider.create' }, async (tx) => {
          const { tenantId } = call.principal;
          const draft = newProvider(call.body);
          const stored = await insertProvider(
            tx,
            tenantId,
            sealedProvider(deps.sealer, tenantId, draft),
          );
          if (stored === null) {
            throw new HubError('already_exists', 'A provider with this label exists already.');
          }
          await touchCollection(tx, tenantId, COLLECTION);
          const detail = { after: auditDetail(draft) };
          await recordAudit(tx, event(call.principal, 'create', stored.label, call, detail));
          await announceConfiguration(tx, tenantId, [{ kind: 'provider', id: stored.label }]);
          return answered(stored, 201);
        }),
    }),
    route({
      method: 'GET',
      path: '/providers/:label',
      summary: 'Get a shared provider without its secrets',
      scopes: ['read'],
      answers: { 200: ProviderAnswer },
      async handle({ principal, params }) {
        return answered(await existing(db, principal.tenantId, params.label));
      },
    }),
  ];
}

function providerChangeRoutes(deps: ProviderDeps): RouteSpec[] {
  const { db } = deps;
  return [
    route({
      method: 'PATCH',
      path: '/providers/:label',
      summary: 'Update a shared provider, rotate its credentials, enable or disable it',
      scopes: ['providers:write'],
      ifMatch: true,
      body: ProviderPatch,
      answers: { 200: ProviderAnswer },
      async handle(call) {
        const { tenantId } = call.principal;
        checkSettings(call.body.provider_settings ?? {});
        const after = await transact(db, async (tx) => {
          const row = await existing(tx, tenantId, call.params.label);
          requireMatch(call.ifMatch, row.version);
          const before = openedProvider(deps.sealer, tenantId, row);
          const wanted = patchedProvider(before, call.body);
          if (sameProvider(before, wanted)) return row;
          const sealed = sealedProvider(deps.sealer, tenantId, wanted);
          const stored = await updateProvider(tx, tenantId, row.version, sealed);
          if (stored === null) throw new HubError('precondition_failed');
          const detail = changeOf(before, wanted);
          await recordAudit(tx, event(call.principal, 'update', stored.label, call, detail));
          await announceConfiguration(tx, tenantId, [{ kind: 'provider', id: stored.label }]);
          return stored;
        });
        return answered(after);
      },
    }),
    route({
      method: 'POST',
      path: '/providers/:label/test',
      summary: 'Test a provider with a short request',
      scopes: ['providers:write'],
      body: ProviderTestInput,
      answers: { 200: ProviderTestAnswer },
      async handle(call) {
        const { tenantId } = call.principal;
        const row = await existing(db, tenantId, call.params.label);
        const provider = openedProvider(deps.sealer, tenantId, row);
        const test = await deps.tester.test(tenantId, provider, call.body);
        await transact(db, async (tx) => {
          await storeProviderTest(tx, tenantId, row, test);
          await recordAudit(tx, {
            ...event(call.principal, 'test', row.label, call, {
              kind: test.kind,
              model: test.model,
              outcome: test.outcome,
              code: test.code,
            }),
            result: test.outcome === 'failed' ? 'failed' : 'succeeded',
          });
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'gateway' });
        });
        return { body: { test: { configuration_version: etagOf(row.version), ...test } } };
      },
    }),
  ];
}

async function existing(db: Db, tenantId: string, label: string | undefined): Promise<ProviderRow> {
  const found = label === undefined ? null : await selectProvider(db, tenantId, label);
  if (found === null) throw new HubError('not_found');
  return found;
}

function answered(row: ProviderRow, status = 200) {
  return { status, etag: etagOf(row.version), body: { provider: wireProvider(row) } };
}

/** Returns the detail of an audit event: names of secrets, never their values. */
function auditDetail({ secrets, ...open }: ProviderDraft): object {
  return { ...open, credentials: Object.keys(secrets).sort() };
}

function changeOf(before: ProviderDraft, after: ProviderDraft): object {
  const { secrets: _before, ...was } = before;
  const { secrets: _after, ...is } = after;
  const rotated = SECRET_SETTINGS.filter((name) => before.secrets[name] !== after.secrets[name]);
  return {
    changed: [
      ...differences(was, is).map((pointer) =>
        pointer.replace(/^\/settings/, '/provider_settings'),
      ),
      ...rotated.map((name) => `/provider_settings/${name}`),
    ],
    before: was,
    after: is,
    ...(endpointMoved(before, after) ? { endpoint_moved_with_kept_credentials: true } : {}),
  };
}

function event(
  { tenantId, actor }: Principal,
  verb: AuditVerb<'provider'>,
  label: string,
  { requestId }: { requestId: string },
  detail: object,
): AuditEvent {
  return {
    tenantId,
    actor,
    operation: `provider.${verb}`,
    resource: { kind: 'provider', id: label },
    requestId,
    detail,
    management: true,
  };
}
