// Collects delivered documents and builds snapshots of them. Documents of an unchanged item keep their identity from
// snapshot to snapshot, so that anything derived from a document can be cached by it.
import type {
  AppKey,
  ConfigItem,
  ConfigSnapshot,
  DeliveredApp,
  PolicyAuthority,
  ProviderDocument,
  TenantSnapshot,
} from './documents.ts';

interface KeyDocument {
  key_id: string;
  app_id: string;
  secret_sha256: string;
  expires_at: string | null;
}
interface PromptDocument {
  app_id: string;
  prompt_id: string;
  content: string;
}

interface SettingsDocument {
  policy_authority: PolicyAuthority;
  budgets_exhausted?: readonly string[];
}

export class DocumentStore {
  readonly #items = new Map<string, ConfigItem>();

  /** Stores the documents of a page and removes the deleted ones. */
  apply(items: readonly ConfigItem[]): void {
    for (const item of items) {
      const address = `${item.tenant_id}/${item.kind}/${item.id}`;
      if (item.deleted || item.doc === null) this.#items.delete(address);
      else this.#items.set(address, item);
    }
  }

  clear(): void {
    this.#items.clear();
  }

  /** Returns all stored items, for the copy on disk. */
  list(): ConfigItem[] {
    return [...this.#items.values()];
  }

  build(liveNodes: number): ConfigSnapshot {
    const tenants = new Map<string, MutableTenant>();
    const keys = new Map<string, AppKey>();
    for (const item of this.#items.values()) {
      const tenant = tenants.get(item.tenant_id) ?? emptyTenant(item.tenant_id);
      tenants.set(item.tenant_id, tenant);
      if (item.kind === 'key') addKey(keys, item);
      else addDocument(tenant, item);
    }
    return { tenants, keys, liveNodes };
  }
}

type MutableTenant = {
  -readonly [Name in keyof TenantSnapshot]: TenantSnapshot[Name] extends ReadonlyMap<
    infer K,
    infer V
  >
    ? Map<K, V>
    : TenantSnapshot[Name];
};

function emptyTenant(tenantId: string): MutableTenant {
  return {
    tenantId,
    policyAuthority: { enabled: false, active_revision: null },
    budgetsExhausted: [],
    apps: new Map(),
    providers: new Map(),
    prompts: new Map(),
    smartGroups: new Map(),
    customDefinitions: new Map(),
    categories: new Map(),
  };
}

function addKey(keys: Map<string, AppKey>, { tenant_id, doc }: ConfigItem): void {
  const key = doc as KeyDocument;
  keys.set(key.secret_sha256, {
    tenantId: tenant_id,
    keyId: key.key_id,
    appId: key.app_id,
    expiresAt: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
  });
}

function addDocument(tenant: MutableTenant, { kind, id, doc }: ConfigItem): void {
  if (doc === null) return;
  switch (kind) {
    case 'app':
      tenant.apps.set(id, doc as DeliveredApp);
      break;
    case 'provider':
      tenant.providers.set(id, doc as ProviderDocument);
      break;
    case 'prompt':
      addPrompt(tenant, doc as PromptDocument);
      break;
    case 'smart_group':
      tenant.smartGroups.set(id, doc);
      break;
    case 'custom_definition':
      tenant.customDefinitions.set(id, doc);
      break;
    case 'category':
      tenant.categories.set(id, doc);
      break;
    case 'settings':
      applySettings(tenant, doc as SettingsDocument);
  }
}

/** A hub of an earlier version delivers no budgets. */
function applySettings(tenant: MutableTenant, settings: SettingsDocument): void {
  tenant.policyAuthority = settings.policy_authority;
  tenant.budgetsExhausted = settings.budgets_exhausted ?? [];
}

function addPrompt(
  { prompts }: MutableTenant,
  { app_id, prompt_id, content }: PromptDocument,
): void {
  prompts.set(app_id, new Map(prompts.get(app_id)).set(prompt_id, content));
}
