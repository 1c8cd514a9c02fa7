// Builds the request for a provider: its address, the forwarded headers, the body, and the credentials.
import type { ProviderDocument } from '../config/documents.ts';
import type { Operation } from '../entry/operations.ts';
import type { JsonObject } from '../entry/request-body.ts';
import type { UpstreamRequest } from '../upstream/client.ts';
import { authenticate } from './authenticate.ts';
import { ProviderMisconfigured } from './misconfigured.ts';
import { type BodyChange, PROVIDER_TABLE } from './table.ts';

/** A call as a provider needs it. */
export interface OutgoingCall {
  operation: Operation;
  method: string;
  stream: boolean;
  rest: string;
  headers: Readonly<Record<string, string>>;
  body: {
    contentType: string;
    bytes: Buffer;
    json: JsonObject | null;
    encode(members: JsonObject): Buffer;
  };
  /** False where the path names the model. */
  isModelInBody: boolean;
}

export interface PrepareTools {
  /** The address behind providers of type `gw_ai`. */
  managedModelUrl: string | null;
  fetch: typeof globalThis.fetch;
}

/** Headers of a client that a provider gets. Everything else stays here, above all identities and keys. */
const FORWARDED = [
  ...['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta', 'idempotency-key'],
  ...['x-amzn-bedrock-trace', 'x-amzn-bedrock-guardrailidentifier'],
  ...['x-amzn-bedrock-guardrailversion', 'x-amzn-bedrock-performanceconfig-latency'],
  'x-amzn-bedrock-accept',
];

/** Members of a body that an invocation at Bedrock replaces; undefined removes. */
const BODY_MEMBERS: Readonly<Record<BodyChange, JsonObject>> = {
  none: {},
  messages_by_invoke: {
    anthropic_version: 'bedrock-2023-05-31',
    model: undefined,
    stream: undefined,
  },
  rerank_by_invoke: { api_version: 2, model: undefined },
};

/** Returns the request for a provider and a model. Throws ProviderMisconfigured. */
export async function prepareRequest(
  provider: ProviderDocument,
  model: string,
  call: OutgoingCall,
  tools: PrepareTools,
): Promise<UpstreamRequest> {
  const { provider_settings: settings, provider_name: type } = provider;
  const row = PROVIDER_TABLE[type];
  const endpoint = row.endpoints[call.operation];
  if (endpoint === undefined) throw new ProviderMisconfigured('does not offer this API');
  const { address, isOperatorAddress } = readAddress(provider, tools.managedModelUrl);
  const path = endpoint.path({ settings, model, stream: call.stream, rest: call.rest });
  const change = endpoint.body ?? 'none';
  const members = call.isModelInBody && change === 'none' ? { model } : BODY_MEMBERS[change];
  const hasBody = call.body.bytes.length > 0;
  const request: UpstreamRequest = {
    method: call.method,
    url: `${address}${path}`,
    headers: forwardHeaders(call),
    body: hasBody ? call.body.encode(members) : null,
    isOperatorAddress,
  };
  await authenticate(request, row.authentication, settings, tools.fetch);
  return request;
}

function readAddress(
  { provider_name: type, provider_settings: settings }: ProviderDocument,
  managedModelUrl: string | null,
): { address: string; isOperatorAddress: boolean } {
  if (type === 'gw_ai' && settings.base_url === undefined) {
    if (managedModelUrl === null) {
      throw new ProviderMisconfigured(
        'needs GATEWAY_MANAGED_MODEL_URL, which the operator of this node has not set',
      );
    }
    return { address: managedModelUrl, isOperatorAddress: true };
  }
  const address = settings.base_url ?? PROVIDER_TABLE[type].address?.(settings);
  if (address === undefined) throw new ProviderMisconfigured('has no base_url');
  return { address: String(address).replace(/\/+$/, ''), isOperatorAddress: false };
}

function forwardHeaders({ headers, body }: OutgoingCall): Record<string, string> {
  // An encoded answer could be neither inspected nor counted.
  const forwarded: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const name of FORWARDED) {
    const value = headers[name];
    if (value !== undefined) forwarded[name] = value;
  }
  if (body.bytes.length > 0) {
    forwarded['content-type'] = body.json === null ? body.contentType : 'application/json';
  }
  return forwarded;
}
