// Requests and answers of the edit worker: it runs as the file's owner and is trusted as little as that user's files.
import { type JsonSchema, makeCheck } from '../../runtime/json-schema-checker.ts';
import type { EntryValue } from './edit/entry.ts';
import type { Splice } from './edit/index.ts';
import type { CutEntry } from './edit/text.ts';

/** Target of an edit: the file, and the user that the worker becomes before it opens the file. */
export interface EditTarget {
  file: string;
  /** The home the file must really lie in; null: the machine's own. */
  home: string | null;
  /** All that it is called. */
  homeNames: readonly string[];
  become: { uid: number; gid: number } | null;
}

export type EditJob = EditTarget &
  (
    | { op: 'plan'; container: string[]; key: string }
    | { op: 'plan_back'; container: string[]; entries: CutEntry[]; after: string; splice: Splice }
    | { op: 'seek'; files: readonly SoughtFile[] }
    | { op: 'plan_in'; container: string[]; member: string; value: EntryValue }
    | { op: 'plan_out'; container: string[]; member: string; value: EntryValue; put: PutIn | null }
    /** Null: there is no such file, before or after. */
    | { op: 'swap'; from: string | null; to: string | null; splice: Splice }
  );

/** A client's configuration, and the entries that are asked about. */
export interface SoughtFile {
  file: string;
  container: string[];
  /** Evidence that the client is installed: the file itself, or the folder of the file. */
  sign: 'file' | 'folder';
  wanted: readonly { member: string; value: EntryValue }[];
}

/**
 * `ours`: exactly the entry that the agent writes; `set_up`: its address in another form; `taken`: another entry has
 * its name.
 */
export const ENTRY_STATES = ['none', 'ours', 'set_up', 'taken'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** How an entry came into a file, by which it is taken out again byte for byte. */
export interface PutIn {
  after: string;
  splice: Splice;
  /** There was no file. */
  created: boolean;
}

interface Planned {
  is: 'planned';
  from: string;
  to: string;
  splice: Splice;
}
type Failed = { is: 'failed'; reason: string };

interface Answers {
  /** `none`: the file has no such entry. */
  plan: { is: 'none' } | (Planned & { entries: CutEntry[] }) | Failed;
  /** `there`: the file has all of them again. */
  plan_back: { is: 'there' } | Planned | Failed;
  /** `changed`: somebody else wrote to it since. */
  seek:
    | {
        is: 'found';
        files: { state: 'absent' | 'there' | 'unreadable'; wanted: EntryState[] }[];
      }
    | Failed;
  /** `there`: the file has the entry already. */
  plan_in:
    | { is: 'there' }
    | { is: 'planned'; from: string | null; to: string; splice: Splice }
    | Failed;
  plan_out:
    | { is: 'none' }
    | { is: 'planned'; from: string; to: string | null; splice: Splice }
    | Failed;
  swap: { is: 'written' } | { is: 'changed' } | Failed;
}

export type EditAnswer<Op extends EditJob['op']> = Answers[Op];

const TEXT: JsonSchema = { type: 'string' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const SHA: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const SHA_OR_NONE: JsonSchema = { anyOf: [SHA, { type: 'null' }] };
const SPLICE = record({ at: COUNT, removed: TEXT, inserted: TEXT });
const FAILED = answerSchema('failed', { reason: { type: 'string', maxLength: 512 } });
const PLANNED = { from: SHA, to: SHA, splice: SPLICE };
const ENTRY: JsonSchema = {
  type: 'object',
  required: ['member', 'raw'],
  properties: {
    member: { anyOf: [TEXT, COUNT] },
    raw: TEXT,
    header: { anyOf: [{ type: 'array', items: TEXT }, { type: 'null' }] },
  },
};

function record(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function answerSchema(is: string, properties: Record<string, JsonSchema> = {}): JsonSchema {
  return record({ is: { const: is }, ...properties });
}

const ANSWERS: Record<EditJob['op'], JsonSchema> = {
  plan: {
    anyOf: [
      answerSchema('none'),
      answerSchema('planned', { ...PLANNED, entries: { type: 'array', items: ENTRY } }),
      FAILED,
    ],
  },
  plan_back: { anyOf: [answerSchema('there'), answerSchema('planned', PLANNED), FAILED] },
  seek: {
    anyOf: [
      answerSchema('found', {
        files: {
          type: 'array',
          items: record({
            state: { enum: ['absent', 'there', 'unreadable'] },
            wanted: { type: 'array', items: { enum: [...ENTRY_STATES] } },
          }),
        },
      }),
      FAILED,
    ],
  },
  plan_in: {
    anyOf: [
      answerSchema('there'),
      answerSchema('planned', { ...PLANNED, from: SHA_OR_NONE }),
      FAILED,
    ],
  },
  plan_out: {
    anyOf: [answerSchema('none'), answerSchema('planned', { ...PLANNED, to: SHA_OR_NONE }), FAILED],
  },
  swap: { anyOf: [answerSchema('written'), answerSchema('changed'), FAILED] },
};

/** Without an answer the result is unknown: the edit may have been made. */
export const NO_ANSWER = 'the editor gave no answer';

/** Validates the worker's answer; an invalid answer counts as a failure. */
export function readAnswer<Op extends EditJob['op']>(op: Op, text: string): EditAnswer<Op> {
  try {
    const answer: unknown = JSON.parse(text);
    if (makeCheck(ANSWERS[op])(answer) === null) return answer as EditAnswer<Op>;
  } catch {
    // The output is no JSON: the worker ended before it wrote an answer.
  }
  return { is: 'failed', reason: NO_ANSWER } as EditAnswer<Op>;
}
