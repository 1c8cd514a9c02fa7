// An app as gateway nodes need it: with the URLs of its webhooks and the credentials of its own providers.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { type Webhook, webhooksOf } from '../configuration/index.ts';
import { type AppDocRow, SEALED_INLINE, selectAppDocs } from './store.ts';
import { draftOf } from './write.ts';

/** By app id; those that are gone are left out. */
export async function appDocs(
  db: Db,
  sealer: Sealer,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const found = await selectAppDocs(db, tenantId, ids);
  return new Map(found.map((row) => [row.app_id, appDoc(sealer, tenantId, row)]));
}

function appDoc(sealer: Sealer, tenantId: string, row: AppDocRow): object {
  const { urls, config, ...open } = draftOf(sealer, tenantId, row);
  return {
    app_id: row.app_id,
    name: row.name,
    ...open,
    inline_providers: inlineOf(sealer, tenantId, row),
    policy_baseline: row.policy_baseline,
    config: withUrls(config, urls),
  };
}

function withUrls(config: Record<string, unknown>, urls: Readonly<Record<string, string>>) {
  const { alerting } = config;
  if (!isObject(alerting) || !isObject(alerting.channels)) return config;
  const webhooks = webhooksOf(config).map((one: Webhook) => ({
    ...one,
    url: urls[one.id] ?? null,
  }));
  return { ...config, alerting: { ...alerting, channels: { ...alerting.channels, webhooks } } };
}

/** Where an import keeps the credentials of an app's own providers, one document in their order. */
export function inlinePlace(tenantId: string, appId: string): string {
  return locationOf(SEALED_INLINE, [tenantId, appId]);
}

function inlineOf(sealer: Sealer, tenantId: string, row: AppDocRow) {
  if (row.inline_providers === null) return null;
  const secrets: object[] =
    row.sealed_inline === null
      ? []
      : JSON.parse(sealer.unseal(row.sealed_inline, inlinePlace(tenantId, row.app_id)));
  return row.inline_providers.map((one, i) => ({
    provider_name: one.provider_name,
    provider_settings: { ...one.provider_settings, ...secrets[i] },
  }));
}
