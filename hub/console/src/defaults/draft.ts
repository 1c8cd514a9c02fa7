// The draft of the default policies: a line for each kind. Pure.
import type {
  DefaultPolicy,
  DefaultPolicyInput,
} from '@gatewarden/shared/wire/console/default-policies.ts';
import {
  ENTITY_KINDS,
  type EntityKind,
  type ExecutionPolicy,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { type Both, merged } from '../concurrent-edits/three-way-merge.ts';

export interface DraftLine {
  /** Empty: the kind has no default policy. */
  policy: ExecutionPolicy | '';
  reason: string;
  /** The stored severity; left out for a changed policy, which gets the hub's default. */
  severity: DefaultPolicy['severity'] | undefined;
}

export type Draft = Record<EntityKind, DraftLine>;

export function draftOf(policies: readonly DefaultPolicy[]): Draft {
  const lines = ENTITY_KINDS.map((kind): [EntityKind, DraftLine] => {
    const found = policies.find((item) => item.kind === kind);
    const line: DraftLine = {
      policy: found?.execution_policy ?? '',
      reason: found?.reason ?? '',
      severity: found?.severity,
    };
    return [kind, line];
  });
  return Object.fromEntries(lines) as Draft;
}

/** Returns the policies to save. */
export function bodyOf(draft: Draft): DefaultPolicyInput[] {
  return ENTITY_KINDS.flatMap((kind) => {
    const { policy, reason, severity } = draft[kind];
    if (policy === '') return [];
    const text = reason.trim();
    return {
      kind,
      execution_policy: policy,
      ...(severity === undefined ? {} : { severity }),
      reason: text === '' ? null : text,
    };
  });
}

/** Returns the kinds in which the two drafts differ. */
export function changedKinds(stored: Draft, draft: Draft): EntityKind[] {
  return ENTITY_KINDS.filter(
    (kind) =>
      stored[kind].policy !== draft[kind].policy ||
      (draft[kind].policy !== '' && stored[kind].reason !== draft[kind].reason.trim()),
  );
}

/** Draft lines for a three-way merge: a policy and its severity are a single value. */
type Decided = Record<EntityKind, { decided: (string | undefined)[]; reason: string }>;

/** Merges the draft with `now`, which another user saved meanwhile; `both` names kinds, or a kind and its reason. */
export function mergedDraft(
  base: Draft,
  mine: Draft,
  now: Draft,
): { draft: Draft; both: readonly Both[] } {
  const together = (draft: Draft) =>
    Object.fromEntries(
      ENTITY_KINDS.map((kind) => {
        const { policy, severity, reason } = draft[kind];
        return [kind, { decided: [policy, severity], reason }];
      }),
    ) as Decided;
  const { values, both } = merged(together(base), together(mine), together(now));
  const lines = ENTITY_KINDS.map((kind) => {
    const { decided, reason } = values[kind];
    const [policy, severity] = decided as [DraftLine['policy'], DraftLine['severity']];
    return [kind, { policy, severity, reason }];
  });
  return {
    draft: Object.fromEntries(lines) as Draft,
    both: both.map(({ path, now: says }) => ({
      path,
      now: path[1] === 'decided' ? (says as Decided[EntityKind]['decided'])[0] : says,
    })),
  };
}
