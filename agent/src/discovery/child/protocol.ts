// What a scan's child is told on its standard input, and the lines it may answer: as little trusted as the home it read.
import { ENTITY_KINDS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Home } from '../homes.ts';
import type { DiscoverySettings } from '../scan.ts';
import type { Discovered, Report } from '../source.ts';

/** One child's work: the machine, homes of one user id, or both. */
export interface Job {
  platform: string;
  root: string;
  machine: boolean;
  homes: Home[];
  /** Other people's homes, of which is only asked whether there is anything in them. */
  others: Pick<Home, 'owner' | 'path'>[];
  sources: readonly string[] | null;
  env: Record<string, string>;
  settings: DiscoverySettings;
  /** Whom it becomes before it reads anything; null: it stays who it is. */
  become: { uid: number; gid: number } | null;
}

const Text = (maxLength: number) => Type.String({ maxLength });
const Maybe = (maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
const PATH = 16_384;

const FoundLine = Type.Object({
  is: Type.Literal('found'),
  one: Type.Object({
    kind: Type.Enum([...ENTITY_KINDS]),
    key: Type.String({ minLength: 1, maxLength: 4096 }),
    name: Text(4096),
    version: Maybe(4096),
    publisher: Maybe(4096),
    path: Maybe(PATH),
    executables: Type.Optional(Type.Array(Text(PATH), { maxItems: 4096 })),
    installedAt: Type.Optional(
      Type.Union([
        Type.String({
          pattern: '^(19[7-9]\\d|2\\d{3})-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
        }),
        Type.Null(),
      ]),
    ),
    launchHash: Type.Optional(
      Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
    ),
    permissions: Type.Optional(
      Type.Union([Type.Array(Text(4096), { maxItems: 4096 }), Type.Null()]),
    ),
    calledThere: Maybe(4096),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    launch: Type.Optional(
      Type.Union([
        Type.Object({ command: Text(4096), token: Type.Union([Text(4096), Type.Null()]) }),
        Type.Null(),
      ]),
    ),
    entry: Type.Optional(
      Type.Union([
        Type.Object({ file: Text(PATH), container: Type.Array(Text(4096), { maxItems: 8 }) }),
        Type.Null(),
      ]),
    ),
  }),
});

const ReportLine = Type.Object({
  is: Type.Literal('report'),
  source: Text(64),
  owner: Type.Union([Text(256), Type.Null()]),
  state: Type.Enum(['read', 'absent', 'unreadable', 'unparsed', 'timed_out', 'skipped']),
  reason: Type.Union([Text(4096), Type.Null()]),
  problems: Type.Array(Type.Object({ path: Text(PATH), reason: Text(4096) }), { maxItems: 200 }),
});

const BareLine = Type.Object({ is: Type.Literal('bare'), owner: Text(256) });

export type Line =
  | { is: 'bare'; owner: string }
  | { is: 'found'; one: Discovered }
  | ({ is: 'report' } & Omit<Report, 'found'>);

const MAX_DETAIL_KEYS = 64;

/** Compiled with the first line: a scan has thousands. */
let checks: {
  found: ReturnType<typeof Compile<typeof FoundLine>>;
  report: ReturnType<typeof Compile<typeof ReportLine>>;
  bare: ReturnType<typeof Compile<typeof BareLine>>;
} | null = null;

/** A line of a child; null where it is none that a child of ours would write. */
export function readLine(text: string): Line | null {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    // Whatever it is, it is not ours.
    return null;
  }
  checks ??= { found: Compile(FoundLine), report: Compile(ReportLine), bare: Compile(BareLine) };
  if (checks.report.Check(line) || checks.bare.Check(line)) return line as Line;
  if (!checks.found.Check(line)) return null;
  const { one } = line;
  if (Object.keys(one.details ?? {}).length > MAX_DETAIL_KEYS) return null;
  return line as Line;
}
