// Messages for legacy servers. Pure.
import { type RpcMessage, stripRequestMeta } from '../protocol/index.ts';

/** Returns the message without `_meta` members that only the revision 2026-07-28 has. */
export function toLegacyMessage(message: RpcMessage): RpcMessage {
  const { params: sent, ...rest } = message;
  const params = stripRequestMeta(sent);
  return params === undefined ? rest : { ...rest, params };
}
