// The secrets of a channel: its URL and signing secret, sealed and bound to tenant, channel and field.
import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';

const FIELDS = ['url', 'secret', 'previous_secret'] as const;
type Field = (typeof FIELDS)[number];
interface Location {
  tenantId: string;
  channelId: string;
}

const columnOf = (field: Field): SealedColumn => ({
  table: 'notification_channels',
  column: `${field}_sealed`,
  key: ['tenant_id', 'channel_id'],
  field,
});
/** The sealed columns of channels, for key rotation and backup proofs. */
export const SEALED_CHANNELS: readonly SealedColumn[] = FIELDS.map(columnOf);

export interface ChannelSecrets {
  /** Signing secrets in the format of Standard Webhooks. */
  generate(): string;
  seal(plain: string, location: Location, field: Field): string;
  /** Throws UnsealError. */
  unseal(sealed: string, location: Location, field: Field): string;
}

/** Returns functions that generate, seal and unseal the secrets of channels. */
export function createChannelSecrets(sealer: Sealer): ChannelSecrets {
  const name = ({ tenantId, channelId }: Location, field: Field) =>
    locationOf(columnOf(field), [tenantId, channelId]);
  return {
    generate: () => `whsec_${randomBytes(32).toString('base64')}`,
    seal: (plain, location, field) => sealer.seal(plain, name(location, field)),
    unseal: (sealed, location, field) => sealer.unseal(sealed, name(location, field)),
  };
}
