// Step 2: the configuration that applies to an app, with the tenant's policy authority. Derived values are cached by the
// documents they come from, which keep their identity while the configuration is unchanged.

import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { DeliveredApp, PolicyAuthority, TenantSnapshot } from '../../config/documents.ts';
import {
  applyPolicyAuthority,
  type EffectiveApp,
  indexMembers,
  type Verdict,
} from '../../policy/index.ts';

const effectiveApps = new WeakMap<
  DeliveredApp,
  { authority: PolicyAuthority; effective: EffectiveApp }
>();
const memberIndexes = new WeakMap<TenantSnapshot, ReadonlyMap<string, readonly string[]>>();

/** Returns the effective configuration of an app. */
export function resolveApp(tenant: TenantSnapshot, app: DeliveredApp): EffectiveApp {
  const authority = tenant.policyAuthority;
  const cached = effectiveApps.get(app);
  if (cached !== undefined && cached.authority.enabled === authority.enabled)
    return cached.effective;
  const effective = applyPolicyAuthority(app, authority);
  effectiveApps.set(app, { authority, effective });
  return effective;
}

/** Returns the smart groups of a person. */
export function findSmartGroups(tenant: TenantSnapshot, email: string | null): readonly string[] {
  if (email === null || tenant.smartGroups.size === 0) return [];
  let index = memberIndexes.get(tenant);
  if (index === undefined) {
    index = indexMembers([...tenant.smartGroups.values()] as Parameters<typeof indexMembers>[0]);
    memberIndexes.set(tenant, index);
  }
  return index.get(email.toLowerCase()) ?? [];
}

const ENTRANCES: Readonly<Record<AppMode, string>> = {
  gateway: 'the APIs of models',
  sdk: 'POST /sdk/v1/check',
  vendorB_studio: 'POST /studio/v1/check',
};

/** Rejects with 403 a request at an API that the mode of the app does not have. */
export function checkMode(app: DeliveredApp, mode: AppMode): Verdict {
  if (app.mode === mode) return { passed: true, value: undefined };
  return {
    passed: false,
    status: 403,
    code: 'wrong_app_mode',
    reason: `This app has the mode ${app.mode}. Call ${ENTRANCES[app.mode]}, or use the key of another app.`,
  };
}
