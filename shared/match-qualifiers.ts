// The qualifiers by which an override matches, as one table: type, evaluation, precedence and blast radius. The wire contract,
// the policy decision, validation and the texts of conflicts derive from it. What the inventory of the hub can answer about a
// qualifier is in hub/src/features/devices/inventory/match-qualifiers.ts.
import { compareVersions, foldName } from './names.ts';
import type { EntityKind, Platform } from './wire/vocabulary.ts';

/** An entity that owns the process's executable. */
export interface OwningEntity {
  entity_id: string;
  kind: EntityKind;
  name: string;
  version: string | null;
  publisher: string | null;
}

export interface ProcessFacts {
  name: string;
  /** The name from the process map; null without a matching mapping. */
  application_name: string | null;
  publisher: string | null;
  sha256: string | null;
  entities: readonly OwningEntity[];
}

/** The facts that a qualifier is evaluated with; `entity` is an owner of the process, or null without one. */
export interface MatchFacts {
  platform: Platform;
  process: ProcessFacts;
  entity: OwningEntity | null;
}

/** The blast radius of a match: a program, a group of programs (of a publisher or a kind), or everything that runs. */
export type Breadth = 'program' | 'group' | 'everything';

/**
 * Kinds with few entities per device, each launched separately. Blocking such a kind as a whole is an ordinary default.
 */
export const NARROW_KINDS: readonly EntityKind[] = [
  'browser_extension',
  'ide_extension',
  'mcp_server',
  'ai_tool',
];

/** The type of a qualifier's value; shared/wire/sync/delta.ts has its schema. A text is not blank. */
export type QualifierType = 'sha256' | 'text' | 'platform' | 'kind';

interface Qualifier<T extends QualifierType = QualifierType> {
  type: T;
  /** The subject that the qualifier names: facts of a process are known only while it runs. */
  subject: 'app' | 'process' | 'device';
  /** A match with a more exact qualifier takes precedence. */
  exactness: 0 | 1 | 2 | 3;
  breadth(value: string): Breadth;
  matches(value: string, facts: MatchFacts): boolean;
}

/** Keeps the type of the value. */
const qualifier = <T extends QualifierType>(row: Qualifier<T>) => row;

const always = (breadth: Breadth) => () => breadth;

export const MATCH_QUALIFIERS = {
  executable_sha256: qualifier({
    type: 'sha256',
    subject: 'process',
    exactness: 3,
    breadth: always('program'),
    matches: (value, { process }) => value === process.sha256,
  }),
  entity_id: qualifier({
    type: 'sha256',
    subject: 'app',
    exactness: 2,
    breadth: always('program'),
    matches: (value, { entity }) => value === entity?.entity_id,
  }),
  name: qualifier({
    type: 'text',
    subject: 'process',
    exactness: 1,
    breadth: always('program'),
    matches: (value, { process, entity }) =>
      includesFolded([process.name, process.application_name, entity?.name ?? null], value),
  }),
  publisher: qualifier({
    type: 'text',
    subject: 'app',
    exactness: 0,
    breadth: always('group'),
    matches: (value, { process, entity }) =>
      includesFolded([process.publisher, entity?.publisher ?? null], value),
  }),
  platform: qualifier({
    type: 'platform',
    subject: 'device',
    exactness: 0,
    breadth: always('everything'),
    matches: (value, { platform }) => value === platform,
  }),
  kind: qualifier({
    type: 'kind',
    subject: 'app',
    exactness: 0,
    breadth: breadthOfKind,
    matches: (value, { entity }) => value === entity?.kind,
  }),
  version_below: qualifier({
    type: 'text',
    subject: 'app',
    exactness: 0,
    breadth: always('everything'),
    matches(value, { entity }) {
      const version = entity?.version ?? null;
      return version !== null && compareVersions(version, value) < 0;
    },
  }),
};

export type QualifierName = keyof typeof MATCH_QUALIFIERS;

/** Values by qualifier. */
export type QualifierValues = { readonly [Name in QualifierName]?: string | undefined };

const ROWS = Object.entries(MATCH_QUALIFIERS) as [QualifierName, Qualifier][];

/** Returns the qualifiers that a match has, in the order of the table. */
export function qualifiersOf(
  match: QualifierValues,
): { name: QualifierName; value: string; qualifier: Qualifier }[] {
  return ROWS.flatMap(([name, row]) => {
    const value = match[name];
    return value === undefined ? [] : { name, value, qualifier: row };
  });
}

/** Returns whether the facts satisfy all qualifiers of a match. Allocates nothing, because agents call it very often. */
export function satisfies(match: QualifierValues, facts: MatchFacts): boolean {
  for (const [name, row] of ROWS) {
    const value = match[name];
    if (value !== undefined && !row.matches(value, facts)) return false;
  }
  return true;
}

function includesFolded(names: readonly (string | null)[], expected: string): boolean {
  const folded = foldName(expected);
  return names.some((name) => name !== null && foldName(name) === folded);
}

function breadthOfKind(kind: string): Breadth {
  if (NARROW_KINDS.some((narrow) => narrow === kind)) return 'program';
  return kind === 'application' ? 'group' : 'everything';
}
