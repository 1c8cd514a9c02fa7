// `catalog import`: imports an operator's existing data, completely or not at all; a second import changes nothing.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { SECRET_SETTINGS, type SettingName } from '@gatewarden/shared/wire/management/providers.ts';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import {
  announceConfiguration,
  type ChangedItem,
  type ItemKind,
} from '../../../platform/feed/configuration-feed.ts';
import { inlinePlace, sealUrls } from '../apps/index.ts';
import { forgetPolicy } from '../catalogs/index.ts';
import {
  configWithoutSecrets,
  mergedConfig,
  webhooksOf,
  webhookUrls,
} from '../configuration/index.ts';
import { type ImportFile, identified, type LegacyApp, parseImport } from './rules.ts';
import { type Imported, insertLegacyApp, replaceCatalog, storePolicyAuthority } from './store.ts';

/** The number of records of each part that were added, removed or changed. */
export interface ImportOutcome {
  categories: number;
  smart_groups: number;
  custom_definitions: number;
  legacy_apps: number;
  policy_authority: boolean;
}

/** Imports a file. Throws ConfigError in a single line for an invalid file; nothing is stored then. */
export async function importCatalog(
  { db, sealer }: { db: Db; sealer: Sealer },
  tenantId: string,
  text: string,
): Promise<ImportOutcome> {
  const file = parseImport(text);
  return transact(db, async (tx) => {
    const items: ChangedItem[] = [];
    const replace = async (catalog: Imported, kind: ItemKind, records: Records) => {
      if (records === undefined) return 0;
      const changed = await replaceCatalog(tx, tenantId, catalog, records);
      items.push(...changed.map((record) => ({ kind, ...record })));
      return changed.length;
    };
    const outcome: ImportOutcome = {
      categories: await replace('categories', 'category', categoriesOf(file)),
      smart_groups: await replace('smart_groups', 'smart_group', groupsOf(file)),
      custom_definitions: await replace(
        'custom_definitions',
        'custom_definition',
        definitionsOf(file),
      ),
      legacy_apps: 0,
      policy_authority: false,
    };
    if (outcome.smart_groups > 0) await touchCollection(tx, tenantId, 'smart-groups');
    if (outcome.custom_definitions > 0) await touchCollection(tx, tenantId, 'custom-definitions');
    const appIds = await importLegacyApps(tx, sealer, tenantId, file);
    items.push(...appIds.map((id) => ({ kind: 'app' as const, id })));
    outcome.legacy_apps = appIds.length;
    outcome.policy_authority = await importPolicyAuthority(tx, tenantId, file);
    if (outcome.policy_authority) items.push({ kind: 'settings', id: tenantId });
    const changed = Object.values(outcome).some((count) => count !== 0 && count !== false);
    if (changed) {
      await recordAudit(tx, {
        tenantId,
        actor: OPERATOR,
        operation: 'catalog.import',
        resource: { kind: 'catalog', id: tenantId },
        requestId: null,
        detail: outcome,
        management: true,
      });
    }
    if (items.length > 0) await announceConfiguration(tx, tenantId, items);
    return outcome;
  });
}

/** Stores the legacy apps that were not imported before. Returns their ids. */
async function importLegacyApps(
  tx: Tx,
  sealer: Sealer,
  tenantId: string,
  file: ImportFile,
): Promise<string[]> {
  const ids: string[] = [];
  for (const app of identified(file.legacy_apps ?? [])) {
    const appId = await storeLegacy(tx, sealer, tenantId, app);
    if (appId !== null) ids.push(appId);
  }
  if (ids.length > 0) await touchCollection(tx, tenantId, 'apps');
  return ids;
}

/** Stores the policy authority of the file, if any. Returns whether it changed. */
async function importPolicyAuthority(tx: Tx, tenantId: string, file: ImportFile): Promise<boolean> {
  const policy = file.policy_authority;
  if (policy === undefined) return false;
  const isChanged = await storePolicyAuthority(tx, tenantId, {
    enabled: policy.enabled,
    active_revision: policy.active_revision ?? null,
    active_checksum: policy.active_checksum ?? null,
  });
  if (isChanged) await forgetPolicy(tx, tenantId);
  return isChanged;
}

type Records = readonly { id: string; doc: object }[] | undefined;

function categoriesOf({ categories }: ImportFile): Records {
  return categories?.map((doc) => ({ id: doc.id, doc }));
}

function groupsOf({ smart_groups }: ImportFile): Records {
  return smart_groups?.map(({ group_name, description, members, rules }) => ({
    id: group_name,
    doc: {
      group_name,
      description: description ?? null,
      members: members ?? [],
      rules: rules ?? null,
    },
  }));
}

function definitionsOf({ custom_definitions }: ImportFile): Records {
  return custom_definitions?.map(({ edm_id, name, description, kind, patterns, values }) => ({
    id: edm_id,
    doc: {
      edm_id,
      definition_id: edm_id,
      name,
      description: description ?? null,
      kind: kind ?? null,
      ...(patterns === undefined ? {} : { patterns }),
      ...(values === undefined ? {} : { values }),
    },
  }));
}

/** Returns the id of the app; null if it was imported before. */
async function storeLegacy(
  tx: Tx,
  sealer: Sealer,
  tenantId: string,
  app: LegacyApp & { import_id: string },
): Promise<string | null> {
  const { name, import_id, providers, enabled, tags, ...config } = app;
  const appId = randomUUID();
  const isSecret = (setting: string) => SECRET_SETTINGS.includes(setting as SettingName);
  const split = (keep: (setting: string) => boolean) =>
    providers.map(({ provider_settings }) =>
      Object.fromEntries(Object.entries(provider_settings).filter(([setting]) => keep(setting))),
    );
  const open = split((setting) => !isSecret(setting));
  const secrets = split(isSecret);
  const inserted = await insertLegacyApp(tx, tenantId, {
    app_id: appId,
    import_id,
    name: name.trim(),
    name_folded: foldName(name),
    enabled: enabled ?? true,
    tags: tags ?? [],
    config: configWithoutSecrets(mergedConfig({}, config)),
    sealed_urls: sealUrls(sealer, tenantId, appId, webhookUrls(webhooksOf(config), {})),
    inline_providers: providers.map(({ provider_name }, i) => ({
      provider_name,
      provider_settings: open[i] ?? {},
    })),
    sealed_inline: sealer.seal(JSON.stringify(secrets), inlinePlace(tenantId, appId)),
  });
  return inserted ? appId : null;
}
