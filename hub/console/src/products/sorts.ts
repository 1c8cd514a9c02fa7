// The orders of the product list, without the schema library that the wire file brings along.
import type { PRODUCT_SORTS as WIRE } from '@gatewarden/shared/wire/console/products.ts';

export const PRODUCT_SORTS = [
  'unreviewed',
  'name',
  '-name',
  'device_count',
  '-device_count',
  'user_count',
  '-user_count',
  'first_seen_at',
  '-first_seen_at',
  'last_seen_at',
  '-last_seen_at',
] as const satisfies typeof WIRE;
