// C/…/why: the whole chain of a decision: process, application, override, revision, who, when, and the audit events.
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
  /** What happened on a device; null where a decision itself is asked about. */
  happened: Nullable(
    Type.Object({
      at: Type.String(),
      /** Of an activity; an alert says it in its outcome. */
      decision: Nullable(OneOf(EXECUTION_POLICIES)),
      outcome: Nullable(Type.String()),
      device_id: Uuid,
      hostname: Type.String(),
    }),
  ),
  process: Nullable(Type.Object({ name: Type.String(), executable_path: Nullable(Type.String()) })),
  /** What names the process: an entry of the process map. */
  mapping: Nullable(
    Type.Object({
      process_name: Type.String(),
      match: OneOf(MAPPING_MATCHES),
      application_name: Type.String(),
    }),
  ),
  application: Nullable(Type.Object({ entity_id: Nullable(Type.String()), name: Type.String() })),
  /** Null where nothing was decided: then everything may run. */
  override: Nullable(
    Type.Object({
      override_id: Uuid,
      revision: Type.Integer(),
      /** It was withdrawn since. */
      deleted: Type.Boolean(),
      match: OverrideMatch,
      approval_status: OneOf(APPROVAL_STATUSES),
      execution_policy: OneOf(EXECUTION_POLICIES),
      reason: Nullable(Type.String()),
      scope_kind: OneOf(SCOPE_KINDS),
      /** Null where people ask about their own: of groups and other people they see nothing. */
      scope: Nullable(OverrideScope),
      expires_at: Nullable(Type.String()),
      default_kind: Nullable(OneOf(ENTITY_KINDS)),
      drift_hold: Type.Boolean(),
      decided_by: Type.String(),
      decided_at: Type.String(),
    }),
  ),
  /** The request that it was granted for. */
  access_request_id: Nullable(Uuid),
  /** What was done to it, oldest first; the newest 50. */
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
