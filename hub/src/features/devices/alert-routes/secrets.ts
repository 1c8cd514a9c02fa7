// What of a route is secret: its URL and its signing secret, sealed and bound to tenant, route and field.
import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto/seal.ts';

type Field = 'url' | 'secret' | 'previous_secret';
interface Place {
  tenantId: string;
  routeId: string;
}

export interface RouteSecrets {
  /** As Standard Webhooks writes them. */
  make(): string;
  seal(plain: string, place: Place, field: Field): string;
  /** Throws UnsealError. */
  unseal(sealed: string, place: Place, field: Field): string;
}

export function createRouteSecrets(sealer: Sealer): RouteSecrets {
  const name = ({ tenantId, routeId }: Place, field: Field) =>
    `alert_routes/${tenantId}/${routeId}/${field}`;
  return {
    make: () => `whsec_${randomBytes(32).toString('base64')}`,
    seal: (plain, place, field) => sealer.seal(plain, name(place, field)),
    unseal: (sealed, place, field) => sealer.unseal(sealed, name(place, field)),
  };
}
