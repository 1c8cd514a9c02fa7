// The closed lists of alert routes, without the schema library that the wire file imports.
import type { AlertRoute } from '@gatewarden/shared/wire/console/alert-routes.ts';

export const ROUTE_KINDS = [
  'webhook',
  'chat',
  'email',
] as const satisfies readonly AlertRoute['kind'][];
