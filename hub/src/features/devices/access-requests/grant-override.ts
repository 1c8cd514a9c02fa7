// What an exception has to match so that it goes before what decides now, and reaches no further than it must. Pure.
import { type OwningEntity, type PolicyOverride, precedes } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** What was asked for: an application that is on the device, or else a process by its name. */
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
  // Where all that is known stands in the winner's match already, the preview says that it goes before.
  return tried.find((match) => precedes(draftOf(match, winner), winner)) ?? narrower;
}

/** The exception as it would stand: newest, but its revision is the last thing that counts. */
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
