// Requests for the lists and the instructions of a server, through the circuit breaker.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RpcError } from '../protocol/index.ts';
import type { ToolPins } from '../tool-pinning/index.ts';
import {
  type Backend,
  type CircuitBreaker,
  type SessionOwner,
  type Upstreams,
  withCircuitBreaker,
} from '../upstream/index.ts';
import { fetchList, INSTRUCTIONS, type ListRequest } from './list-pages.ts';

interface ListingContext {
  breaker: CircuitBreaker;
  /** The user, for lists that differ per user. */
  userKey: string;
  upstreams: Upstreams;
  owner: Pick<SessionOwner, 'capabilities'>;
  /** Records what differs from the approved definitions. */
  pins?: ToolPins;
}

/** Returns the request for a list of the server. */
export function listRequest(context: ListingContext, target: Backend, method: string): ListRequest {
  const { userKey, upstreams, breaker, pins } = context;
  return {
    target,
    method,
    userKey,
    capabilities: context.owner.capabilities,
    async onItems(items) {
      if (method === 'tools/list') await pins?.recordTools(target, items);
    },
    async fetchPage(owner, params, signal) {
      const request = { id: 'list', method, params };
      const messages = withCircuitBreaker(
        { breaker, userKey: `lists ${userKey}`, signal },
        target,
        () => upstreams.call(target, owner, request, signal),
      );
      for await (const { method: notification, error, result } of messages) {
        if (notification !== undefined) continue;
        if (error !== undefined) throw new RpcError(error.code, error.message);
        return result ?? {};
      }
      return {};
    },
  };
}

/** Returns the request for the instructions of the server, as a list with a single item or none. */
export function instructionsRequest(context: ListingContext, target: Backend): ListRequest {
  const { userKey, upstreams, breaker, pins } = context;
  return {
    target,
    method: INSTRUCTIONS,
    userKey,
    capabilities: {},
    async onItems(items) {
      await pins?.recordInstructions(target, instructionText(items));
    },
    async fetchPage(owner, _params, signal) {
      const messages = withCircuitBreaker(
        { breaker, userKey: `lists ${userKey}`, signal },
        target,
        async function* () {
          const text = await upstreams.fetchInstructions(target, owner, signal);
          const instructions = text === null ? [] : [{ text }];
          yield { jsonrpc: '2.0', id: 'list', result: { instructions } };
        },
      );
      for await (const { result } of messages) return result ?? {};
      return {};
    },
  };
}

/** Returns the text of an instructions list, or null. */
export function instructionText([first]: readonly unknown[]): string | null {
  return isObject(first) && typeof first.text === 'string' ? first.text : null;
}

/** Fetches the current instructions of a backend; null without instructions. Throws RpcError. */
export async function fetchCurrentInstructions(
  context: Omit<ListingContext, 'pins'> & { owner: SessionOwner },
  backend: Backend,
  signal: AbortSignal,
): Promise<string | null> {
  const request = instructionsRequest(context, backend);
  return instructionText(await fetchList(request, context.owner, signal));
}

/** Fetches the current tools of a backend, with the backend's own names. Throws RpcError without a list. */
export function fetchCurrentTools(
  context: Omit<ListingContext, 'pins'> & { owner: SessionOwner },
  backend: Backend,
  signal: AbortSignal,
): Promise<unknown[]> {
  return fetchList(listRequest(context, backend, 'tools/list'), context.owner, signal);
}
