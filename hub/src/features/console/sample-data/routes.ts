import type { IncomingHttpHeaders } from 'node:http';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  SampleDataAnswer,
  SampleDataLoadedAnswer,
  SampleDataRemovedAnswer,
} from '@gatewarden/shared/wire/console/sample-data.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { outsideTenants } from '../../../platform/db/tenant-connections.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { SampleRefused, type SampleSend, type SampleTokens } from './api.ts';
import { loadSampleData } from './load.ts';
import { removeSampleData } from './remove.ts';
import { isTenantEmpty, selectSampleState } from './store.ts';

export interface SampleDataDeps {
  db: Db;
  /** Calls `work` with tokens of the tenant that end with it. */
  withTokens<T>(tenantId: string, work: (tokens: SampleTokens) => Promise<T>): Promise<T>;
  /** Ends what caches of hubs know of the tenant's tokens and users. */
  invalidate(tx: Tx, tenantId: string): Promise<void>;
}

const RESOURCE = { kind: 'tenant', id: 'sample-data' };

/** Registers the sample data of the tenant. */
export function registerSampleData(app: App, { db, withTokens, invalidate }: SampleDataDeps): void {
  app.get(
    '/sample-data',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['sample-data'],
        summary: 'Check for sample data',
        querystring: NoQuery,
        response: { 200: SampleDataAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const [isEmpty, state] = await Promise.all([
        isTenantEmpty(db, tenantId),
        selectSampleState(db, tenantId),
      ]);
      return { is_empty: isEmpty, ...state, request_id: request.id };
    },
  );

  app.post(
    '/sample-data',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['sample-data'],
        summary: 'Load sample data into an empty tenant',
        response: { 201: SampleDataLoadedAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      if (!(await isTenantEmpty(db, tenantId))) throw new HubError('tenant_not_empty');
      const consoleHeaders = callerHeaders(request.headers);
      const counts = await withTokens(tenantId, (tokens) =>
        loadSampleData({ ...tokens, tenantId, consoleHeaders, send: inProcess(app) }),
      ).catch(explainRefusal);
      await transact(db, (tx) =>
        recordByPerson(tx, request, {
          ...{ operation: 'sample_data.load', resource: RESOURCE },
          detail: counts,
        }),
      );
      return reply.code(201).send({ ...counts, request_id: request.id });
    },
  );

  app.delete(
    '/sample-data',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['sample-data'],
        summary:
          'Delete all devices, policies, alerts, logs and gateway configuration of the tenant',
        response: { 200: SampleDataRemovedAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const rows = await removeSampleData(db, tenantId, async (tx) => {
        await invalidate(tx, tenantId);
        await recordByPerson(tx, request, {
          ...{ operation: 'sample_data.remove', resource: RESOURCE },
          detail: {},
        });
      });
      return { rows, request_id: request.id };
    },
  );
}

/** Throws a conflict for sample data that does not fit the tenant, such as a taken name; other errors as they are. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof SampleRefused) || error.status >= 500) throw error;
  throw new HubError(
    'tenant_not_empty',
    `Sample data conflicts with the organization. Remove the sample data, then load it again. (${error.message})`,
  );
}

/** Returns the headers that authenticate the caller of a console request. */
function callerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      CALLER_HEADERS.has(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

const CALLER_HEADERS = new Set(['authorization', 'cookie', 'x-csrf-token', 'origin', 'host']);

/** Returns a sender that calls this hub's own routes without a connection. */
function inProcess(app: App): SampleSend {
  return async (method, path, { headers, body }) => {
    const payload = body === undefined ? {} : { payload: body };
    // The database role of the calling request must not apply to the requests that it makes.
    const response = await outsideTenants(
      async () => await app.inject({ method, url: path, headers, ...payload }),
    );
    return { status: response.statusCode, text: response.body };
  };
}
