// Composes the management API: one table of resource routes behind key authentication and, below the console, behind the
// person's; the administrators' routes behind theirs.
import type { Logger } from 'pino';
import { selectExhausted } from '../features/logs/budgets/index.ts';
import { appKeyRoutes, keyDocs } from '../features/management/app-keys/index.ts';
import { appDocs, appRoutes, appWrites, findApp } from '../features/management/apps/index.ts';
import {
  createAdminGate,
  createAdmission,
  createResourceGate,
  personGate,
  prepareScope,
  type RouteSpec,
  refuseUnknown,
  registerFamily,
} from '../features/management/auth/index.ts';
import { capabilityRoutes } from '../features/management/capabilities/index.ts';
import {
  catalogDocs,
  catalogRoutes,
  listCategories,
  type PolicyOf,
  selectPolicyAuthority,
} from '../features/management/catalogs/index.ts';
import { historyRoutes } from '../features/management/history/index.ts';
import {
  type KeyUses,
  managementKeyRoutes,
  selectKeyStates,
} from '../features/management/keys/index.ts';
import { operationRoutes } from '../features/management/operations/index.ts';
import { promptDocs, promptRoutes, promptWrites } from '../features/management/prompts/index.ts';
import {
  createModelTester,
  providerDocs,
  providerRoutes,
} from '../features/management/providers/index.ts';
import { requireOptIn, settingsRoutes } from '../features/management/settings/index.ts';
import {
  hasModelChecks,
  registerNodeConfiguration,
} from '../features/nodes/configuration/index.ts';
import { type AdminTokenVerifier, requireAccess } from '../features/people/identity/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import { createBatchLoader } from '../platform/db/batch-loader.ts';
import type { Db } from '../platform/db/database.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import type { CursorSealer } from '../platform/http/lists/cursors.ts';
import { completeDocument } from '../platform/http/openapi/complete.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';
import type { App } from '../platform/http/server/app.ts';
import { bindRoutesToTenant } from '../platform/http/server/tenant-context.ts';
import type { Installation } from '../platform/installation.ts';

export const RESOURCE_PREFIX = '/llmgateway/management/v1';
export const ADMIN_PREFIX = '/llmgateway/management-admin/v1';

export interface ManagementParts {
  config: Config;
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  keyUses: KeyUses;
  /** For reads; a change asks its own transaction. */
  policyOf: PolicyOf;
  notifications: Notifications;
  installation: Installation;
  stopping: AbortSignal;
  log: Logger;
  verifyAdminToken: AdminTokenVerifier;
}

/** Every resource route, once. */
export function resourceRoutes(
  app: App,
  parts: Pick<ManagementParts, 'config' | 'db' | 'sealer' | 'cursors' | 'outbound' | 'policyOf'>,
): RouteSpec[] {
  const { db, sealer, cursors, config } = parts;
  const deps = { db, sealer, cursors, policyOf: parts.policyOf };
  return [
    ...capabilityRoutes({
      policyOf: parts.policyOf,
      listCategories: (tenantId) => listCategories(db, tenantId),
      hasModelChecks: (tenantId) => hasModelChecks(db, tenantId),
      modelTestsUnavailable: config.noModelTests,
      document: once(() => managementDocument(app)),
    }),
    ...appRoutes(deps),
    ...appKeyRoutes({ ...deps, findApp }),
    ...promptRoutes(deps),
    ...historyRoutes({ db, cursors, findApp }),
    ...providerRoutes({
      ...deps,
      tester: createModelTester({ outbound: parts.outbound, unavailable: config.noModelTests }),
    }),
    ...catalogRoutes({ db, cursors }),
    ...operationRoutes({ db, sealer }, { ...appWrites(sealer), ...promptWrites }),
  ];
}

/** Behind the doors of the management API itself. */
export async function registerManagement(
  app: App,
  parts: ManagementParts,
  routes: readonly RouteSpec[],
): Promise<void> {
  const { db, config } = parts;
  const step = { config, admission: createAdmission() };
  await app.register(
    async (scope: App) => {
      prepareScope(scope);
      bindRoutesToTenant(scope, (request) => request.principal?.tenantId);
      scope.addHook(
        'onRequest',
        createResourceGate({
          ...step,
          findKey: createBatchLoader((hashes: readonly Buffer[]) => selectKeyStates(db, hashes)),
          used: parts.keyUses.used,
        }),
      );
      registerFamily(scope, routes, { family: 'resource', tag: 'management' });
      refuseUnknown(scope);
    },
    { prefix: RESOURCE_PREFIX },
  );
  await app.register(
    async (scope: App) => {
      prepareScope(scope);
      bindRoutesToTenant(scope, (request) => request.principal?.tenantId);
      scope.addHook(
        'onRequest',
        createAdminGate({
          ...step,
          verify: async (token) => {
            const claims = await parts.verifyAdminToken(token);
            return { ...claims, isAdmin: claims.role === 'Admin' };
          },
          requireAccess: (tenantId, claims) => requireAccess(db, tenantId, claims),
          requireOptIn: (tenantId) => requireOptIn(db, tenantId),
        }),
      );
      const admin = [...settingsRoutes(db), ...managementKeyRoutes(parts)];
      registerFamily(scope, admin, { family: 'admin', tag: 'management-admin' });
      refuseUnknown(scope);
    },
    { prefix: ADMIN_PREFIX },
  );
}

/** The same resource routes for signed-in people, below the console's gate. */
export async function registerGatewayPages(
  console: App,
  routes: readonly RouteSpec[],
): Promise<void> {
  await console.register(
    async (scope: App) => {
      prepareScope(scope);
      scope.addHook('onRequest', personGate);
      registerFamily(scope, routes, { family: 'resource', tag: 'gateway', console: true });
    },
    { prefix: '/gateway' },
  );
}

/** The configuration feed of gateway nodes, also while the management API is off. */
export function registerNodes(app: App, parts: ManagementParts): void {
  const { db, sealer } = parts;
  registerNodeConfiguration(app, {
    db,
    cursors: parts.cursors,
    feedEpoch: parts.installation.feedEpoch,
    notifications: parts.notifications,
    stopping: parts.stopping,
    docs: {
      app: (tenantId, ids) => appDocs(db, sealer, tenantId, ids),
      provider: (tenantId, labels) => providerDocs(db, sealer, tenantId, labels),
      key: (tenantId, ids) => keyDocs(db, tenantId, ids),
      prompt: (tenantId, ids) => promptDocs(db, tenantId, ids),
      smart_group: (tenantId, ids) => catalogDocs(db, 'smart-groups', tenantId, ids),
      custom_definition: (tenantId, ids) => catalogDocs(db, 'custom-definitions', tenantId, ids),
      category: (tenantId, ids) => catalogDocs(db, 'categories', tenantId, ids),
      settings: async (tenantId, ids) => {
        const policy_authority = await selectPolicyAuthority(db, tenantId);
        const budgets_exhausted = await selectExhausted(db, tenantId);
        return new Map(ids.map((id) => [id, { policy_authority, budgets_exhausted }]));
      },
    },
  });
}

/** The OpenAPI document of both families of routes. */
export function managementDocument(app: App): object {
  const document = app.swagger() as { paths?: Record<string, object> };
  const paths = Object.entries(document.paths ?? {}).filter(([path]) =>
    [RESOURCE_PREFIX, ADMIN_PREFIX].some((prefix) => path.startsWith(`${prefix}/`)),
  );
  return completeDocument({
    ...document,
    info: { title: 'Gatewarden tenant management API', version: '1' },
    paths: Object.fromEntries(paths),
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
