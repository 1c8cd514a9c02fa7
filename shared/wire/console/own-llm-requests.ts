// C/own/llm-requests: the LLM requests in a person's name, how each ended and what stopped or changed it. Without what was
// sent and answered: an app says whose a request is, and may say somebody else's. The chain of one is as for everybody.
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
