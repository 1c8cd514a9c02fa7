// `dump`, `diff` and `apply`: a tenant's configuration as a file. With --url they speak to a hub over the network with a
// management key; without it they ask the very same routes in this process, as the operator of the installation.

import { readFile } from 'node:fs/promises';
import {
  createManagementClient,
  type ManagementClient,
  ManagementError,
} from '@gatewarden/management-client';
import { describeCertificateError } from '@gatewarden/shared/certificates.ts';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { RESOURCE_PREFIX, resourceRoutes } from '../app/management.ts';
import { operatorGate, prepareScope, registerFamily } from '../features/management/auth/index.ts';
import { selectPolicyAuthority } from '../features/management/catalogs/index.ts';
import {
  ApplyError,
  applyTenant,
  type Difference,
  differenceText,
  diffTenant,
  dumpTenant,
  PlanError,
} from '../features/management/tenant-file/index.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import type { Context, Secrets } from '../platform/context.ts';
import { createOutbound } from '../platform/http/outbound/outbound.ts';
import { CommandFailed, exitCodeOf } from './exit-codes.ts';
import { createLocalApp } from './local-app.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { findTenantNamed } from './tenants.ts';

export interface TenantFileOptions {
  /** Which tenant, where no hub is named. */
  tenant?: string;
  /** The origin of a hub; the key is read from GATEWARDEN_MANAGEMENT_KEY. */
  url?: string;
}

/** Nothing but the file goes to standard output, unless --json wraps it. */
export function runDump(run: CommandRun, options: TenantFileOptions): Promise<{ file: string }> {
  return withClient(run, options, async (client) => ({ file: await dumpTenant(client) }));
}

/** With `exitCode` a difference ends with 1, and every failure with 2 or more, for pipelines. */
export function runDiff(
  run: CommandRun,
  options: TenantFileOptions & { file: string; exitCode?: boolean },
) {
  const work = withClient(run, options, async (client) => {
    const found = await diffTenant(client, await textOf(options.file), process.env);
    return options.exitCode === true ? { ok: found.in_sync, ...found } : found;
  });
  return options.exitCode === true ? work.catch(failApartFromDifference) : work;
}

export function runApply(
  run: CommandRun,
  options: TenantFileOptions & { file: string; dryRun?: boolean },
): Promise<object> {
  return withClient(run, options, async (client) => {
    const text = await textOf(options.file);
    return options.dryRun === true
      ? { dry_run: true, ...(await diffTenant(client, text, process.env)) }
      : applyTenant(client, text, process.env, ({ step, steps, resource }) =>
          run.progress?.report(`apply: step ${step} of ${steps}, ${resource}`),
        );
  });
}

/** Returns the readable form of an answer with `changes`. */
export function readableDifference(answer: object): string {
  return differenceText(answer as Difference);
}

/** A failure must not look like a difference. Throws the error with an exit code of its own. */
function failApartFromDifference(error: unknown): never {
  const code = exitCodeOf(error);
  throw new CommandFailed(error, code === EXIT.negative ? EXIT.usage : code);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${file} cannot be read (${code})`);
  }
}

async function withClient<T>(
  run: CommandRun,
  { tenant, url }: TenantFileOptions,
  work: (client: ManagementClient) => Promise<T>,
): Promise<T> {
  if ((tenant === undefined) === (url === undefined)) {
    throw new UsageError('use either --tenant TENANT or --url ORIGIN');
  }
  try {
    if (url !== undefined) return await work(remoteClient(url));
    return await withContext(run, async (context, secrets) => {
      const { tenant_id: tenantId } = await findTenantNamed(context.database.db, tenant);
      return work(await operatorClient(run, context, secrets, tenantId));
    });
  } catch (error) {
    if (error instanceof ApplyError) {
      const done = error.done.length === 0 ? 'nothing was changed' : `done: ${error.done.length}`;
      throw new ConfigError(`${error.message} (${done})`, { cause: error });
    }
    if (error instanceof PlanError) throw new ConfigError(error.message, { cause: error });
    throw url === undefined ? error : remoteFailure(error, url);
  }
}

/** Returns the failure of a hub over the network with the next step, or the error itself if it needs none. */
function remoteFailure(error: unknown, url: string): unknown {
  // Every tenant has lists of providers and apps: without them there is no management API at this address.
  const isAbsent = error instanceof ManagementError && error.status === 404;
  // A page that is no JSON is of another server.
  if (isAbsent || error instanceof SyntaxError) {
    return new CommandFailed(
      `there is no management API at ${url}: correct the address, or set LLMGATEWAY_MANAGEMENT_API_ENABLED=true at that hub and restart it`,
      EXIT.refused,
      'not_found',
    );
  }
  const { cause } = error as { cause?: { code?: string; message?: string } };
  if (!(error instanceof TypeError) || cause === undefined) return error;
  const reason = describeCertificateError(error) ?? cause.code ?? cause.message;
  return new ConfigError(`${url} cannot be reached (${reason})`, { cause: error });
}

function remoteClient(url: string): ManagementClient {
  const token = process.env.GATEWARDEN_MANAGEMENT_KEY ?? '';
  if (token === '') {
    throw new UsageError('GATEWARDEN_MANAGEMENT_KEY is not set: it must be a management key');
  }
  if (!URL.canParse(url)) throw new UsageError('--url must be the origin of a hub');
  return createManagementClient({ baseUrl: url, token });
}

/** The resource routes, asked without a network: no port is opened, and no management key is needed. */
async function operatorClient(
  run: CommandRun,
  context: Context,
  { cursors }: Secrets,
  tenantId: string,
): Promise<ManagementClient> {
  const { config } = run;
  const { database, sealer } = context;
  const origin = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const outbound = createOutbound({
    allowed: config.allowedPrivateNetworks,
    own: { port: config.port, origin },
  });
  const app = await createLocalApp(run, context);
  const routes = resourceRoutes(app, {
    config,
    db: database.db,
    sealer,
    cursors,
    outbound,
    policyOf: (tenant) => selectPolicyAuthority(database.db, tenant),
  });
  await app.register(
    async (scope: typeof app) => {
      prepareScope(scope);
      scope.addHook('onRequest', operatorGate(tenantId));
      registerFamily(scope, routes, { family: 'resource', tag: 'management' });
    },
    { prefix: RESOURCE_PREFIX },
  );
  await app.ready();
  return createManagementClient({
    baseUrl: origin,
    token: 'operator',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await app.inject({
        method: request.method as 'GET',
        url: `${pathname}${search}`,
        headers: Object.fromEntries(request.headers),
        payload: Buffer.from(await request.arrayBuffer()),
      });
      const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      return new Response(answer.rawPayload, { status: answer.statusCode, headers });
    },
  });
}
