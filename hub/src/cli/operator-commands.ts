// The operator commands: each opens the context, does one thing and gives one JSON document. They work beside a
// running hub on the same data folder and without one.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Progress } from '@gatewarden/shared/cli/progress.ts';
import { SCOPES, type Scope } from '@gatewarden/shared/wire/management/common.ts';
import type { Logger } from 'pino';
import { createAgentToken } from '../features/devices/enrollment/index.ts';
import {
  createExportKey,
  listExportKeys,
  revokeByOperator,
} from '../features/logs/export-keys/index.ts';
import { findApp } from '../features/management/apps/index.ts';
import { importCatalog } from '../features/management/imports/index.ts';
import { createManagementKey } from '../features/management/keys/index.ts';
import { optIn } from '../features/management/settings/index.ts';
import { backendWith } from '../features/mcp/backends/index.ts';
import { createNodeToken } from '../features/nodes/tokens/index.ts';
import {
  changeUser,
  createAdminToken,
  createUser,
  listUsers,
  parseRole,
} from '../features/people/identity/index.ts';
import { createTenant, listTenants } from '../features/people/tenants/index.ts';
import { type Config, ConfigError, UsageError } from '../platform/config/config.ts';
import { type Context, openContext, type Secrets } from '../platform/context.ts';
import type { Db } from '../platform/db/database.ts';
import { ensureSchema, migrate, migrationNames, schemaState } from '../platform/db/migrate.ts';
import { requireServer } from '../platform/db/server-requirements.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import { resolveOrigin } from '../platform/installation.ts';
import { findTenantNamed } from './tenants.ts';
import { requireConsent, type Terminal } from './terminal.ts';

export interface CommandRun {
  config: Config;
  log: Logger;
  /** For --password-stdin. */
  stdin: NodeJS.ReadableStream;
  /** The command begins an installation in a database that has none. */
  mayCreate?: boolean;
  /** For questions; left out where nobody can answer. */
  terminal?: Terminal;
  progress?: Progress;
}

type Work<T> = (context: Context, secrets: Secrets) => Promise<T>;

/** Opens the database for a command, migrates it, and closes it after the work. */
export async function withContext<T>(run: CommandRun, work: Work<T>): Promise<T> {
  const context = await openContext(run.config, run.log);
  try {
    const { isNew } = await schemaState(context.database.db);
    if (isNew && run.mayCreate !== true) {
      throw new ConfigError('the database holds no installation: begin one with "migrate"');
    }
    await ensureSchema(context.database.db, run.config.migrate);
    return await work(context, await context.loadSecrets());
  } finally {
    await context.close();
  }
}

/** Migrates the database to this version, regardless of HUB_MIGRATE. */
export async function runMigrate(run: CommandRun): Promise<{ migrated: string[] }> {
  const context = await openContext(run.config, run.log);
  try {
    const { unknown, isNew } = await schemaState(context.database.db);
    await requireServer(context.database.db, isNew);
    if (unknown.length > 0) {
      throw new ConfigError(`the database is of a newer version (${unknown[0]})`);
    }
    const names = migrationNames();
    const report = (name: string) => run.progress?.report(`migrate: ${name} of ${names.at(-1)}`);
    return { migrated: await migrate(context.database.db, { names, onMigrated: report }) };
  } finally {
    await context.close();
  }
}

export function runTenantCreate(run: CommandRun, options: { name: string; id?: string }) {
  return withContext(run, async ({ database }) => {
    const { tenant_id } = await createTenant(database.db, options.name, options.id);
    return { tenant_id };
  });
}

export function runTenantList(run: CommandRun) {
  return withContext(run, async ({ database }) => ({ tenants: await listTenants(database.db) }));
}

export interface UserOptions {
  tenant: string;
  email: string;
  role: string;
  passwordStdin?: boolean;
}

