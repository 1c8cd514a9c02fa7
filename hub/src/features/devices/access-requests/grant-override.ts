// Computes the match of an exception: it takes precedence over the current override and covers no more than necessary. Pure.
import { type OwningEntity, type PolicyOverride, precedes } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** The requested subject: an application of the device, or a process by name. */
export type Subject =
  | { entity: OwningEntity; processName: null }
  | { entity: null; processName: string };

/**
 * The match of an override for the one device. Names the application (or the process) always; takes on as much of the
 * deciding override's own match, and of what is known of the thing, as precedence asks for.
 */
export function exceptionMatch(
  subject: Subject,
  platform: Platform,
  winner: PolicyOverride | null,
): OverrideMatch {
  const base: OverrideMatch =
    subject.entity === null
      ? { name: subject.processName }
      : { entity_id: subject.entity.entity_id };
  if (winner === null) return base;
  const narrower: OverrideMatch = { ...winner.match, ...base };
  const onPlatform: OverrideMatch = { ...narrower, platform };
  const ofKind = subject.entity === null ? {} : { kind: subject.entity.kind };
  const tried = [base, narrower, onPlatform, { ...onPlatform, ...ofKind }];
  // If the winner's match names every known fact, the preview reports that the winner takes precedence.
  return tried.find((match) => precedes(draftOf(match, winner), winner)) ?? narrower;
}

/** The override of the exception as it would be stored. It is the newest, but its revision decides last. */
function draftOf(match: OverrideMatch, winner: PolicyOverride): PolicyOverride {
  return {
    override_id: winner.override_id,
    revision: winner.revision + 1,
    deleted: false,
    scope_kind: 'device',
    match,
    execution_policy: 'allow',
    effective_at: null,
    expires_at: null,
  };
}
