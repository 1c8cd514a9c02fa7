// Composes the MCP gateway: its OAuth server, what opens its URLs, and the pages that administer it.
import type { Logger } from 'pino';
import {
  type BackendFinder,
  createBackendFinder,
  registerBackendPages,
} from './features/mcp/backends/index.ts';
import { mayBeScheme, type Namespace, registerOAuth } from './features/mcp/oauth/index.ts';
import { registerMcpSettings } from './features/mcp/settings/index.ts';
import {
  createTokenCheck,
  registerMcpTokens,
  type TokenCheck,
} from './features/mcp/tokens/index.ts';
import {
  type SessionCookie,
  type SignIn,
  selectMemberships,
} from './features/people/identity/index.ts';
import { findTenant } from './features/people/tenants/index.ts';
import type { Config } from './platform/config/config.ts';
import type { Sealer } from './platform/crypto/seal.ts';
import type { Database, Db } from './platform/db/database.ts';
import type { Notifications } from './platform/feed/notifications.ts';
import type { App } from './platform/http/app.ts';
import type { CursorSealer } from './platform/http/cursors.ts';
import type { Outbound } from './platform/http/outbound.ts';

/** What stands before every MCP URL; made once, for it remembers. */
export interface McpDoor {
  check: TokenCheck;
  finder: BackendFinder;
}

export function createMcpDoor(db: Db, log: Logger, notifications: Notifications): McpDoor {
  return {
    check: createTokenCheck({ db, log, notifications, membershipsOf: selectMemberships }),
    finder: createBackendFinder(db, notifications),
  };
}

export interface McpParts {
  config: Config;
  origin: string;
  database: Database;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  mcpDoor: McpDoor;
}

/** What MCP clients reach. */
export async function registerMcp(
  app: App,
  parts: McpParts & { cookie: SessionCookie; signIn: SignIn },
): Promise<void> {
  const { db } = parts.database;
  await registerOAuth(app, {
    db,
    origin: parts.origin,
    sealer: parts.sealer,
    cookie: parts.cookie,
    signIn: parts.signIn,
    check: parts.mcpDoor.check,
    pkce: parts.config.mcpPkce,
    membershipsOf: (emailFolded) => selectMemberships(db, emailFolded),
    namespaceOf: (params, isRoot) => namespaceOf(db, parts.mcpDoor.finder, params, isRoot),
  });
}

/** Below the console's gate. */
export function registerMcpPages(scope: App, parts: McpParts): void {
  const { db } = parts.database;
  const { sealer, cursors } = parts;
  const { check, finder } = parts.mcpDoor;
  registerBackendPages(scope, { db, sealer, cursors, checkUrl: parts.outbound.check, finder });
  registerMcpSettings(scope, { db, forget: check.forgetSettings, mayBeScheme });
  registerMcpTokens(scope, { db, cursors, check });
}

async function namespaceOf(
  db: Db,
  finder: BackendFinder,
  params: { tenant_id?: string; backend?: string },
  isRoot: boolean,
): Promise<Namespace | null> {
  if (isRoot) return { kind: 'root' };
  if (params.backend !== undefined) {
    const found = await finder.find(params.backend);
    const tenant = found === null ? null : await findTenant(db, found.tenant_id);
    if (found === null || tenant === null) return null;
    return {
      kind: 'backend',
      tenantId: tenant.tenant_id,
      tenantName: tenant.name,
      backendId: found.backend_id,
      backendName: found.name,
      segment: params.backend,
    };
  }
  if (params.tenant_id === undefined) {
    return { kind: 'aggregated', tenantId: null, tenantName: null };
  }
  const tenant = await findTenant(db, params.tenant_id);
  if (tenant === null) return null;
  return { kind: 'aggregated', tenantId: tenant.tenant_id, tenantName: tenant.name };
}
