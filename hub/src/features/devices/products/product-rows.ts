// Products as people read them, in lists, files and by themselves. Pure.
import type { ProductApplication, ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { APPROVAL_STATUSES } from '@gatewarden/shared/wire/vocabulary.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import type { Columns } from '../../../platform/http/lists/download.ts';
import {
  type ApplicationRecord,
  type ProductRecord,
  platformsOf,
  statusesOf,
} from './list-store.ts';

export function productRow(record: ProductRecord): ProductRow {
  const statuses = statusesOf(record);
  const present = APPROVAL_STATUSES.filter((status) => statuses[status] > 0);
  const isUniform = present.length === 1 && statuses.pending === 0;
  const [policy = null, ...policies] = record.execution_policies ?? [];
  return {
    product_id: record.product_id,
    product_key: record.product_key,
    category: record.category,
    name: record.name,
    vendor: record.vendor,
    platforms: platformsOf(record),
    sources: record.sources,
    application_count: record.application_count,
    device_count: record.device_count,
    user_count: record.user_count,
    approval_status: present.length > 1 ? 'mixed' : (present[0] ?? 'pending'),
    statuses,
    execution_policy: isUniform && policies.length === 0 ? policy : null,
    drifted_at: isoOrNull(record.drifted_at),
    risk_hints: record.risk_hints,
    first_seen_at: record.first_seen_at.toISOString(),
    last_seen_at: record.last_seen_at.toISOString(),
  };
}

export function productApplication(record: ApplicationRecord): ProductApplication {
  return {
    ...record,
    approval_status: record.approval_status ?? 'pending',
    drifted_at: isoOrNull(record.drifted_at),
    first_seen_at: record.first_seen_at.toISOString(),
    last_seen_at: record.last_seen_at.toISOString(),
  };
}

export const PRODUCT_FILE_COLUMNS: Columns<ProductRow> = {
  name: (product) => product.name,
  vendor: (product) => product.vendor,
  category: (product) => product.category,
  platforms: (product) => product.platforms.map(({ platform }) => platform).join(' '),
  sources: (product) => product.sources.join(' '),
  device_count: (product) => product.device_count,
  user_count: (product) => product.user_count,
  application_count: (product) => product.application_count,
  approval_status: (product) => product.approval_status,
  execution_policy: (product) => product.execution_policy,
  drifted_at: (product) => product.drifted_at,
  risk_hints: (product) => product.risk_hints.join(' '),
  first_seen_at: (product) => product.first_seen_at,
  last_seen_at: (product) => product.last_seen_at,
  product_id: (product) => product.product_id,
  product_key: (product) => product.product_key,
};
