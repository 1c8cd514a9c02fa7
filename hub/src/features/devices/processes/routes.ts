// Unknown processes and the process map: the device's side and the console's.

import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { findMapping } from '@gatewarden/shared/process-map.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  ProcessMappingAnswer,
  ProcessMappingDeletedAnswer,
  ProcessMappingInput,
  ProcessMappingPreviewAnswer,
  ProcessMappingPreviewInput,
  ProcessMappingsAnswer,
  ProcessMappingsQuery,
} from '@gatewarden/shared/wire/console/processes.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { Type } from 'typebox';
import type { AuditEvent } from '../../../platform/audit.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { auditEventOf, type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { lockFeedShared } from '../../../platform/feed/feed.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkBatchItems } from '../../../platform/http/lists/batch-items.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  etagOf,
  IfMatch,
  matchesIfNoneMatch,
  NotModified,
} from '../../../platform/http/server/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { admitDevice, checkDevice, lockDevices, selectDeviceState } from '../enrollment/index.ts';
import { insertBatches, pairKey, selectBatches } from '../ingest/index.ts';
import { identified } from './identified-processes.ts';
import type { ProcessMaps } from './mapping-cache.ts';
import { type KnownProcess, tryMapping } from './mapping-preview.ts';
import { selectRunningLike, selectUnknownLike } from './mapping-preview-store.ts';
import {
  deleteMapping,
  insertMapping,
  type MappingRecord,
  markMapped,
  selectByMapped,
  selectMapping,
  selectMappings,
  writeUnknownProcesses,
} from './store.ts';
import { registerUnknownPages } from './unknown-routes.ts';

/** The endpoint that its batch ids are bound to. */
const UNKNOWN = 'unknown-processes';

/** The maximum number of examples of each kind in a preview of a mapping. */
const LOOKED_AT = 5_000;

const MappingParams = Type.Object({ tenant_id: Type.String(), mapping_id: Uuid });

interface ProcessDeps {
  db: Db;
  maps: ProcessMaps;
  pages: PageEvents;
  cursors: CursorSealer;
}

