// The console's routes in the process of a command, as the operator of the installation: validation, audit and events are
// those of the console. No port is opened.

import { OPERATOR_PERSON } from '../platform/auth/person.ts';
import { UsageError } from '../platform/config/config.ts';
import type { Context, Secrets } from '../platform/context.ts';
import { startNotifications } from '../platform/feed/notifications.ts';
import { createPageEvents } from '../platform/feed/page-events.ts';
import { CONSOLE_API } from '../platform/http/lists/console-lists.ts';
import type { App } from '../platform/http/server/app.ts';
import { CommandFailed, exitCodeOfStatus } from './exit-codes.ts';
import { createLocalApp } from './local-app.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { registerOperatorPages } from './operator-pages.ts';
import { findTenantNamed, type NamedTenant } from './tenants.ts';

export interface ListOptions {
  tenant?: string;
  limit?: string;
  all?: boolean;
}

/** Values of a query; undefined ones are left out. */
type Query = Readonly<Record<string, string | undefined>>;

/** The console of a tenant. Each call throws CommandFailed with the code of the refusal. */
export interface TenantConsole {
  tenant: NamedTenant;
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  /** Reads pages up to `limit` rows; `truncated`: there are more. */
  list<Row>(
    path: string,
    query: Query,
    page: Pick<ListOptions, 'limit' | 'all'>,
  ): Promise<{ items: Row[]; truncated: boolean }>;
  send<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    request?: { body?: object; ifMatch?: string },
  ): Promise<Answer>;
}

const PAGE_ROWS = 200;

/** Opens the console of the tenant that the options name, and closes it after the work. */
export function withConsole<T>(
  run: CommandRun,
  options: { tenant?: string | undefined },
  work: (console: TenantConsole) => Promise<T>,
): Promise<T> {
  return withContext(run, async (context, secrets) => {
    const tenant = await findTenantNamed(context.database.db, options.tenant);
    const opened = await openConsole(run, context, secrets);
    try {
      return await work(consoleOf(opened.app, tenant));
    } finally {
      await opened.close();
    }
  });
}

async function openConsole(
  run: CommandRun,
  context: Context,
  secrets: Secrets,
): Promise<{ app: App; close(): Promise<void> }> {
  const { db } = context.database;
  const notifications = await startNotifications({
    connection: context.database.connection,
    log: run.log,
    revive: () => context.revive(),
  });
  const pages = createPageEvents(db, run.log);
  const app = await createLocalApp(run, context);
  await app.register(
    async (scope: App) => {
      scope.decorateRequest('person', null);
      scope.addHook('onRequest', async (request) => {
        const { tenant_id: tenantId = '' } = request.params as { tenant_id?: string };
        request.person = { ...OPERATOR_PERSON, tenantId };
      });
      registerOperatorPages(scope, { db, notifications, pages, cursors: secrets.cursors });
    },
    { prefix: `${CONSOLE_API}/tenants/:tenant_id` },
  );
  await app.ready();
  return {
    app,
    async close() {
      await app.close();
      await pages.stop();
      await notifications.stop();
    },
  };
}

function consoleOf(app: App, tenant: NamedTenant): TenantConsole {
  const send: TenantConsole['send'] = async (method, path, request = {}) =>
    call(app, tenant, method, path, request);
  const get = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
    call(app, tenant, 'GET', `${path}${queryText(query)}`, {});
  return {
    tenant,
    get,
    send,
    async list<Row>(path: string, query: Query, page: Pick<ListOptions, 'limit' | 'all'>) {
      const limit = page.all === true ? Number.POSITIVE_INFINITY : rowLimit(page.limit);
      const items: Row[] = [];
      let cursor: string | undefined;
      do {
        const count = Math.min(PAGE_ROWS, limit - items.length);
        const answer = await get<{ items: Row[]; next_cursor: string | null }>(path, {
          ...query,
          limit: String(count),
          cursor,
        });
        items.push(...answer.items);
        cursor = answer.next_cursor ?? undefined;
      } while (cursor !== undefined && items.length < limit);
      return { items, truncated: cursor !== undefined };
    },
  };
}

async function call<Answer>(
  app: App,
  { tenant_id: tenantId }: NamedTenant,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { body, ifMatch }: { body?: object; ifMatch?: string },
): Promise<Answer> {
  const response = await app.inject({
    method,
    url: `${CONSOLE_API}/tenants/${tenantId}${path}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const answer = response.json<Answer & { error?: { code: string; message: string } }>();
  if (response.statusCode < 400) return answer;
  const { code, message } = answer.error ?? { code: 'internal', message: 'internal error' };
  throw new CommandFailed(message, exitCodeOfStatus(response.statusCode), code);
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
}

function rowLimit(text: string | undefined): number {
  const limit = Number(text ?? 100);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UsageError('--limit must be a whole number above 0');
}
