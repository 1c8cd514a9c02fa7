// Capabilities that an MCP client declares, and the requests of servers that need them. Pure.
import type { ClientCapabilities, JSONRPCRequest } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, RpcError, type RpcMessage } from './messages.ts';

/** A request of a server to the client: elicitation, sampling or roots. */
export type InputRequest = Pick<JSONRPCRequest, 'method'> & Pick<RpcMessage, 'params'>;

const CAPABILITY_OF_METHOD: Record<string, keyof ClientCapabilities> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

interface CapabilityHolder {
  capabilities: Record<string, unknown>;
}

/** Returns whether the client declared the capability that the request needs, with the mode of an elicitation. */
export function supportsInputRequest(
  { capabilities }: CapabilityHolder,
  { method, params }: InputRequest,
): boolean {
  const name = CAPABILITY_OF_METHOD[method];
  if (name === undefined) return false;
  const declared = capabilities[name];
  if (!isObject(declared)) return false;
  if (method !== 'elicitation/create') return true;
  const { form, url } = declared as { form?: unknown; url?: unknown };
  if (params?.mode === 'url') return isObject(url);
  // Before 2025-11-25 elicitation had no modes, and a form was the only kind.
  return isObject(form) || url === undefined;
}

/** Returns the capability that a server's request needs and the client did not declare, or null. */
export function missingCapability(client: CapabilityHolder, request: RpcMessage): string | null {
  const { method = '', params = {} } = request;
  const name = CAPABILITY_OF_METHOD[method];
  return name === undefined || supportsInputRequest(client, { method, params }) ? null : name;
}

/** Returns the error for a server's request that the client does not support. */
export function unsupportedInputError({ method }: InputRequest): RpcError {
  const name = method.slice(0, 60);
  return new RpcError(
    RPC.missingCapability,
    `The MCP server requested ${name}, which this client doesn't support.`,
    { data: { requiredCapabilities: { [CAPABILITY_OF_METHOD[method] ?? name]: {} } } },
  );
}