export function registerProcessSync(app: App, deps: ProcessDeps): void {
  const unknown = SYNC_ENDPOINTS.unknownProcesses;
  app.post(
    unknown.path,
    {
      config: { sync: 'post' },
      schema: {
        tags: ['device'],
        summary: unknown.summary,
        body: unknown.request,
        response: { 202: unknown.answer },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const { batch_id: batchId, device } = request.body;
      const processes = identified(device.platform, request.body.processes);
      checkBatchItems('processes', processes, 'process_id');
      const bodyHash = request.bodyHash ?? Buffer.alloc(0);
      const known = (await deps.maps.of(agent.tenantId)).answer;
      await transact(deps.db, async (tx) => {
        const deviceId = device.device_id.toLowerCase();
        const key = { tenantId: agent.tenantId, deviceId, platform: device.platform };
        const batch = { deviceId, batchId: batchId.toLowerCase(), bodyHash };
        const devices = await lockDevices(tx, agent.tenantId, [deviceId]);
        const row = devices.get(deviceId) ?? null;
        checkDevice(agent, deviceId, row);
        // Earlier reports are obsolete.
        if (row !== null && (await wasStored(tx, agent.tenantId, batch))) return;
        await admitDevice(tx, agent, device, new Date());
        // The same report of a new device may have arrived at the same moment.
        if (row === null && (await wasStored(tx, agent.tenantId, batch))) return;
        // The map's number is locked, so that a mapping that is created meanwhile waits and then finds this process.
        const version = await lockFeedShared(tx, agent.tenantId, 'process_map');
        const mappings =
          version === known.version ? known.mappings : await selectMappings(tx, agent.tenantId);
        await writeUnknownProcesses(
          tx,
          key,
          processes.map((process) => ({
            ...process,
            mapped: findMapping(mappings, device.platform, process.name) !== null,
          })),
        );
        await insertBatches(tx, agent.tenantId, [
          {
            deviceId,
            batchId: batch.batchId,
            endpoint: UNKNOWN,
            body_hash: bodyHash,
            accepted: processes.length,
            unchanged: 0,
            mentions: null,
          },
        ]);
      });
      deps.pages.announce(agent.tenantId, 'unknown-processes');
      return reply
        .code(202)
        .send({ batch_id: batchId, accepted: processes.length, request_id: request.id });
    },
  );
  registerProcessMapSync(app, deps);
}

function registerProcessMapSync(app: App, deps: ProcessDeps): void {
  const map = SYNC_ENDPOINTS.processMap;
  app.get(
    map.path,
    {
      config: { sync: 'get' },
      schema: {
        tags: ['device'],
        summary: map.summary,
        response: { 200: map.answer, 304: NotModified },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const deviceId = agent.deviceId ?? '';
      checkDevice(agent, deviceId, await selectDeviceState(deps.db, agent.tenantId, deviceId));
      const current = await deps.maps.of(agent.tenantId);
      reply.header('etag', current.etag);
      if (matchesIfNoneMatch(request.headers['if-none-match'], current.etag)) {
        return reply.code(304).send();
      }
      return current.answer;
    },
  );
}

/** True for a repeat. Throws `batch_id_reused` where another body had that id. */
async function wasStored(
  tx: Tx,
  tenantId: string,
  batch: { deviceId: string; batchId: string; bodyHash: Buffer },
): Promise<boolean> {
  const stored = await selectBatches(tx, tenantId, [batch]);
  const before = stored.get(pairKey(batch.deviceId, batch.batchId));
  if (before === undefined) return false;
  if (before.endpoint !== UNKNOWN || !before.body_hash.equals(batch.bodyHash)) {
    throw new HubError('batch_id_reused');
  }
  return true;
}

export function registerProcessPages(app: App, deps: ProcessDeps): void {
  registerUnknownPages(app, deps);
  registerMappingReading(app, deps);
  app.post(
    '/process-mappings',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['processes'],
        summary: 'Create a process mapping',
        body: ProcessMappingInput,
        response: { 201: ProcessMappingAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const input = request.body;
      for (const field of ['process_name', 'application_name'] as const) {
        if (foldName(input[field]) === '') {
          throw new HubError('invalid_request', `/${field} must not be blank`);
        }
      }
      const mapping: MappingRecord = {
        mapping_id: randomUUID(),
        process_name: input.process_name.trim(),
        platform: input.platform ?? null,
        match: input.match,
        application_name: input.application_name.trim(),
        entity_id: input.entity_id ?? null,
        created_at: new Date(),
        created_by: person.email,
      };
      const created = await recordedCreation(deps.db, {
        tenantId: person.tenantId,
        feed: 'process_map',
        page: 'process-map',
        store: async (tx) => {
          const stored = await insertMapping(tx, person.tenantId, mapping);
          if (stored === null) {
            throw new HubError('already_exists', 'This process name already has a mapping.');
          }
          await markMapped(tx, person.tenantId, {
            ids: await fitting(tx, person.tenantId, { mapped: false, by: [stored] }),
            mapped: true,
          });
          return stored;
        },
        audit: (stored) =>
          mappingEvent(
            person,
            { operation: 'process_mapping.create', requestId: request.id },
            stored,
          ),
      });
      deps.maps.forget(person.tenantId);
      deps.pages.announce(person.tenantId, 'unknown-processes');
      return reply
        .code(201)
        .header('etag', etagOf(VERSION))
        .send({ mapping: mappingRow(created), request_id: request.id });
    },
  );
  registerMappingDeletion(app, deps);
}

function registerMappingReading(app: App, deps: ProcessDeps): void {
  app.get(
    '/process-mappings',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['processes'],
        summary: 'List process mappings',
        querystring: ProcessMappingsQuery,
        response: { 200: ProcessMappingsAnswer },
      },
    },
    (request) => {
      const { query } = request.query;
      return loadPage(request, {
        cursors: deps.cursors,
        list: 'process-mappings',
        by: [query ?? null],
        fetch: (tenantId, after, limit) =>
          selectMappings(deps.db, tenantId, { query, after, limit }),
        keyOf: (row) => [foldName(row.process_name), row.mapping_id],
        item: mappingRow,
      });
    },
  );

  app.post(
    '/process-mappings/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['processes'],
        summary: 'Preview the processes that a mapping would cover',
        body: ProcessMappingPreviewInput,
        response: { 200: ProcessMappingPreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { mappings } = (await deps.maps.of(tenantId)).answer;
      const of = request.body;
      const [unknown, running] = await Promise.all([
        selectUnknownLike(deps.db, tenantId, of, LOOKED_AT + 1),
        selectRunningLike(deps.db, tenantId, of, LOOKED_AT + 1),
      ]);
      const looked = (found: KnownProcess[]) => ({
        found: found.slice(0, LOOKED_AT),
        isAll: found.length <= LOOKED_AT,
      });
      const tried = tryMapping(of, mappings, {
        unknown: looked(unknown),
        running: looked(running),
      });
      return { ...tried, request_id: request.id };
    },
  );
}

