// Console routes of apps over all devices: the list, the page with files, launches, devices and similar apps, and the review.

import { NARROW_KINDS } from '@gatewarden/shared/policy.ts';
import { Sha256Hex } from '@gatewarden/shared/wire/common.ts';
import {
  ApplicationAnswer,
  ApplicationDevicesAnswer,
  ApplicationDevicesQuery,
  ApplicationExecutablesAnswer,
  ApplicationExecutablesQuery,
  ApplicationLaunchesAnswer,
  ApplicationLaunchesQuery,
  type ApplicationRow,
  ApplicationsAnswer,
  ApplicationsDownloadQuery,
  ApplicationsQuery,
  ReviewAnswer,
  SimilarAnswer,
} from '@gatewarden/shared/wire/console/applications.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  isoOrNull,
  loadCountedPage,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatchIfSent } from '../../../platform/http/server/etag.ts';
import { type ApprovalAudience, recordBaseline } from '../drift/baseline.ts';
import {
  bumpReviewVersions,
  deleteDrifts,
  selectDrifts,
  selectReviewVersion,
} from '../drift/drift-store.ts';
import { facetsOf, launchOf } from '../drift/facets.ts';
import type { CoveredByName } from './covered-products-store.ts';
import {
  type LaunchRecord,
  selectExecutables,
  selectLaunches,
  selectPermissions,
} from './launches-store.ts';
import {
  countListedProducts,
  type ProductRecord,
  selectProduct,
  selectProductDevices,
  selectProducts,
} from './product-read-store.ts';
import { shownVersions } from './shown-versions.ts';
import { selectSimilar } from './similar-store.ts';

const EntityParams = Type.Object({ tenant_id: Type.String(), entity_id: Sha256Hex });

interface ApplicationPagesDeps {
  db: Db;
  cursors: CursorSealer;
  coveredByName: CoveredByName;
  /** Returns the audience of an app's approvals. A review accepts the launches on its devices. */
  meantFor(tx: Tx, tenantId: string, entityId: string): Promise<ApprovalAudience>;
  /** Called in the transaction that ends drift by a review. */
  driftChanged(tx: Tx, tenantId: string): Promise<void>;
}

function registerApplicationLists(
  app: App,
  deps: Pick<ApplicationPagesDeps, 'db' | 'cursors' | 'coveredByName'>,
): void {
  const { db, cursors } = deps;
  const applications = (
    filter: Parameters<typeof selectProducts>[2],
    coveredByName: CoveredByName,
  ): TenantList<ProductRecord, ApplicationRow> => ({
    cursors,
    list: 'applications',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectProducts(db, tenantId, filter, await coveredByName(tenantId), { after, limit }),
    keyOf: (product) => [product.sort_key, product.entity_id],
    item: applicationRow,
  });

  app.get(
    '/discovered-apps',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List discovered apps over all devices',
        querystring: ApplicationsQuery,
        response: { 200: ApplicationsAnswer },
      },
    },
    async (request) => {
      const filter = extractFilter(request.query);
      const count = async (tenantId: string) =>
        countListedProducts(db, tenantId, filter, await deps.coveredByName(tenantId));
      return loadCountedPage(request, { ...applications(filter, deps.coveredByName), count });
    },
  );

  app.get(
    '/discovered-apps/download',
    fileRoute('Viewer', 'applications', 'the discovered apps', ApplicationsAnswer, {
      querystring: ApplicationsDownloadQuery,
    }),
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { format, ...filter } = request.query;
      // Once for the whole file, which may be long under way.
      const covered = await deps.coveredByName(tenantId);
      const list = applications(filter, async () => covered);
      return sendTenantFile(request, reply, list, { format, columns: FILE_COLUMNS });
    },
  );
}

export function registerApplicationPages(app: App, deps: ApplicationPagesDeps): void {
  registerApplicationLists(app, deps);
  registerApplicationPage(app, deps);
  registerApplicationParts(app, deps);
  registerSimilar(app, deps);
  registerReview(app, deps);
}

function registerApplicationPage(app: App, deps: ApplicationPagesDeps): void {
  const { db } = deps;
  app.get(
    '/discovered-apps/:entity_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'Get a discovered app with versions, publishers, permissions and policies',
        params: EntityParams,
        response: { 200: ApplicationAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const product = await selectProduct(
        db,
        tenantId,
        request.params.entity_id,
        await deps.coveredByName(tenantId),
      );
      if (product === null) throw new HubError('not_found');
      // Read before the drift, so that drift which arrives in between is not accepted unseen.
      const version = etagOf(await selectReviewVersion(db, tenantId, product.entity_id));
      const { entity_id: entityId } = product;
      const isNarrow = NARROW_KINDS.includes(product.kind);
      const [executables, drifts, launches, permissions] = await Promise.all([
        selectExecutables(db, tenantId, entityId, undefined, EXECUTABLES_SHOWN),
        selectDrifts(db, tenantId, entityId),
        isNarrow ? selectLaunches(db, tenantId, entityId, undefined, LAUNCHES_SHOWN) : [],
        isNarrow ? selectPermissions(db, tenantId, entityId) : [],
      ]);
      reply.header('etag', version);
      return {
        application: {
          ...applicationRow(product),
          version,
          executables: executables.map((row) => row.path),
          executable_count: executables[0]?.total ?? 0,
          launches: launches.map(launchRow),
          launch_count: launches[0]?.total ?? 0,
          permissions,
          drifts: drifts.map(({ former, current, ...drift }) => ({
            ...drift,
            since: drift.since.toISOString(),
            before: former,
            now: current === null ? null : facetsOf(current),
          })),
        },
        request_id: request.id,
      };
    },
  );
}

