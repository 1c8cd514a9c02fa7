// C/llm/gateway and C/llm/test-requests: the address of the gateway nodes, and a short request through it.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

export const GatewayAddressAnswer = Type.Object({
  /** The address under which clients reach the gateway nodes, without a final slash. Null: not configured. */
  url: Nullable(Type.String()),
  request_id: Type.String(),
});
export type GatewayAddressAnswer = Static<typeof GatewayAddressAnswer>;

export const TestRequestInput = Type.Object(
  {
    /** The key of an app of this tenant. The hub sends it to the gateway, and neither stores nor logs it. */
    app_key: Type.String({ minLength: 1, maxLength: 200, writeOnly: true }),
    /** A provider of the tenant. Its type decides the API of the request. */
    provider_label: Type.String({ minLength: 1, maxLength: 200 }),
    model: Type.String({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false, title: 'TestRequestInput' },
);
export type TestRequestInput = Static<typeof TestRequestInput>;

/**
 * `answered`: the model answered. `refused`: the gateway or the provider answered an error. `unreachable`: no answer came
 * from the gateway's address.
 */
export const TEST_REQUEST_OUTCOMES = ['answered', 'refused', 'unreachable'] as const;
export type TestRequestOutcome = (typeof TEST_REQUEST_OUTCOMES)[number];

export const TestRequest = Type.Object(
  {
    outcome: OneOf(TEST_REQUEST_OUTCOMES),
    /** The HTTP status of the gateway; null if none came. */
    status: Nullable(Type.Integer()),
    /** The text of the answer, or the message of the error. */
    text: Nullable(Type.String()),
    /** The id of the request in the log of LLM requests. */
    gateway_request_id: Nullable(Type.String()),
    latency_ms: Type.Number(),
    tokens_request: Nullable(Type.Integer()),
    tokens_response: Nullable(Type.Integer()),
    /** US dollars; null without a known price. */
    cost_usd: Nullable(Type.Number()),
  },
  { title: 'TestRequest' },
);
export type TestRequest = Static<typeof TestRequest>;
export const TestRequestAnswer = Type.Object({ test: TestRequest, request_id: Type.String() });
