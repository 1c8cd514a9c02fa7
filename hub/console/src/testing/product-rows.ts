// Products as the hub answers them, for component tests; a test names the fields that it is about.
import type { ProductAnswer } from '@gatewarden/shared/wire/console/products.ts';

const AT = '2026-03-01T10:00:00.000Z';

/** Returns the unreviewed product `p1` on Linux and macOS, without a policy. */
export function aProductDetail(
  fields: Partial<ProductAnswer['product']> = {},
): ProductAnswer['product'] {
  return {
    ...{ product_id: 'p1', product_key: 'curl', category: 'application', name: 'curl' },
    ...{ vendor: null, sources: ['apt', 'homebrew'], application_count: 2, device_count: 2 },
    platforms: [
      { platform: 'linux', device_count: 1 },
      { platform: 'darwin', device_count: 1 },
    ],
    ...{ user_count: 1, approval_status: 'pending', execution_policy: null, drifted_at: null },
    statuses: { pending: 2, approved: 0, restricted: 0, blocked: 0 },
    ...{ risk_hints: [], first_seen_at: AT, last_seen_at: AT, running_device_count: 0 },
    applications: [],
    policies: { count: 0, items: [] },
    ...fields,
  };
}
