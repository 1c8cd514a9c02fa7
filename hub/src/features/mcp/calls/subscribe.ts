// Subscriptions to resources at a server of the revision 2026-07-28, which has no such requests: the subscription is stored,
// and the stream of the session requests the updates with `subscriptions/listen`.
import { RPC, RpcError } from '../protocol/index.ts';
import type { CallContext, ResolvedCall } from './context.ts';

/** Returns false for a legacy server, which receives the request itself. Throws RpcError for a client without session. */
export async function updateSubscription(
  context: CallContext,
  { backend, method, params: { uri } }: ResolvedCall,
): Promise<boolean> {
  const { upstreams, signal, subscribe } = context;
  if ((await upstreams.revisionOf(backend, signal)) === 'legacy') return false;
  if (subscribe === null || typeof uri !== 'string') {
    throw new RpcError(RPC.invalidRequest, 'Resource subscriptions need a session.');
  }
  await subscribe(backend, uri, method === 'resources/subscribe');
  return true;
}
