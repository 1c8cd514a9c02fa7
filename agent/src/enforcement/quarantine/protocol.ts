// What the child that edits configurations is asked, and what it may answer: it runs as the file's owner and is trusted
// as little as that person's files.
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Splice } from './edit/index.ts';
import type { CutEntry } from './edit/text.ts';

/** Whose file it is, and whom the child becomes before it looks at it. */
export interface Place {
  file: string;
  /** The home the file must really lie in; null: the machine's own. */
  home: string | null;
  become: { uid: number; gid: number } | null;
}

export type EditJob = Place &
  (
    | { op: 'plan'; container: string[]; key: string }
    | { op: 'plan_back'; container: string[]; entries: CutEntry[]; after: string; splice: Splice }
    | { op: 'swap'; from: string; to: string; splice: Splice }
  );

const Sha = Type.String({ pattern: '^[0-9a-f]{64}$' });
const SpliceShape = Type.Object({
  at: Type.Integer({ minimum: 0 }),
  removed: Type.String(),
  inserted: Type.String(),
});
const Failed = Type.Object({ is: Type.Literal('failed'), reason: Type.String({ maxLength: 512 }) });
const Entry = Type.Object({
  member: Type.Union([Type.String(), Type.Integer({ minimum: 0 })]),
  raw: Type.String(),
  header: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
});

const ANSWERS = {
  /** `none`: no such entry stands there. */
  plan: Type.Union([
    Type.Object({ is: Type.Literal('none') }),
    Type.Object({
      is: Type.Literal('planned'),
      from: Sha,
      to: Sha,
      splice: SpliceShape,
      entries: Type.Array(Entry),
    }),
    Failed,
  ]),
  /** `there`: the file has all of them again. */
  plan_back: Type.Union([
    Type.Object({ is: Type.Literal('there') }),
    Type.Object({ is: Type.Literal('planned'), from: Sha, to: Sha, splice: SpliceShape }),
    Failed,
  ]),
  /** `changed`: somebody else wrote to it since. */
  swap: Type.Union([
    Type.Object({ is: Type.Literal('written') }),
    Type.Object({ is: Type.Literal('changed') }),
    Failed,
  ]),
};

export type EditAnswer<Op extends EditJob['op']> = Op extends 'plan'
  ? Type.Static<typeof ANSWERS.plan>
  : Op extends 'plan_back'
    ? Type.Static<typeof ANSWERS.plan_back>
    : Type.Static<typeof ANSWERS.swap>;

/** The child's answer; what it must not say counts as a failure. */
export function readAnswer<Op extends EditJob['op']>(op: Op, text: string): EditAnswer<Op> {
  try {
    const answer: unknown = JSON.parse(text);
    if (Value.Check(ANSWERS[op], answer)) return answer as EditAnswer<Op>;
  } catch {
    // No JSON: it ended before it could say anything.
  }
  return { is: 'failed', reason: 'the editor gave no answer' } as EditAnswer<Op>;
}
