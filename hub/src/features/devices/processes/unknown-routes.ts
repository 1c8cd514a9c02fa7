// C/unknown-processes: what runs on devices and has no name yet, grouped; by page and as a file.
import {
  UnknownProcessesDownloadQuery,
  UnknownProcessesList,
  UnknownProcessesQuery,
  type UnknownProcessRow,
} from '@gatewarden/shared/wire/console/processes.ts';
import type { Db } from '../../../platform/db/database.ts';
import { loadPage, type TenantList } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectUnknownProcesses, type UnknownProcessRecord } from './store.ts';

export function registerUnknownPages(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const unknown = (
    query: string | undefined,
  ): TenantList<UnknownProcessRecord, UnknownProcessRow> => ({
    cursors: deps.cursors,
    list: 'unknown-processes',
    by: [query ?? null],
    fetch: (tenantId, after, limit) =>
      selectUnknownProcesses(deps.db, tenantId, query, after, limit),
    keyOf: (row) => [row.name_folded, row.process_id],
    item: ({ name_folded: _key, ...row }) => ({
      ...row,
      first_seen_at: row.first_seen_at.toISOString(),
      last_seen_at: row.last_seen_at.toISOString(),
    }),
  });

  app.get(
    '/unknown-processes',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['processes'],
        summary: 'List unidentified processes over all devices',
        querystring: UnknownProcessesQuery,
        response: { 200: UnknownProcessesList },
      },
    },
    async (request) => loadPage(request, unknown(request.query.query)),
  );

  app.get(
    '/unknown-processes/download',
    fileRoute('Viewer', 'processes', 'the unidentified processes', UnknownProcessesList, {
      querystring: UnknownProcessesDownloadQuery,
    }),
    (request, reply) => {
      const { format, query } = request.query;
      return sendTenantFile(request, reply, unknown(query), { format, columns: COLUMNS });
    },
  );
}

const COLUMNS: Columns<UnknownProcessRow> = {
  name: (row) => row.name,
  executable_path: (row) => row.executable_path,
  platform: (row) => row.platform,
  publisher: (row) => row.publisher,
  device_count: (row) => row.device_count,
  first_seen_at: (row) => row.first_seen_at,
  last_seen_at: (row) => row.last_seen_at,
  sha256: (row) => row.sha256,
  process_id: (row) => row.process_id,
};