function registerMappingDeletion(app: App, deps: ProcessDeps): void {
  app.delete(
    '/process-mappings/:mapping_id',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['processes'],
        summary: 'Delete a process mapping',
        params: MappingParams,
        headers: IfMatch,
        response: { 200: ProcessMappingDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const gone = await versionedWrite(deps.db, {
        tenantId,
        feed: 'process_map',
        page: 'process-map',
        ifMatch: request.headers['if-match'],
        async load(tx) {
          const found = await selectMapping(tx, tenantId, request.params.mapping_id);
          return found === null ? null : { ...found, version: VERSION };
        },
        change: (before) => before,
        async store(tx, before) {
          if (!(await deleteMapping(tx, tenantId, before.mapping_id))) return null;
          const others = await selectMappings(tx, tenantId);
          const mapped = new Set(await fitting(tx, tenantId, { mapped: true, by: others }));
          const ids = await fitting(tx, tenantId, { mapped: true, by: [before] });
          // A process without another matching mapping is unknown again.
          await markMapped(tx, tenantId, {
            ids: ids.filter((id) => !mapped.has(id)),
            mapped: false,
          });
          return before;
        },
        audit: (before) =>
          mappingEvent(
            person,
            { operation: 'process_mapping.delete', requestId: request.id },
            before,
          ),
      });
      deps.maps.forget(tenantId);
      deps.pages.announce(tenantId, 'unknown-processes');
      return { mapping_id: gone.mapping_id, deleted: true as const, request_id: request.id };
    },
  );
}

/** Returns the ids of the processes, mapped or not, that match any of these mappings. */
async function fitting(
  tx: Tx,
  tenantId: string,
  which: { mapped: boolean; by: readonly MappingRecord[] },
): Promise<string[]> {
  const found = await selectByMapped(tx, tenantId, which.mapped);
  return found.flatMap((row) =>
    findMapping(which.by, row.platform, row.name) === null ? [] : row.process_id,
  );
}

/** A mapping is made and withdrawn, never changed. */
const VERSION = 1;

function mappingRow(record: MappingRecord) {
  return { ...record, version: etagOf(VERSION), created_at: record.created_at.toISOString() };
}

function mappingEvent(
  person: Person,
  act: { operation: AuditOperation; requestId: string },
  mapping: MappingRecord,
): AuditEvent {
  return auditEventOf(person, act.requestId, {
    operation: act.operation,
    resource: { kind: 'process_mapping', id: mapping.mapping_id },
    detail: mappingRow(mapping),
  });
}
