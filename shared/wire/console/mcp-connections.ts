// C/mcp/connections: the caller's own keys for backends that require a key per user.
import { type Static, Type } from 'typebox';
import { Uuid } from '../common.ts';
import { ListAnswer } from './common.ts';

export const ConnectionInput = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 8_192,
      pattern: '^[\\x20-\\x7e]+$',
      writeOnly: true,
    }),
  },
  { additionalProperties: false, title: 'McpConnectionInput' },
);
export const Connection = Type.Object(
  { backend_id: Uuid, created_at: Type.String(), updated_at: Type.String() },
  { title: 'McpConnection' },
);
export type Connection = Static<typeof Connection>;
export const ConnectionAnswer = Type.Object({
  connection: Connection,
  request_id: Type.String(),
});
export const ConnectionList = ListAnswer(Connection);
