// When a call waits for its person: the address where they connect, said in the way that their client understands.
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { errorMessage, type Id, type Rpc, RpcError } from './messages.ts';
import { type Era, saidOfClient } from './revisions.ts';
import type { KeyMissing } from './targets.ts';

/** Of revisions before 2026-07-28: the client shows the addresses, and calls again. */
const URL_ELICITATION_REQUIRED = -32042;
const NAME = 'gatewarden-connect';
/** The methods of 2026-07-28 that may answer that they need something first. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The answer to a call that needs its person. */
export function connectAnswer(
  failure: KeyMissing,
  message: Rpc,
  client: { era: Era; capabilities: Record<string, unknown> },
): Rpc {
  const id = message.id as Id;
  const { url } = failure;
  if (url === null) return errorMessage(id, failure);
  const said = client.era === 'modern' ? saidOfClient(message).capabilities : client.capabilities;
  const opensUrls = isObject(said.elicitation) && isObject(said.elicitation.url);
  const asked = { mode: 'url', url, message: failure.words };
  if (client.era === 'modern') {
    if (!opensUrls || !MAY_ASK.has(message.method ?? '')) return errorMessage(id, failure);
    const inputRequests = { [NAME]: { method: 'elicitation/create', params: asked } };
    return { jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } };
  }
  if (!opensUrls) return errorMessage(id, failure);
  const data = { elicitations: [{ ...asked, elicitationId: randomUUID() }] };
  return errorMessage(id, new RpcError(URL_ELICITATION_REQUIRED, failure.words, { data }));
}

/** The person's answer to our own question is for nobody else. */
export function withoutConnect(message: Rpc): Rpc {
  const { inputResponses, ...params } = message.params ?? {};
  if (!isObject(inputResponses) || !(NAME in inputResponses)) return message;
  const { [NAME]: _ours, ...others } = inputResponses;
  const rest = Object.keys(others).length === 0 ? {} : { inputResponses: others };
  return { ...message, params: { ...params, ...rest } };
}
