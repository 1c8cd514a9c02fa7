// The providers that an app may use, in the order of its configuration. A legacy app has providers of its own, without
// label: their label comes from their position.
import type { DeliveredApp, ProviderDocument, TenantSnapshot } from '../../config/documents.ts';

/** Providers by app document, which keeps its identity while the configuration is unchanged. */
const ownProviders = new WeakMap<DeliveredApp, ProviderDocument[]>();

/** Returns the attached providers of an app, also disabled ones. */
export function listProviders(tenant: TenantSnapshot, app: DeliveredApp): ProviderDocument[] {
  const shared = app.provider_labels.flatMap((label) => tenant.providers.get(label) ?? []);
  return [...shared, ...listOwnProviders(app)];
}

function listOwnProviders(app: DeliveredApp): ProviderDocument[] {
  if (!app.inline_providers) return [];
  let own = ownProviders.get(app);
  if (own === undefined) {
    own = app.inline_providers.map((provider, index) => ({
      ...provider,
      label: `${app.name} ${index + 1}`,
      selected_models: [],
      enabled: true,
    }));
    ownProviders.set(app, own);
  }
  return own;
}
