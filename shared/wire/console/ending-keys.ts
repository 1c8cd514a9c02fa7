// C/ending-keys: keys and tokens of the tenant that expire within a month.
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
  is_cut: Type.Boolean({ description: 'Whether more keys expire than the list contains.' }),
  days: Type.Integer({ description: 'The period of the list in days from now.' }),
  request_id: Type.String(),
});
export type EndingKeysAnswer = Static<typeof EndingKeysAnswer>;
