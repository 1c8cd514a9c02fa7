// C/mcp/settings, and the settings for the OAuth server and the gateway.
import {
  McpSettingsAnswer,
  McpSettingsInput,
} from '@gatewarden/shared/wire/console/mcp-settings.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { type McpSettings, selectSettings, storeSettings } from './store.ts';

export const SETTINGS_CACHE = 'mcp-settings';
/** Cache key of the allowed clients of all tenants. */
export const ALL_SETTINGS_CACHE = 'mcp-settings-of-all';
export const ALL_SETTINGS = 'all';

const DEFAULTS: McpSettings = {
  allowed_email_domains: [],
  company_domain_aliases: [],
  redirect_https: [],
  redirect_schemes: [],
  redirect_clients: [],
  allowed_origins: [],
  version: 1,
};

/** Returns the settings of the tenant, or the defaults. */
export async function settingsOf(db: Db, tenantId: string): Promise<McpSettings> {
  return (await selectSettings(db, tenantId)) ?? DEFAULTS;
}

/** Whether the tenant lets this address use the gateway; `alias`: as `mcpuser` of a direct API token. */
export function isAllowedAddress(
  settings: McpSettings,
  email: string,
  as: 'member' | 'mcpuser',
): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const { allowed_email_domains: allowed, company_domain_aliases: aliases } = settings;
  if (as === 'member') return allowed.length === 0 || allowed.includes(domain);
  return allowed.includes(domain) || aliases.includes(domain);
}

interface McpSettingsDeps {
  db: Db;
  forget(tenantId: string): void;
  mayBeScheme(scheme: string): boolean;
  mayBeTarget(listed: string): boolean;
}

export function registerMcpSettings(app: App, deps: McpSettingsDeps): void {
  const { db } = deps;
  app.get(
    '/mcp/settings',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Get the MCP gateway settings',
        response: { 200: McpSettingsAnswer },
      },
    },
    async (request, reply) => {
      const settings = await settingsOf(db, personOf(request).tenantId);
      reply.header('etag', etagOf(settings.version));
      return { settings: wire(settings), request_id: request.id };
    },
  );
  app.put(
    '/mcp/settings',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Update the MCP gateway settings',
        headers: IfMatch,
        body: McpSettingsInput,
        response: { 200: McpSettingsAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const sent = request.body;
      checkRedirectUris(sent, deps);
      const stored = await transact(db, async (tx) => {
        const before = await settingsOf(tx, tenantId);
        // A script that states the whole need not have read it before.
        if (request.headers['if-match'] !== undefined) {
          requireMatch(request.headers['if-match'], before.version);
        }
        const lower = (values: readonly string[] | undefined, kept: string[]) =>
          values === undefined ? kept : [...new Set(values.map((item) => item.toLowerCase()))];
        const after = {
          allowed_email_domains: lower(sent.allowed_email_domains, before.allowed_email_domains),
          company_domain_aliases: lower(sent.company_domain_aliases, before.company_domain_aliases),
          redirect_https: sent.redirect_uris?.https ?? before.redirect_https,
          redirect_schemes: sent.redirect_uris?.schemes ?? before.redirect_schemes,
          redirect_clients: sent.redirect_uris?.clients ?? before.redirect_clients,
          allowed_origins: lower(sent.allowed_origins, before.allowed_origins),
        };
        const { version: _version, ...was } = before;
        if (JSON.stringify(was) === JSON.stringify(after)) return before;
        const written = await storeSettings(tx, tenantId, before.version, after);
        if (written === null) throw new HubError('precondition_failed');
        await recordByPerson(tx, request, {
          operation: 'mcp_settings.update',
          resource: { kind: 'tenant', id: tenantId },
          detail: { before: was, after },
        });
        await notify(tx, { kind: 'forget', cache: SETTINGS_CACHE, keys: [tenantId] });
        await notify(tx, { kind: 'forget', cache: ALL_SETTINGS_CACHE, keys: [ALL_SETTINGS] });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
        return written;
      });
      deps.forget(tenantId);
      reply.header('etag', etagOf(stored.version));
      return { settings: wire(stored), request_id: request.id };
    },
  );
}

/** Throws 400 for a reserved scheme and for an address that no redirect can match. */
function checkRedirectUris(sent: McpSettingsInput, deps: McpSettingsDeps): void {
  const { schemes = [], https = [] } = sent.redirect_uris ?? {};
  const reserved = schemes.findIndex((scheme) => !deps.mayBeScheme(scheme));
  if (reserved !== -1) {
    throw new HubError(
      'invalid_request',
      `/redirect_uris/schemes/${reserved} is a reserved scheme`,
    );
  }
  const unmatched = https.findIndex((address) => !deps.mayBeTarget(address));
  if (unmatched !== -1) {
    throw new HubError(
      'invalid_request',
      `/redirect_uris/https/${unmatched} matches nothing: use a lower-case host, no default port, no dot segments, and * only after the last /`,
    );
  }
}

function wire(settings: McpSettings) {
  return {
    allowed_email_domains: settings.allowed_email_domains,
    company_domain_aliases: settings.company_domain_aliases,
    redirect_uris: {
      https: settings.redirect_https,
      schemes: settings.redirect_schemes,
      clients: settings.redirect_clients,
    },
    allowed_origins: settings.allowed_origins,
    version: etagOf(settings.version),
  };
}
