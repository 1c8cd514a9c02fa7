// R/apps: apps, their providers, conversion and rollback.
import { AppCreate, AppPatch } from '@gatewarden/shared/wire/management/app-config.ts';
import {
  AppAnswer,
  AppCreatedAnswer,
  AppRolledBackAnswer,
  AppsAnswer,
  AppsQuery,
  AppWrittenAnswer,
  AttachedAnswer,
  AttachInput,
  ConversionInput,
} from '@gatewarden/shared/wire/management/apps.ts';
import { Strict } from '@gatewarden/shared/wire/management/common.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { type Answered, type Call, type RouteSpec, route } from '../auth/index.ts';
import type { PolicyOf } from '../catalogs/index.ts';
import { checkAlone } from '../configuration/index.ts';
import { versionOf } from '../history/index.ts';
import { configurationWrite, createOnce, sealInput, writtenOnce } from '../operations/index.ts';
import { createApp } from './create.ts';
import { appFinder, findApp } from './find.ts';
import { wireApp } from './rules.ts';
import { type AppFilter, selectApps } from './store.ts';
import { appWrites, COLLECTION } from './write.ts';

const APP = '/apps/:app_name';

export interface AppDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  policyOf: PolicyOf;
}

export function appRoutes(deps: AppDeps): RouteSpec[] {
  return [...reading(deps), ...writing(deps)];
}

function reading({ db, cursors, policyOf }: AppDeps): RouteSpec[] {
  const find = appFinder(db);
  return [
    route({
      method: 'GET',
      path: '/apps',
      summary: 'List apps',
      scopes: ['read'],
      query: AppsQuery,
      answers: { 200: AppsAnswer },
      async handle({ principal: { tenantId }, query }) {
        const { limit: _limit, cursor: _cursor, ...asked } = query;
        const filter: AppFilter = {
          ...(asked.name === undefined ? {} : { name: asked.name.normalize('NFC').toLowerCase() }),
          ...(asked.tag === undefined ? {} : { tag: asked.tag }),
          ...(asked.enabled === undefined ? {} : { enabled: asked.enabled === 'true' }),
        };
        const policy = await policyOf(tenantId);
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: COLLECTION,
          filters: [filter.name ?? null, filter.tag ?? null, filter.enabled ?? null],
          query,
          fetch: (after, limit) => selectApps(db, tenantId, filter, after, limit),
          keyOf: (app) => [app.name_folded, app.app_id],
          countFitting,
          item: (app) => wireApp(app, policy),
        });
        return { body: page };
      },
    }),
    route({
      method: 'GET',
      path: APP,
      summary: 'Get an app with its stored settings',
      scopes: ['read'],
      answers: { 200: AppAnswer },
      async handle({ principal: { tenantId }, params }) {
        const [app, policy] = await Promise.all([
          find(tenantId, params.app_name),
          policyOf(tenantId),
        ]);
        return { etag: etagOf(app.version), body: { app: wireApp(app, policy) } };
      },
    }),
    route({
      method: 'GET',
      path: `${APP}/providers`,
      summary: 'List the attached provider labels, primary first',
      scopes: ['read'],
      answers: { 200: AttachedAnswer },
      async handle({ principal: { tenantId }, params }) {
        const app = await find(tenantId, params.app_name);
        const etag = etagOf(app.version);
        return { etag, body: { provider_labels: app.provider_labels, version: etag } };
      },
    }),
  ];
}

function writing(deps: AppDeps): RouteSpec[] {
  const writes = appWrites(deps.sealer);
  const applyWrite = async (kind: string, call: Call): Promise<Answered> => {
    const apply = writes[kind];
    if (apply === undefined) throw new Error(`there is no write ${kind}`);
    checkAlone((call.body as Record<string, unknown> | undefined) ?? {});
    const result = await configurationWrite(deps, kind, call, apply);
    return { etag: result.app.version, body: result };
  };
  function write(
    method: 'PATCH' | 'PUT' | 'DELETE' | 'POST',
    path: string,
    kind: string,
    summary: string,
    body?: typeof AppPatch,
  ) {
    return route({
      method,
      path,
      summary,
      scopes: ['config:write'],
      ifMatch: true,
      emptyBody: kind === 'app.attach_provider',
      ...(body === undefined ? {} : { body }),
      answers: { 200: AppWrittenAnswer },
      handle: (call) => applyWrite(kind, call as Call),
    });
  }
  return [
    route({
      method: 'POST',
      path: '/apps',
      summary: 'Create an app and its first key',
      scopes: ['config:write', 'credentials:write'],
      idempotent: true,
      body: AppCreate,
      answers: { 201: AppCreatedAnswer },
      handle: (call) =>
        createOnce(deps, call, { operation: 'app.create' }, (tx, operationId) =>
          createApp(tx, deps.sealer, call, operationId),
        ),
    }),
    write('PATCH', APP, 'app.update', 'Update the configuration of an app', AppPatch),
    write(
      'PUT',
      `${APP}/providers/:label`,
      'app.attach_provider',
      'Attach a shared provider, or make it primary',
      AttachInput,
    ),
    write(
      'DELETE',
      `${APP}/providers/:label`,
      'app.detach_provider',
      'Detach a provider from the app; the provider is kept',
    ),
    write(
      'POST',
      `${APP}/provider-conversion`,
      'app.convert_providers',
      'Convert a legacy app to shared providers',
      ConversionInput,
    ),
    rollback(deps, writes['app.rollback'] as (typeof writes)[string]),
  ];
}

function rollback(deps: AppDeps, apply: ReturnType<typeof appWrites>[string]): RouteSpec {
  return route({
    method: 'POST',
    path: `${APP}/versions/:version_id/rollback`,
    summary: 'Restore the configuration of a version as a new change',
    scopes: ['config:write'],
    ifMatch: true,
    idempotent: true,
    emptyBody: true,
    body: Strict({}),
    answers: { 200: AppRolledBackAnswer },
    async handle(call) {
      const { principal, params } = call;
      // Also for a repeat, which is answered without reading the app. A missing resource is reported first.
      if (call.ifMatch === undefined) {
        const app = await findApp(deps.db, principal.tenantId, params.app_name);
        await versionOf(deps.db, principal.tenantId, app.app_id, params.version_id);
        throw new HubError('precondition_required');
      }
      const sealed = (operationId: string) =>
        sealInput(deps.sealer, principal.tenantId, operationId, call);
      return createOnce(
        deps,
        call,
        { operation: 'app.rollback', sealedInput: sealed },
        async (tx, operationId) => {
          const { result } = await apply(tx, call);
          return writtenOnce(result, operationId);
        },
      );
    },
  });
}
