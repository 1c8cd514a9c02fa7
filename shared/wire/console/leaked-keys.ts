// C/leaked-keys: finds keys and tokens of the tenant in a text that leaked.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { LEAKED_TEXT_MAX } from './leaked-text.ts';

export const LEAKED_KINDS = [
  'management_key',
  'key',
  'log_export_key',
  'agent_token',
  'node_token',
  'scim_token',
  'mcp_token',
  'mcp_api_token',
] as const;

export const LeakedKeysInput = Type.Object(
  {
    text: Type.String({
      description: 'The leaked text: a key, or a file or log with keys. The hub does not store it.',
      minLength: 1,
      maxLength: LEAKED_TEXT_MAX,
    }),
  },
  { additionalProperties: false },
);

export type LeakedKeysInput = Static<typeof LeakedKeysInput>;

export const LeakedKey = Type.Object({
  kind: OneOf(LEAKED_KINDS),
  line: Type.Integer({ description: 'The first line of the text with the key, from 1.' }),
  fingerprint: Type.String({ description: 'The fingerprint, as the list of keys shows it.' }),
  /** Unknown: the text has the format of a key, and the tenant has no such key. */
  status: OneOf(['active', 'expired', 'revoked', 'unknown']),
  key: Nullable(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      created_at: Type.String(),
      expires_at: Nullable(Type.String()),
      last_used_at: Nullable(Type.String()),
    }),
  ),
});
export type LeakedKey = Static<typeof LeakedKey>;

export const LeakedKeysAnswer = Type.Object({
  items: Type.Array(LeakedKey),
  request_id: Type.String(),
});
export type LeakedKeysAnswer = Static<typeof LeakedKeysAnswer>;