export function runUserCreate(run: CommandRun, options: UserOptions) {
  return withContext(run, async ({ database: { db } }) => {
    const isEmbedded = run.config.login === null;
    if (isEmbedded !== (options.passwordStdin === true)) {
      throw new UsageError(
        isEmbedded
          ? '--password-stdin is required: the password is read from standard input'
          : 'people sign in at LOGIN_ISSUER: leave out --password-stdin',
      );
    }
    const { tenant_id } = await findTenantNamed(db, options.tenant);
    const role = parseRole(options.role);
    const password = isEmbedded ? await passwordFrom(run) : null;
    const { user_id } = await createUser(db, {
      tenantId: tenant_id,
      email: options.email,
      role,
      password,
    });
    return { user_id };
  });
}

export function runUserList(run: CommandRun, options: { tenant?: string }) {
  return withContext(run, async ({ database: { db } }) => {
    const tenant = options.tenant === undefined ? null : await findTenantNamed(db, options.tenant);
    return { users: await listUsers(db, tenant?.tenant_id ?? null) };
  });
}

export interface UserChangeOptions {
  tenant: string;
  user: string;
  role?: string;
  passwordStdin?: boolean;
}

export function runUserChange(run: CommandRun, options: UserChangeOptions) {
  return withContext(run, async ({ database: { db } }) => {
    const { role, passwordStdin = false } = options;
    if (role === undefined && !passwordStdin) {
      throw new UsageError('--role or --password-stdin is required');
    }
    if (passwordStdin && run.config.login !== null) {
      throw new UsageError('people sign in at LOGIN_ISSUER: their passwords are kept there');
    }
    const { tenant_id } = await findTenantNamed(db, options.tenant);
    return changeUser(db, tenant_id, userIdNamed(options.user), {
      ...(role === undefined ? {} : { role: parseRole(role) }),
      password: passwordStdin ? await passwordFrom(run) : null,
    });
  });
}

const passwordFrom = async (run: CommandRun): Promise<string> =>
  (await text(run.stdin)).replace(/\r?\n$/, '');

function userIdNamed(given: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) {
    throw new UsageError('--user must be a user id');
  }
  return given.toLowerCase();
}

export function runTokenAdmin(
  run: CommandRun,
  options: { tenant: string; email: string; role: string },
) {
  return withContext(run, async ({ database: { db }, sealer }, { installation }) => {
    refuseOwnProvider(run.config);
    const { tenant_id } = await findTenantNamed(db, options.tenant);
    const token = await createAdminToken(db, sealer, {
      origin: resolveOrigin(run.config, installation),
      tenantId: tenant_id,
      email: options.email,
      role: parseRole(options.role),
    });
    return { token };
  });
}

/** Catalogs, legacy apps and policy authority from a file. */
export function runCatalogImport(run: CommandRun, options: { tenant: string; file: string }) {
  return withContext(run, async ({ database: { db }, sealer }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    const read = await readFile(options.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(`${options.file} cannot be read (${error.code})`);
    });
    return importCatalog({ db, sealer }, tenantId, read);
  });
}

export interface ManagementKeyOptions {
  tenant: string;
  name: string;
  scopes?: string;
  expiresIn?: string;
}

/** A management key from the command line; opts the tenant in, for a key of a suspended tenant opens nothing. */
export function runKeyManagement(run: CommandRun, options: ManagementKeyOptions) {
  return withContext(run, async ({ database: { db } }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    const name = options.name.trim();
    if (name === '' || name.length > 200) throw new UsageError('--name must be 1-200 characters');
    const scopes = scopesNamed(options.scopes);
    await optIn(db, tenantId);
    const wanted = { name, scopes, expiresAt: expiry(options.expiresIn) };
    return createManagementKey(db, tenantId, wanted);
  });
}

function scopesNamed(text: string | undefined): Scope[] {
  const named = text === undefined ? SCOPES : text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown !== undefined || named.length === 0) {
    throw new UsageError(`--scopes must be some of ${SCOPES.join(',')}`);
  }
  return [...new Set(named)] as Scope[];
}

export interface ExportKeyOptions {
  tenant: string;
  app?: string;
  allApps?: boolean;
  backend?: string;
  allBackends?: boolean;
  name?: string;
  expiresIn?: string;
}

