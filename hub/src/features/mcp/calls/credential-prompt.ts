// The response to a call whose user must connect to the server first: the address, in the form of the client's revision.

import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import {
  errorMessage,
  type ProtocolRevision,
  RpcError,
  type RpcMessage,
  readClientMeta,
} from '../protocol/index.ts';
import type { CredentialRequiredError } from '../upstream/index.ts';

/** Error code of legacy revisions: the client shows the addresses, and repeats the call. */
const URL_ELICITATION_REQUIRED = -32042;
/** Key of the gateway's own request in `inputRequests`. */
const REQUEST_KEY = 'gatewarden-connect';
/** Methods of the revision 2026-07-28 whose result may be `input_required`. */
const INPUT_METHODS = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Returns an elicitation by URL if the client supports it, or the error with the address. */
export function credentialPrompt(
  failure: CredentialRequiredError,
  message: RpcMessage,
  client: { revision: ProtocolRevision; capabilities: Record<string, unknown> },
): RpcMessage {
  const id = message.id as RequestId;
  const { url, reason } = failure;
  const isModern = client.revision === 'modern';
  const { capabilities } = isModern ? readClientMeta(message) : client;
  const supportsUrl = isObject(capabilities.elicitation) && isObject(capabilities.elicitation.url);
  if (url === null || !supportsUrl) return errorMessage(id, failure);
  const elicitation = { mode: 'url', url, message: reason };
  if (isModern) {
    if (!INPUT_METHODS.has(message.method ?? '')) return errorMessage(id, failure);
    const request = { method: 'elicitation/create', params: elicitation };
    const inputRequests = { [REQUEST_KEY]: request };
    return { jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } };
  }
  const data = { elicitations: [{ ...elicitation, elicitationId: randomUUID() }] };
  return errorMessage(id, new RpcError(URL_ELICITATION_REQUIRED, reason, { data }));
}

/** Removes the client's answer to the gateway's own request, which no server expects. */
export function withoutCredentialResponse(message: RpcMessage): RpcMessage {
  const { inputResponses, ...params } = message.params ?? {};
  if (!isObject(inputResponses) || !(REQUEST_KEY in inputResponses)) return message;
  const { [REQUEST_KEY]: _response, ...others } = inputResponses;
  const rest = Object.keys(others).length === 0 ? {} : { inputResponses: others };
  return { ...message, params: { ...params, ...rest } };
}
