// Opt-in of a tenant to the management API: A/tenants/{tenant_id}/settings, and the check for keys.
import {
  ManagementSettingsAnswer,
  ManagementSettingsPatch,
} from '@gatewarden/shared/wire/management/settings.ts';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf, requireMatch } from '../../../platform/http/server/etag.ts';
import { type RouteSpec, route } from '../auth/index.ts';
import { type SettingsRow, selectSettings, storeSettings } from './store.ts';

export function settingsRoutes(db: Db): RouteSpec[] {
  const path = '/tenants/:tenant_id/settings';
  return [
    route({
      method: 'GET',
      path,
      summary: 'Get the management API settings of a tenant',
      scopes: [],
      answers: { 200: ManagementSettingsAnswer },
      async handle({ principal: { tenantId } }) {
        return answered(tenantId, await existing(db, tenantId));
      },
    }),
    route({
      method: 'PATCH',
      path,
      summary: 'Update the management API settings: opt in, or suspend all keys',
      scopes: [],
      ifMatch: true,
      body: ManagementSettingsPatch,
      answers: { 200: ManagementSettingsAnswer },
      async handle({ principal, body, ifMatch, requestId }) {
        const { tenantId } = principal;
        const after = await transact(db, async (tx) => {
          const before = await existing(tx, tenantId);
          requireMatch(ifMatch, before.version);
          if (before.enabled === body.enabled) return before;
          const stored = await storeSettings(tx, tenantId, before, body.enabled);
          if (stored === null) throw new HubError('precondition_failed');
          await recordAudit(tx, {
            tenantId,
            actor: principal.actor,
            operation: 'settings.update',
            resource: { kind: 'settings', id: tenantId },
            requestId,
            detail: { before: { enabled: before.enabled }, after: { enabled: stored.enabled } },
            management: true,
          });
          return stored;
        });
        return answered(tenantId, after);
      },
    }),
  ];
}

async function existing(db: Db, tenantId: string): Promise<SettingsRow> {
  const found = await selectSettings(db, tenantId);
  if (found === null) throw new HubError('not_found');
  return found;
}

function answered(tenantId: string, { enabled, version }: SettingsRow) {
  const etag = etagOf(version);
  return { etag, body: { settings: { tenant_id: tenantId, enabled, version: etag } } };
}

/** Throws `management_disabled_for_tenant`, and 404 for an unknown tenant. */
export async function requireOptIn(db: Db, tenantId: string): Promise<void> {
  const { enabled } = await existing(db, tenantId);
  if (!enabled) throw new HubError('management_disabled_for_tenant');
}

/** Opts a tenant in at the command line, for a first start. Returns nothing if it is opted in already. */
export async function optIn(db: Db, tenantId: string): Promise<void> {
  await transact(db, async (tx) => {
    const before = await existing(tx, tenantId);
    if (before.enabled) return;
    await storeSettings(tx, tenantId, before, true);
    await recordAudit(tx, {
      tenantId,
      actor: OPERATOR,
      operation: 'settings.update',
      resource: { kind: 'settings', id: tenantId },
      requestId: null,
      detail: { before: { enabled: false }, after: { enabled: true } },
      management: true,
    });
  });
}
