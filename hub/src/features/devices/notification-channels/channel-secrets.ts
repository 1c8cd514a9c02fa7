// The secrets of a channel: its URL and signing secret, sealed and bound to tenant, channel and field.
import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';

const FIELDS = ['url', 'secret', 'previous_secret'] as const;
type Field = (typeof FIELDS)[number];
interface Place {
  tenantId: string;
  routeId: string;
}

const columnOf = (field: Field): SealedColumn => ({
  table: 'alert_routes',
  column: `${field}_sealed`,
  key: ['tenant_id', 'route_id'],
  field,
});
export const SEALED_ROUTES: readonly SealedColumn[] = FIELDS.map(columnOf);

export interface RouteSecrets {
  /** Signing secrets in the format of Standard Webhooks. */
  make(): string;
  seal(plain: string, place: Place, field: Field): string;
  /** Throws UnsealError. */
  unseal(sealed: string, place: Place, field: Field): string;
}

export function createRouteSecrets(sealer: Sealer): RouteSecrets {
  const name = ({ tenantId, routeId }: Place, field: Field) =>
    locationOf(columnOf(field), [tenantId, routeId]);
  return {
    make: () => `whsec_${randomBytes(32).toString('base64')}`,
    seal: (plain, place, field) => sealer.seal(plain, name(place, field)),
    unseal: (sealed, place, field) => sealer.unseal(sealed, name(place, field)),
  };
}
