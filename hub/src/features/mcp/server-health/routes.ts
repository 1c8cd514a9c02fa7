// C/mcp/connection-test tests settings that are not saved; C/mcp/backends/{id}/test tests a saved server and records its health.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  type ConnectionTest,
  ConnectionTestAnswer,
  ConnectionTestInput,
} from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type BackendRow,
  type ContentDeps,
  draftBackend,
  selectBackend,
} from '../backends/index.ts';
import type { Backend, Upstreams } from '../upstream/index.ts';
import type { HealthRecorder } from './recorder.ts';
import { testConnection } from './test-connection.ts';

export interface ConnectionTestDeps extends ContentDeps {
  db: Db;
  upstreams: Upstreams;
  health: HealthRecorder;
  /** Returns the server as a target of requests with the credentials of this person. */
  targetFor(person: Person, backend: BackendRow): Backend;
}

/** Registers the tests of connections in the console's API. */
export function registerConnectionTests(app: App, deps: ConnectionTestDeps): void {
  const { db, health, targetFor } = deps;
  app.post(
    '/mcp/connection-test',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['mcp'],
        summary: 'Test the connection to an MCP server before it is saved',
        querystring: NoQuery,
        body: ConnectionTestInput,
        response: { 200: ConnectionTestAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const draft = draftBackend(deps, person.tenantId, request.body);
      const test = await testConnection(deps, targetFor(person, draft), draft.auth.kind);
      return { test, request_id: request.id };
    },
  );
  app.post(
    '/mcp/backends/:backend_id/test',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['mcp'],
        summary: 'Test the connection to an MCP server',
        params: BackendParams,
        querystring: NoQuery,
        response: { 200: ConnectionTestAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const backend = await selectBackend(db, tenantId, request.params.backend_id);
      if (backend === null) throw new HubError('not_found');
      const test = await testConnection(deps, targetFor(person, backend), backend.auth.kind);
      await health.record(
        { tenantId, backendId: backend.backend_id },
        {
          state: STATES[test.outcome],
          error: test.error,
          toolCount: test.outcome === 'connected' ? test.tools.length : null,
        },
      );
      return { test, request_id: request.id };
    },
  );
}

const STATES = {
  connected: 'reachable',
  sign_in_required: 'sign_in_required',
  failed: 'unreachable',
} as const satisfies Record<ConnectionTest['outcome'], string>;
