// C/own/llm-requests: LLM requests in the caller's name, their results and guardrail actions. Contents are omitted,
// because an app names the user of a request and may name another user. The decision trace is the same as for other
// roles.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { LlmRequestItem } from './logs.ts';

export const OwnLlmRequestQuery = Type.Object(
  { ...ListQuery, blocked: Type.Optional(OneOf(['true', 'false'] as const)) },
  { additionalProperties: false },
);

export const OwnLlmRequest = Type.Object(
  {
    ...Type.Pick(LlmRequestItem, [
      'request_id',
      'timestamp',
      'model',
      'provider',
      'status_code',
      'is_blocked',
      'is_failed',
      'is_anonymized',
      'reasons',
    ]).properties,
    /** The app's name. */
    app: Type.String(),
  },
  { title: 'OwnLlmRequest' },
);
export type OwnLlmRequest = Static<typeof OwnLlmRequest>;
export const OwnLlmRequestList = ListAnswer(OwnLlmRequest);
