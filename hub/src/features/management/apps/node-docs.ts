// Documents of apps for gateway nodes: with the URLs of webhooks and the credentials of the app's own providers.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { type Webhook, webhooksOf } from '../configuration/index.ts';
import { type AppDocRow, SEALED_INLINE, selectAppDocs } from './store.ts';
import { draftOf } from './write.ts';

/** Returns documents by app id; deleted apps are left out. */
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
  const webhooks = webhooksOf(config).map((webhook: Webhook) => ({
    ...webhook,
    url: urls[webhook.id] ?? null,
  }));
  return { ...config, alerting: { ...alerting, channels: { ...alerting.channels, webhooks } } };
}

/** The location of the credentials of a legacy app's own providers: a single document in their order. */
export function inlinePlace(tenantId: string, appId: string): string {
  return locationOf(SEALED_INLINE, [tenantId, appId]);
}

function inlineOf(sealer: Sealer, tenantId: string, row: AppDocRow) {
  if (row.inline_providers === null) return null;
  const secrets: object[] =
    row.sealed_inline === null
      ? []
      : JSON.parse(sealer.unseal(row.sealed_inline, inlinePlace(tenantId, row.app_id)));
  return row.inline_providers.map((provider, i) => ({
    provider_name: provider.provider_name,
    provider_settings: { ...provider.provider_settings, ...secrets[i] },
  }));
}
