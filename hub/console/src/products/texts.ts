// Texts of the product list, a product's page and its policy.
import type { ProductRow, RiskHint } from '@gatewarden/shared/wire/console/products.ts';

const counted = (count: number, singular: string, plural: string) =>
  `${count.toLocaleString()} ${count === 1 ? singular : plural}`;

/** A notice names so many products. */
const NAMED = 3;

export const productTexts = {
  lead: 'Each product once, over all platforms and sources.',
  search: 'Search products',
  searchPlaceholder: 'Name, vendor or package',
  empty: 'Nothing found yet',
  emptyText: 'Products appear here as soon as a device reports them.',
  showApps: 'Show each app',
  name: 'Product',
  platforms: 'Platforms',
  platform: 'Platform',
  sources: 'Found as',
  users: 'Users',
  devices: 'Devices',
  running: 'Running now',
  status: 'Status',
  risks: 'Risks',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  actions: 'Actions',
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${counted(count, 'product', 'products')} selected`,
  mixed: 'Mixed',
  drifted: 'Changed since approval',
  driftedShort: 'Changed',
  statuses: {
    pending: 'Unreviewed',
    approved: 'Approved',
    restricted: 'Restricted',
    blocked: 'Blocked',
    mixed: 'Mixed',
  } satisfies Record<ProductRow['approval_status'], string>,
  hints: {
    unpinned: 'No fixed version',
    remote_url: 'Remote server',
    environment_secrets: 'Secret in configuration',
    wide_permissions: 'Wide permissions',
    unsigned: 'Unsigned',
  } satisfies Record<RiskHint, string>,
  platformNames: { darwin: 'macOS', linux: 'Linux', win32: 'Windows' },
  allPlatforms: 'All platforms',
  each: (count: number) => `each of these ${count.toLocaleString()} products`,
  appliesToAll: (subject: string, found: string) =>
    `Applies to ${subject} on all platforms${found === '' ? '' : `. Found on ${found}`}.`,
  appliesToPlatform: (subject: string, platform: string) =>
    `Applies to ${subject} on ${platform} only.`,
  apply: 'Apply policy',
  applyMany: (count: number) => `Apply to ${counted(count, 'product', 'products')}`,
  noPolicy: 'Unreviewed (no policy)',
  applied: (names: readonly string[]) => {
    const rest = names.length - NAMED;
    const shown = names.slice(0, NAMED).join(', ');
    return `Policy applied to ${shown}${rest > 0 ? ` and ${rest} more` : ''}. Devices pick it up at their next check-in (about 1 min).`;
  },
  failed: 'Couldn’t apply the policy to these products',
  policies: 'Policies in force',
  policiesEmpty: 'No policy yet. The default policy for this type applies.',
  apps: 'Apps of this product',
  covered: 'Apps',
  covers: (count: number) => counted(count, 'app', 'apps'),
  appOn: (name: string, source: string, platform: string, devices: number) =>
    `${name}: ${source} on ${platform} (${counted(devices, 'device', 'devices')})`,
  edit: 'Edit policy',
  remove: 'Remove policy',
  removed: 'Policy removed.',
  removeTitle: 'Remove this policy?',
  removeText: 'The default policy for this type applies again.',
};
