// Input that a server needs from the client during a request (elicitation, sampling, roots), for clients of legacy revisions:
// the client receives requests on its stream and sends responses by POST, possibly to another hub process. A server of the
// revision 2026-07-28 returns `input_required` instead, and receives the request again with the answers.
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import {
  type InputRequest,
  RPC,
  RpcError,
  type RpcMessage,
  supportsInputRequest,
  unsupportedInputError,
} from '../protocol/index.ts';
import type { SessionOwner } from '../upstream/index.ts';
import type { InputContext } from './context.ts';

/** The elicitation timeout in milliseconds: the time that a user has to answer. */
export const ELICITATION_TIMEOUT_MS = 10 * 60_000;
const ROUNDS_MAX = 8;
const INPUT_REQUESTS_MAX = 32;
/** Prefix of the ids of requests to a client. */
const REQUEST_ID_PREFIX = 'gwa:';

export type InputRequests = Record<string, InputRequest>;
export type InputResponses = Record<string, unknown>;

export interface InputRequired {
  inputRequests: InputRequests;
  requestState: string | undefined;
}

/** Returns the input that a result requires, or null for a complete result. Throws RpcError if it is invalid. */
export function parseInputRequired(result: Record<string, unknown>): InputRequired | null {
  if (result.resultType !== 'input_required') return null;
  const { inputRequests = {}, requestState } = result;
  const isValid =
    isObject(inputRequests) &&
    Object.keys(inputRequests).length <= INPUT_REQUESTS_MAX &&
    Object.values(inputRequests).every(
      (request) => isObject(request) && typeof request.method === 'string',
    ) &&
    (requestState === undefined || typeof requestState === 'string') &&
    (requestState !== undefined || Object.keys(inputRequests).length > 0);
  if (!isValid) throw new RpcError(RPC.upstream, 'The MCP server sent an invalid input request.');
  return { inputRequests: inputRequests as unknown as InputRequests, requestState };
}

const bindingOf = (owner: SessionOwner) => ['mcp-asked', owner.hash.toString('hex')];

/** Sends requests to a client. Yields the requests, and returns the results by key. Throws RpcError. */
export async function* requestClientInput(
  context: InputContext,
  requests: InputRequests,
): AsyncGenerator<RpcMessage, InputResponses> {
  const entries = Object.entries(requests);
  for (const [, request] of entries) {
    if (!context.acceptsStream || !supportsInputRequest(context.owner, request)) {
      throw unsupportedInputError(request);
    }
  }
  if (entries.length === 0) return {};
  const { tenantId, replyChannel, cursors, owner } = context;
  const channelId = randomUUID();
  const receiver = replyChannel.open(tenantId, channelId);
  try {
    for (const [key, { method, params }] of entries) {
      const id = `${REQUEST_ID_PREFIX}${cursors.seal(bindingOf(owner), [tenantId, channelId, key])}`;
      const sent = params === undefined ? {} : { params: withElicitationId(params) };
      yield { jsonrpc: '2.0', id, method, ...sent };
    }
    const timeout = AbortSignal.timeout(ELICITATION_TIMEOUT_MS);
    const signal = AbortSignal.any([context.signal, timeout]);
    const responses: InputResponses = {};
    while (Object.keys(responses).length < entries.length) {
      const { slot, message } = await receiver.next(signal).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        throw new RpcError(RPC.upstream, "The client didn't respond to the input request in time.");
      });
      responses[slot] = resultOf(message as RpcMessage);
    }
    return responses;
  } finally {
    receiver.close();
  }
}

function resultOf({ error, result }: RpcMessage): unknown {
  if (error === undefined) return result ?? {};
  throw new RpcError(RPC.upstream, `The client rejected the input request: ${error.message}`);
}

/** Legacy revisions require an id for an elicitation by URL. */
function withElicitationId(params: Record<string, unknown>): Record<string, unknown> {
  if (params.mode !== 'url' || params.elicitationId !== undefined) return params;
  return { ...params, elicitationId: randomUUID() };
}

/** Delivers a client's response to `requestClientInput`. Returns false if it responds to a request of a server. */
export async function deliverClientResponse(
  { replyChannel, cursors }: Pick<InputContext, 'replyChannel' | 'cursors'>,
  owner: SessionOwner,
  message: RpcMessage,
): Promise<boolean> {
  const id = String(message.id);
  if (!id.startsWith(REQUEST_ID_PREFIX)) return false;
  const opened = cursors.open(bindingOf(owner), id.slice(REQUEST_ID_PREFIX.length));
  if (!Array.isArray(opened)) return true;
  const [tenantId, channelId, slot] = opened as [string, string, string];
  const { error, result } = message;
  const response = error === undefined ? { result } : { error };
  await replyChannel.send(tenantId, channelId, { slot, message: response });
  return true;
}

/** Repeats a request with the client's answers until its result is complete. Throws RpcError after eight rounds. */
export async function* runElicitationRounds(
  context: InputContext,
  first: InputRequired,
  send: (answers: {
    inputResponses: InputResponses;
    requestState?: string;
  }) => AsyncGenerator<RpcMessage, InputRequired | null>,
): AsyncGenerator<RpcMessage> {
  let required: InputRequired | null = first;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { inputRequests, requestState }: InputRequired = required;
    const inputResponses: InputResponses = yield* requestClientInput(context, inputRequests);
    required = yield* send({
      inputResponses,
      ...(requestState === undefined ? {} : { requestState }),
    });
    if (required === null) return;
  }
  throw new RpcError(RPC.upstream, 'The MCP server sent too many input requests.');
}
