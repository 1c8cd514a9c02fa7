// What a decision is about, and when it holds, in words.
import type { HeldDecision } from '@gatewarden/shared/wire/local/service.ts';
import { texts } from '../texts.ts';
import { when } from './parts.tsx';

const t = texts.decisions;

/** From when to when, and that it is not in force where it is not. */
export function timesOf(decision: HeldDecision): string[] {
  return [
    ...(decision.effective_at === null ? [] : [t.from(when(decision.effective_at))]),
    ...(decision.expires_at === null ? [] : [t.until(when(decision.expires_at))]),
    ...(decision.in_force ? [] : [t.notNow]),
  ];
}

/** All of a match has to hold. */
export function describeMatch({ match, entity_name }: HeldDecision): string {
  const { entity_id, kind, ...others } = match;
  return [
    ...(entity_id === undefined ? [] : [t.match.entity_id(entity_name ?? entity_id)]),
    ...(kind === undefined ? [] : [t.match.kind[kind]]),
    ...(Object.entries(others) as [keyof typeof others, string][]).map(([key, value]) =>
      t.match[key](value),
    ),
  ].join(', ');
}
