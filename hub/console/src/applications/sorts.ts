// The orders of the application list, without the schema library that the wire file brings along.
import type { APPLICATION_SORTS as WIRE } from '@gatewarden/shared/wire/console/applications.ts';

export const APPLICATION_SORTS = [
  'name',
  '-device_count',
  '-first_seen_at',
] as const satisfies typeof WIRE;