function registerApplicationParts(app: App, deps: ApplicationPagesDeps): void {
  const { db, cursors } = deps;
  registerApplicationDevices(app, deps);
  app.get(
    '/discovered-apps/:entity_id/executables',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List the executables of an app',
        params: EntityParams,
        querystring: ApplicationExecutablesQuery,
        response: { 200: ApplicationExecutablesAnswer },
      },
    },
    async (request) => {
      const { entity_id: entityId } = request.params;
      return loadPage(request, {
        cursors,
        list: 'application-executables',
        by: [entityId],
        fetch: (tenantId, after, limit) => selectExecutables(db, tenantId, entityId, after, limit),
        keyOf: (row) => [String(row.devices), row.path],
        item: ({ path, devices }) => ({ path, devices }),
      });
    },
  );

  app.get(
    '/discovered-apps/:entity_id/launches',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List the launch commands of an app, with secrets redacted',
        params: EntityParams,
        querystring: ApplicationLaunchesQuery,
        response: { 200: ApplicationLaunchesAnswer },
      },
    },
    async (request) => {
      const { entity_id: entityId } = request.params;
      return loadPage(request, {
        cursors,
        list: 'application-launches',
        by: [entityId],
        fetch: (tenantId, after, limit) => selectLaunches(db, tenantId, entityId, after, limit),
        keyOf: (row) => [String(row.devices), row.key],
        item: launchRow,
      });
    },
  );
}

function registerApplicationDevices(app: App, { db, cursors }: ApplicationPagesDeps): void {
  app.get(
    '/discovered-apps/:entity_id/devices',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List the devices with an app installed',
        params: EntityParams,
        querystring: ApplicationDevicesQuery,
        response: { 200: ApplicationDevicesAnswer },
      },
    },
    async (request) => {
      const { entity_id: entityId } = request.params;
      return loadPage(request, {
        cursors,
        list: 'application-devices',
        by: [entityId],
        fetch: (tenantId, after, limit) =>
          selectProductDevices(db, tenantId, entityId, after, limit),
        keyOf: (device) => [device.device_id],
        item: (device) => ({
          ...device,
          first_seen_at: device.first_seen_at.toISOString(),
          last_seen_at: device.last_seen_at.toISOString(),
        }),
      });
    },
  );
}

function registerSimilar(app: App, deps: ApplicationPagesDeps): void {
  const { db } = deps;
  app.get(
    '/discovered-apps/:entity_id/similar',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List similar apps',
        params: EntityParams,
        querystring: NoQuery,
        response: { 200: SimilarAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { entity_id: entityId } = request.params;
      if ((await selectProduct(db, tenantId, entityId, [])) === null)
        throw new HubError('not_found');
      const items = await selectSimilar(db, tenantId, entityId, await deps.coveredByName(tenantId));
      return { items, request_id: request.id };
    },
  );
}

function registerReview(app: App, deps: ApplicationPagesDeps): void {
  const { db } = deps;
  app.post(
    '/discovered-apps/:entity_id/review',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['applications'],
        summary: 'Accept the changes since approval',
        params: EntityParams,
        headers: IfMatch,
        response: { 200: ReviewAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { entity_id: entityId } = request.params;
      if ((await selectProduct(db, tenantId, entityId, [])) === null)
        throw new HubError('not_found');
      const devices = await transact(db, async (tx) => {
        // The same lock as for policies: jobs that compare launches wait for the review.
        await lockFeed(tx, tenantId, 'governance');
        const cleared = await deleteDrifts(tx, tenantId, entityId);
        if (cleared === 0) {
          // The route writes nothing here, so that the clients' version stays valid.
          const version = await selectReviewVersion(tx, tenantId, entityId);
          requireMatchIfSent(request.headers['if-match'], version);
          return 0;
        }
        // New drift raises the version in its own transaction, so the lock of the version misses none.
        const [version = 1] = await bumpReviewVersions(tx, tenantId, [entityId]);
        requireMatchIfSent(request.headers['if-match'], version - 1);
        await recordBaseline(tx, tenantId, entityId, {
          audience: await deps.meantFor(tx, tenantId, entityId),
        });
        await deps.driftChanged(tx, tenantId);
        await recordByPerson(tx, request, {
          operation: 'application.review',
          resource: { kind: 'application', id: entityId },
          detail: { devices: cleared },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
        return cleared;
      });
      return { entity_id: entityId, devices, request_id: request.id };
    },
  );
}

/** On the application's own page; all of them have a list. */
const LAUNCHES_SHOWN = 20;
const EXECUTABLES_SHOWN = 64;

const launchRow = ({ launch, devices }: LaunchRecord) => ({ launch: launchOf(launch), devices });

const FILE_COLUMNS: Columns<ApplicationRow> = {
  name: (row) => row.name,
  publisher: (row) => row.publisher,
  kind: (row) => row.kind,
  source: (row) => row.source,
  platform: (row) => row.platform,
  versions: (row) => row.versions.map(({ version }) => version ?? '').join(' '),
  device_count: (row) => row.device_count,
  approval_status: (row) => row.approval_status,
  execution_policy: (row) => row.execution_policy,
  first_seen_at: (row) => row.first_seen_at,
  last_seen_at: (row) => row.last_seen_at,
  entity_id: (row) => row.entity_id,
  drifted_at: (row) => row.drifted_at,
  named_decision_id: (row) => row.named_decision_id,
};

function applicationRow(record: ProductRecord): ApplicationRow {
  const { sort_key: _key, ...product } = record;
  return {
    ...product,
    versions: shownVersions(product.versions),
    approval_status: product.approval_status ?? 'pending',
    drifted_at: isoOrNull(product.drifted_at),
    first_seen_at: product.first_seen_at.toISOString(),
    last_seen_at: product.last_seen_at.toISOString(),
  };
}
