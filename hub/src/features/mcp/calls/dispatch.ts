// Dispatch of a request by its method: the gateway answers discovery and lists itself, and runs the pipeline for the others.
import type { RequestId } from '@modelcontextprotocol/client';
import { isListMethod, mergeInstructions, mergeLists } from '../catalog/index.ts';
import { adaptResult, discoverResult, type RpcMessage } from '../protocol/index.ts';
import type { CallTrace } from './call-trace.ts';
import type { CallContext } from './context.ts';
import { runPipeline } from './pipeline.ts';

/** Yields messages of servers, then the response. Fills `trace`. Throws RpcError. */
export async function* dispatch(
  context: CallContext,
  message: RpcMessage,
  trace: CallTrace | null,
): AsyncGenerator<RpcMessage> {
  const { method = '', params } = message;
  const respond = (result: Record<string, unknown>): RpcMessage => ({
    jsonrpc: '2.0',
    id: message.id as RequestId,
    result: adaptResult(result, method, context.revision),
  });
  if (method === 'server/discover') {
    yield respond(discoverResult(await mergeInstructions(context)));
  } else if (isListMethod(method)) {
    yield respond(await mergeLists(context, method, params));
  } else {
    yield* runPipeline(context, message, trace);
  }
}
