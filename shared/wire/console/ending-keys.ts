// C/ending-keys: keys and tokens of the tenant that end within a month.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { LEAKED_KINDS } from './leaked-keys.ts';

export const EndingKey = Type.Object({
  kind: OneOf(LEAKED_KINDS),
  key_id: Uuid,
  name: Type.String(),
  created_by: Nullable(Type.String()),
  expires_at: Type.String(),
  last_used_at: Nullable(Type.String()),
});
export type EndingKey = Static<typeof EndingKey>;

export const EndingKeysAnswer = Type.Object({
  items: Type.Array(EndingKey),
  is_cut: Type.Boolean({ description: 'there are more: these are the first to end' }),
  days: Type.Integer({ description: 'how far it looks ahead' }),
  request_id: Type.String(),
});
export type EndingKeysAnswer = Static<typeof EndingKeysAnswer>;
