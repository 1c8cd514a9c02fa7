// C/…/why: the decision trace: process, application, override, revision, author, time, and audit events.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { OverrideMatch } from '../sync/delta.ts';
import {
  APPROVAL_STATUSES,
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  MAPPING_MATCHES,
  SCOPE_KINDS,
} from '../vocabulary.ts';
import { OverrideScope } from './overrides.ts';

export const WhyQuery = Type.Object({ device_id: Uuid }, { additionalProperties: false });

export const WhyAnswer = Type.Object({
  /** The event on a device; null for the trace of an override itself. */
  happened: Nullable(
    Type.Object({
      at: Type.String(),
      /** The policy of an enforcement record; an alert contains it in its outcome. */
      decision: Nullable(OneOf(EXECUTION_POLICIES)),
      outcome: Nullable(Type.String()),
      device_id: Uuid,
      hostname: Type.String(),
    }),
  ),
  process: Nullable(Type.Object({ name: Type.String(), executable_path: Nullable(Type.String()) })),
  /** The process mapping that names the process. */
  mapping: Nullable(
    Type.Object({
      process_name: Type.String(),
      match: OneOf(MAPPING_MATCHES),
      application_name: Type.String(),
    }),
  ),
  application: Nullable(Type.Object({ entity_id: Nullable(Type.String()), name: Type.String() })),
  /** Null without a matching override, which permits the process. */
  override: Nullable(
    Type.Object({
      override_id: Uuid,
      revision: Type.Integer(),
      /** The override was withdrawn after the event. */
      deleted: Type.Boolean(),
      match: OverrideMatch,
      approval_status: OneOf(APPROVAL_STATUSES),
      execution_policy: OneOf(EXECUTION_POLICIES),
      reason: Nullable(Type.String()),
      scope_kind: OneOf(SCOPE_KINDS),
      /** Null for users who see only their own data, because a scope names groups and other users. */
      scope: Nullable(OverrideScope),
      expires_at: Nullable(Type.String()),
      default_kind: Nullable(OneOf(ENTITY_KINDS)),
      drift_hold: Type.Boolean(),
      decided_by: Type.String(),
      decided_at: Type.String(),
    }),
  ),
  /** The access request that created the override. */
  access_request_id: Nullable(Uuid),
  /** The newest 50 audit events of the override, oldest first. */
  events: Type.Array(
    Type.Object({
      event_id: Uuid,
      at: Type.String(),
      operation: Type.String(),
      by: Type.String(),
      request_id: Nullable(Type.String()),
    }),
  ),
  request_id: Type.String(),
});
export type WhyAnswer = Static<typeof WhyAnswer>;
