// C/access-requests and C/own/access-requests: exceptions that users request, and the reviewers' answers.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { AccessReason } from '../sync/access-requests.ts';
import { OverrideMatch } from '../sync/delta.ts';
import { EXECUTION_POLICIES } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';

const strict = { additionalProperties: false };

/** `withdrawn`: the device was retired before a reviewer answered. */
export const ACCESS_STATES = ['open', 'granted', 'declined', 'withdrawn'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

export const OwnAccessRequest = Type.Object({
  access_request_id: Uuid,
  device_id: Uuid,
  hostname: Type.String(),
  entity_id: Nullable(Sha256Hex),
  process_name: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  reason: Type.String(),
  state: OneOf(ACCESS_STATES),
  created_at: Type.String(),
  /** How many times the user sent the request, and when last. */
  asked: Type.Integer(),
  asked_at: Type.String(),
  decided_at: Nullable(Type.String()),
  decided_by: Nullable(Type.String()),
  /** The reviewer's answer. */
  answer: Nullable(Type.String()),
  /** The end of the exception; null unless the request is granted. */
  ends_at: Nullable(Type.String()),
  /** The override of the granted request, and whether it is still in force. */
  override_id: Nullable(Uuid),
});
export type OwnAccessRequest = Static<typeof OwnAccessRequest>;

export const OwnAccessRequestsQuery = Type.Object(ListQuery, strict);
export const OwnAccessRequestsAnswer = ListAnswer(OwnAccessRequest);

export const OwnAccessRequestAnswer = Type.Object({
  access_request: OwnAccessRequest,
  request_id: Type.String(),
});
export type OwnAccessRequestAnswer = Static<typeof OwnAccessRequestAnswer>;

/** The subject: an application on the device, or a blocked process. */
export const OwnAccessRequestInput = Type.Object(
  {
    device_id: Uuid,
    entity_id: Type.Optional(Sha256Hex),
    activity_id: Type.Optional(Uuid),
    reason: AccessReason,
  },
  strict,
);

export const AccessRequest = Type.Object({
  ...OwnAccessRequest.properties,
  subscriber_id: Type.String(),
  via: OneOf(['console', 'agent']),
  activity_id: Nullable(Uuid),
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
  version: Type.String(),
  /**
   * For an open request: the deciding override on the device, and the match that an exception needs to take precedence
   * over it.
   */
  exception: Nullable(
    Type.Object({
      policy: OneOf(EXECUTION_POLICIES),
      override_id: Nullable(Uuid),
      match: OverrideMatch,
    }),
  ),
});
export type AccessRequest = Static<typeof AccessRequest>;

export const AccessRequestsQuery = Type.Object(
  {
    ...ListQuery,
    state: Type.Optional(OneOf(ACCESS_STATES)),
    device_id: Type.Optional(Uuid),
    /** The user who sent the request, in any case. */
    subscriber_id: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  },
  strict,
);
export const AccessRequestsListAnswer = ListAnswer(AccessRequest);

export const AccessRequestAnswer = Type.Object({
  access_request: AccessRequest,
  request_id: Type.String(),
});
export type AccessRequestAnswer = Static<typeof AccessRequestAnswer>;

const Answer = Type.String({ maxLength: 2000 });

/** `match` as it was previewed. If an exception needs a different match by now, nothing is granted. */
export const AccessGrantInput = Type.Object(
  { match: OverrideMatch, expires_at: Instant, reason: Type.Optional(Nullable(Answer)) },
  strict,
);
export const AccessDeclineInput = Type.Object(
  {
    reason: Type.String({
      description: '1 to 2000 characters that say why',
      pattern: '\\S',
      minLength: 1,
      maxLength: 2000,
    }),
  },
  strict,
);
