// The secrets of a channel: its URL and signing secret, sealed and bound to tenant, channel and field.
import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';

const FIELDS = ['url', 'secret', 'previous_secret'] as const;
type Field = (typeof FIELDS)[number];
interface Place {
  tenantId: string;
  channelId: string;
}

const columnOf = (field: Field): SealedColumn => ({
  table: 'notification_channels',
  column: `${field}_sealed`,
  key: ['tenant_id', 'channel_id'],
  field,
});
export const SEALED_CHANNELS: readonly SealedColumn[] = FIELDS.map(columnOf);

export interface ChannelSecrets {
  /** Signing secrets in the format of Standard Webhooks. */
  make(): string;
  seal(plain: string, place: Place, field: Field): string;
  /** Throws UnsealError. */
  unseal(sealed: string, place: Place, field: Field): string;
}

export function createChannelSecrets(sealer: Sealer): ChannelSecrets {
  const name = ({ tenantId, channelId }: Place, field: Field) =>
    locationOf(columnOf(field), [tenantId, channelId]);
  return {
    make: () => `whsec_${randomBytes(32).toString('base64')}`,
    seal: (plain, place, field) => sealer.seal(plain, name(place, field)),
    unseal: (sealed, place, field) => sealer.unseal(sealed, name(place, field)),
  };
}