/** A log-export key; its scope is one of four. */
export function runKeyExport(run: CommandRun, options: ExportKeyOptions) {
  return withContext(run, async ({ database: { db }, sealer }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    const { app, backend } = options;
    const scopes = [app, options.allApps, backend, options.allBackends];
    if (scopes.filter((item) => item !== undefined).length !== 1) {
      throw new UsageError('use one of --app NAME, --all-apps, --backend ID and --all-backends');
    }
    const found = {
      app: app === undefined ? null : await appNamed(db, tenantId, app),
      backend: backend === undefined ? null : await backendNamed(db, tenantId, backend),
    };
    return createExportKey(
      { db, sealer },
      {
        tenantId,
        scope:
          app !== undefined
            ? 'app'
            : backend !== undefined
              ? 'backend'
              : options.allApps === true
                ? 'all_apps'
                : 'all_backends',
        appId: found.app?.app_id ?? null,
        backendId: found.backend?.backend_id ?? null,
        name: options.name,
        expiresAt: expiry(options.expiresIn),
      },
    );
  });
}

function appNamed(db: Db, tenantId: string, name: string) {
  return findApp(db, tenantId, name).catch((error: unknown) => {
    if (!(error instanceof HubError)) throw error;
    throw new ConfigError(`the tenant has no app "${name}", or several of that name`);
  });
}

async function backendNamed(db: Db, tenantId: string, id: string) {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const found = isId ? await backendWith(db, tenantId, id.toLowerCase()) : null;
  if (found === null) throw new ConfigError(`the tenant has no MCP backend ${id}`);
  return found;
}

export function runKeyList(run: CommandRun, options: { tenant?: string }) {
  return withContext(run, async ({ database: { db } }) => {
    const tenant = options.tenant === undefined ? null : await findTenantNamed(db, options.tenant);
    return { keys: await listExportKeys(db, tenant?.tenant_id ?? null) };
  });
}

export function runKeyRevoke(run: CommandRun, options: { keyId: string; yes?: boolean }) {
  return withContext(run, async ({ database: { db } }) => {
    const consent = { yes: options.yes, isScripted: true };
    await requireConsent(run.terminal, consent, `Revoke the log-export key ${options.keyId}?`);
    await revokeByOperator(db, options.keyId);
    return { key_id: options.keyId, revoked: true };
  });
}

export interface NodeTokenOptions {
  name: string;
  tenant?: string;
  allTenants?: boolean;
}

export function runTokenNode(run: CommandRun, options: NodeTokenOptions) {
  return withContext(run, async ({ database: { db } }) => {
    if ((options.tenant === undefined) === (options.allTenants !== true)) {
      throw new UsageError('use either --tenant TENANT or --all-tenants');
    }
    const tenant = options.tenant === undefined ? null : await findTenantNamed(db, options.tenant);
    return createNodeToken(db, { name: options.name, tenantId: tenant?.tenant_id ?? null });
  });
}

export interface AgentTokenOptions {
  tenant: string;
  name: string;
  expiresIn?: string;
  enrolOnly?: boolean;
}

export function runTokenAgent(run: CommandRun, options: AgentTokenOptions) {
  return withContext(run, async ({ database: { db } }) => {
    const { tenant_id } = await findTenantNamed(db, options.tenant);
    return createAgentToken(db, {
      tenantId: tenant_id,
      name: options.name,
      expiresAt: expiry(options.expiresIn),
      enrolOnly: options.enrolOnly === true,
    });
  });
}

function refuseOwnProvider(config: Config): void {
  if (config.login !== null) {
    throw new ConfigError(
      'people sign in at LOGIN_ISSUER: administrators get their tokens there, not here',
    );
  }
}

/** `30d`, `12h`, `45m`; undefined: never. */
export function expiry(duration: string | undefined): Date | null {
  if (duration === undefined) return null;
  const found = /^([1-9]\d{0,5})([mhd])$/.exec(duration);
  if (found === null) throw new UsageError('--expires-in must be like 30d, 12h or 45m');
  const unit = { m: 60_000, h: 3_600_000, d: 86_400_000 }[found[2] ?? 'd'] ?? 0;
  return new Date(Date.now() + Number(found[1]) * unit);
}
