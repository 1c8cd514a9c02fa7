// R/smart-groups and R/custom-definitions: read-only, as the operator imported them.
import { ListAnswer, PageQuery, RequestId } from '@gatewarden/shared/wire/management/common.ts';
import { type TProperties, type TSchema, Type } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { contentEtag } from '../../../platform/http/server/etag.ts';
import { type RouteSpec, route } from '../auth/index.ts';
import { type Catalog, selectRecord, selectRecords } from './store.ts';

const SmartGroup = Type.Object({
  group_name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  members: Type.Array(Type.String()),
  rules: Type.Unsafe<unknown>({}),
});
const CustomDefinition = Type.Object({
  edm_id: Type.String(),
  definition_id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  kind: Type.Union([Type.String(), Type.Null()]),
  patterns: Type.Optional(
    Type.Array(
      Type.Object({
        pattern: Type.String({ description: 'RE2 syntax' }),
        sensitivity: Type.Optional(Type.String()),
      }),
    ),
  ),
  values_count: Type.Optional(
    Type.Integer({ description: 'Number of exact values, which are never returned.' }),
  ),
});

export interface CatalogDeps {
  db: Db;
  cursors: CursorSealer;
}

export function catalogRoutes(deps: CatalogDeps): RouteSpec[] {
  return [
    ...readOnly(deps, {
      catalog: 'smart-groups',
      kind: 'smart_group',
      param: 'group_name',
      record: SmartGroup,
      called: 'smart group',
    }),
    ...readOnly(deps, {
      catalog: 'custom-definitions',
      kind: 'custom_definition',
      param: 'definition_id',
      record: CustomDefinition,
      called: 'custom definition',
    }),
  ];
}

function readOnly(
  { db, cursors }: CatalogDeps,
  spec: { catalog: Catalog; kind: string; param: string; record: TSchema; called: string },
): RouteSpec[] {
  const record: TProperties = { [spec.kind]: spec.record, ...RequestId };
  return [
    route({
      method: 'GET',
      path: `/${spec.catalog}`,
      summary: `List ${spec.called}s`,
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: ListAnswer(spec.record) },
      async handle({ principal: { tenantId }, query }) {
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: spec.catalog,
          query,
          fetch: (after, limit) => selectRecords(db, spec.catalog, tenantId, after, limit),
          keyOf: ({ id }) => [id],
          countFitting,
          item: ({ doc }) => doc,
        });
        return { body: page };
      },
    }),
    route({
      method: 'GET',
      path: `/${spec.catalog}/:${spec.param}`,
      summary: `Get a ${spec.called}`,
      etag: true,
      scopes: ['read'],
      answers: { 200: Type.Object(record) },
      async handle({ principal: { tenantId }, params }) {
        const found = await selectRecord(db, spec.catalog, tenantId, params[spec.param] ?? '');
        if (found === null) throw new HubError('not_found');
        return { etag: contentEtag(found.doc), body: { [spec.kind]: found.doc } };
      },
    }),
  ];
}
