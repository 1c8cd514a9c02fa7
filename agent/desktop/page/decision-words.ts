// Describes what a policy applies to, and when, in words.
import type { PolicyDecision } from '@gatewarden/shared/wire/local/service.ts';
import { texts } from '../texts.ts';
import { when } from './parts.tsx';

const t = texts.decisions;

/** From when to when, and that it is not in force where it is not. */
export function timesOf(decision: PolicyDecision): string[] {
  return [
    ...(decision.effective_at === null ? [] : [t.from(when(decision.effective_at))]),
    ...(decision.expires_at === null ? [] : [t.until(when(decision.expires_at))]),
    ...(decision.in_force ? [] : [t.notNow]),
  ];
}

/** Describes a match; all of its fields must match. */
export function describeMatch({ match, entity_name }: PolicyDecision): string {
  const { entity_id, kind, ...others } = match;
  return [
    ...(entity_id === undefined ? [] : [t.match.entity_id(entity_name ?? entity_id)]),
    ...(kind === undefined ? [] : [t.match.kind[kind]]),
    ...(Object.entries(others) as [keyof typeof others, string][]).map(([key, value]) =>
      t.match[key](value),
    ),
  ].join(', ');
}
