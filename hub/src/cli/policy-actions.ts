// `policy list|set|remove`, by the routes of the console.
import type { DeviceGroup } from '@gatewarden/shared/wire/console/device-groups.ts';
import type {
  ListedOverride,
  Override,
  OverrideScope,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type {
  ProductPolicy,
  ProductPolicyPreviewAnswer,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import type {
  ApprovalStatus,
  ExecutionPolicy,
  Platform,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import { type ListOptions, type TenantConsole, withConsole } from './console.ts';
import { findDevice } from './device-actions.ts';
import { CommandFailed } from './exit-codes.ts';
import { type CommandRun, expiry } from './operator-commands.ts';
import { describeMatch } from './policy-text.ts';
import { requireConsent } from './terminal.ts';

export interface ListPoliciesOptions extends ListOptions {
  name?: string;
}

export interface ListedPolicies {
  policies: ProductPolicy[];
  app_policies: ListedOverride[];
  /** There are more of either kind. */
  truncated: boolean;
}

export interface SetPolicyOptions {
  tenant?: string;
  name: string;
  action: ExecutionPolicy;
  category?: string;
  platform?: Platform;
  device?: string;
  user?: string;
  group?: string;
  expiresIn?: string;
  reason?: string;
  dryRun?: boolean;
}

export interface RemoveOptions {
  tenant?: string;
  policyId: string;
  yes?: boolean;
  dryRun?: boolean;
}

const PRODUCT_ID = /^[0-9a-f]{64}$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The review status that the console sets with each action. */
const STATUS_OF_ACTION: Readonly<Record<ExecutionPolicy, ApprovalStatus>> = {
  allow: 'approved',
  monitor: 'pending',
  warn: 'restricted',
  block: 'blocked',
  quarantine: 'blocked',
};

/**
 * Returns the policies of a tenant that have not ended: `policies` are those for products, `app_policies` all others
 * except defaults. With a name, only the policies for that product.
 */
export function runPolicyList(
  run: CommandRun,
  options: ListPoliciesOptions,
): Promise<ListedPolicies> {
  return withConsole(run, options, async (console) => {
    const { name } = options;
    const productId = name === undefined ? undefined : await findProduct(console, name, undefined);
    const products = await console.list<ProductPolicy>(
      '/product-policies',
      { product_id: productId },
      options,
    );
    const overrides =
      name === undefined
        ? await console.list<ListedOverride>('/overrides', { product_policies: 'once' }, options)
        : { items: [], truncated: false };
    return {
      policies: products.items,
      app_policies: overrides.items.filter(isAppPolicy),
      truncated: products.truncated || overrides.truncated,
    };
  });
}

function isAppPolicy({ product_policy_id, default_kind, state }: ListedOverride): boolean {
  return product_policy_id === null && default_kind === null && state !== 'expired';
}

/** Sets or changes the policy for a product; with `dryRun`, returns the preview instead. */
export function runPolicySet(run: CommandRun, options: SetPolicyOptions): Promise<object> {
  const expiresAt = expiry(options.expiresIn)?.toISOString() ?? null;
  return withConsole(run, options, async (console) => {
    const productId = await findProduct(console, options.name, options.category);
    const scope = await scopeOf(console, options);
    const platform = options.platform ?? null;
    const values = {
      approval_status: STATUS_OF_ACTION[options.action],
      execution_policy: options.action,
      expires_at: expiresAt,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    };
    const draft = { product_id: productId, platform, scope, ...values };
    const existing = await findPolicy(console, { productId, platform, scope });
    if (options.dryRun === true) {
      const replaces = existing === undefined ? {} : { replaces: existing.policy_id };
      const preview = await console.send<ProductPolicyPreviewAnswer>(
        'POST',
        '/product-policies/preview',
        { body: { ...draft, ...replaces } },
      );
      return { dry_run: true, preview };
    }
    const { policy } =
      existing === undefined
        ? await console.send<{ policy: ProductPolicy }>('POST', '/product-policies', {
            body: draft,
          })
        : await console.send<{ policy: ProductPolicy }>(
            'PATCH',
            `/product-policies/${existing.policy_id}`,
            { body: values, ifMatch: existing.version },
          );
    return { policy, created: existing === undefined };
  });
}

/** Removes a policy for a product, an app or a process after consent. */
export function runPolicyRemove(run: CommandRun, options: RemoveOptions): Promise<object> {
  const { policyId } = options;
  if (!UUID.test(policyId)) throw new UsageError('the policy must be an id, see "policy list"');
  return withConsole(run, options, async (console) => {
    const { path, subject, policy } = await findPolicyById(console, policyId);
    if (options.dryRun === true) return { dry_run: true, would_remove: policy };
    const question = `Remove the policy "${policy.execution_policy}" for ${subject}?`;
    await requireConsent(run.terminal, options, question);
    await console.send('DELETE', path, { ifMatch: policy.version });
    return { policy_id: policyId, removed: true };
  });
}

/** Returns the policy, its route and its subject. Throws CommandFailed if there is no policy with this id. */
async function findPolicyById(
  console: TenantConsole,
  policyId: string,
): Promise<{ path: string; subject: string; policy: ProductPolicy | Override }> {
  const path = `/product-policies/${policyId}`;
  try {
    const { policy } = await console.get<{ policy: ProductPolicy }>(path);
    return { path, subject: policy.product_name, policy };
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.code !== 'not_found') throw error;
  }
  const overridePath = `/overrides/${policyId}`;
  const { override } = await console.get<{ override: Override }>(overridePath);
  return { path: overridePath, subject: describeMatch(override.match), policy: override };
}

async function findProduct(
  console: TenantConsole,
  name: string,
  category: string | undefined,
): Promise<string> {
  if (PRODUCT_ID.test(name)) return name.toLowerCase();
  const { items } = await console.list<ProductRow>(
    '/products',
    { query: name, category },
    { all: true },
  );
  const named = items.filter((row) => row.name.toLowerCase() === name.trim().toLowerCase());
  const [product, ...others] = named;
  if (product === undefined) {
    const similar = items.slice(0, 5).map((row) => `"${row.name}"`);
    const hint = similar.length === 0 ? '' : `; did you mean ${similar.join(', ')}?`;
    throw new ConfigError(`there is no product "${name}" in this tenant${hint}`);
  }
  if (others.length > 0) {
    const ids = named.map((row) => `${row.category} ${row.product_id}`).join(', ');
    throw new UsageError(`several products are called "${name}": add --category (${ids})`);
  }
  return product.product_id;
}

async function scopeOf(
  console: TenantConsole,
  { device, user, group }: SetPolicyOptions,
): Promise<OverrideScope> {
  if (device !== undefined) {
    return { kind: 'device', device_id: (await findDevice(console, device)).device_id };
  }
  if (user !== undefined) return { kind: 'subscriber', subscriber_id: user };
  if (group !== undefined) return { kind: 'group', group_id: await findGroup(console, group) };
  return { kind: 'tenant' };
}

async function findGroup(console: TenantConsole, wanted: string): Promise<string> {
  if (UUID.test(wanted)) return wanted.toLowerCase();
  const { items } = await console.list<DeviceGroup>(
    '/device-groups',
    { query: wanted },
    { all: true },
  );
  const group = items.find((row) => row.name.toLowerCase() === wanted.toLowerCase());
  if (group === undefined) throw new ConfigError(`there is no device group "${wanted}"`);
  return group.group_id;
}

async function findPolicy(
  console: TenantConsole,
  wanted: { productId: string; platform: Platform | null; scope: OverrideScope },
): Promise<ProductPolicy | undefined> {
  const { items } = await console.list<ProductPolicy>(
    '/product-policies',
    { product_id: wanted.productId },
    { all: true },
  );
  const scope = JSON.stringify(wanted.scope);
  return items.find(
    (row) => row.platform === wanted.platform && JSON.stringify(row.scope) === scope,
  );
}
