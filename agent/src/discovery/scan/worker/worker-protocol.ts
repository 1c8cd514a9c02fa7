// Input of a scan worker, and the lines that it may write: as little trusted as the home that it read.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { ENTITY_KINDS } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Check, type JsonSchema, makeCheck } from '../../../runtime/json-schema-checker.ts';
import type { Home } from '../../homes/home-list.ts';
import type { Discovered, Report } from '../../source-contract.ts';
import type { DiscoverySettings } from '../source-runner.ts';
import { MAX_REPORTED_FILES, MAX_REPORTED_FOLDERS, type OutputBudget } from './worker-limits.ts';

/** Job of a worker: the machine, homes of a user id, or both. */
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
  /** Lets the sources that have a stamp report it instead of reading the machine. */
  stamps: boolean;
  /** User that the worker becomes before it reads anything; null: it stays the agent's user. */
  become: { uid: number; gid: number } | null;
}

const text = (maxLength: number, minLength = 0): JsonSchema => ({
  type: 'string',
  minLength,
  maxLength,
});
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: JsonSchema, maxItems: number): JsonSchema => ({
  type: 'array',
  items,
  maxItems,
});
const PATH = 16_384;
const MAX_DETAIL_KEYS = 64;
const MAX_PROBLEMS = 200;
const TOO_LARGE = 'larger than can be reported';
const TOO_MANY = 'more than can be reported';
const ALL: OutputBudget = { found: Infinity, bytes: Infinity };

const FOUND: JsonSchema = {
  type: 'object',
  required: ['kind', 'key', 'name'],
  properties: {
    kind: { enum: ENTITY_KINDS },
    key: text(4096, 1),
    name: text(4096),
    version: nullable(text(4096)),
    publisher: nullable(text(4096)),
    path: nullable(text(PATH)),
    executables: list(text(PATH), 4096),
    installedAt: nullable({
      type: 'string',
      pattern: '^(19[7-9]\\d|2\\d{3})-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    }),
    launchHash: nullable({ type: 'string', pattern: '^[0-9a-f]{64}$' }),
    permissions: nullable(list(text(4096), 4096)),
    calledThere: nullable(text(4096)),
    details: { type: 'object', maxProperties: MAX_DETAIL_KEYS },
    launch: nullable({
      type: 'object',
      required: ['command', 'token'],
      properties: {
        command: text(4096),
        token: nullable(text(4096)),
        directory: nullable(text(PATH)),
      },
    }),
    entry: nullable({
      type: 'object',
      required: ['file', 'container', 'key'],
      properties: { file: text(PATH), container: list(text(4096), 8), key: text(8192, 1) },
    }),
  },
};

const COVERAGE_STATES = ['read', 'absent', 'unreadable', 'unparsed', 'timed_out', 'skipped'];

/** Length of a line, in UTF-16 units. */
export const MAX_LINE = 256 * 1024;
/** In bytes. */
const MAX_REPORT = 192 * 1024;

/** Schemas by the kind of line. */
const LINES: Record<string, JsonSchema> = {
  found: { type: 'object', required: ['sighting'], properties: { sighting: FOUND } },
  report: {
    type: 'object',
    required: ['source', 'owner', 'state', 'reason', 'problems'],
    properties: {
      source: text(64),
      owner: nullable(text(256)),
      state: { enum: COVERAGE_STATES },
      reason: nullable(text(4096)),
      problems: list(
        {
          type: 'object',
          required: ['path', 'reason'],
          properties: { path: text(PATH), reason: text(4096) },
        },
        MAX_PROBLEMS,
      ),
      files: list(text(PATH), MAX_REPORTED_FILES),
      folders: list(text(PATH), MAX_REPORTED_FOLDERS),
      stamp: text(64, 64),
    },
  },
  unused_home: { type: 'object', required: ['owner'], properties: { owner: text(256) } },
};

export type Line =
  | { is: 'unused_home'; owner: string }
  | { is: 'found'; sighting: Discovered }
  | ({ is: 'report' } & Omit<Report, 'found'>);

/** Made with the first line: a scan has thousands. */
let checks: Map<string, Check> | null = null;

/** A line of a child; null where it is none that a child of ours would write. */
export function readLine(text: string): Line | null {
  let line: unknown;
  try {
    line = parseExactly(text);
  } catch {
    // Whatever it is, it is not ours.
    return null;
  }
  if (typeof line !== 'object' || line === null || !('is' in line)) return null;
  return isLine(String(line.is), line) ? (line as Line) : null;
}

function isLine(is: string, line: object): boolean {
  checks ??= new Map(Object.entries(LINES).map(([name, schema]) => [name, makeCheck(schema)]));
  return checks.get(is)?.(line) === null;
}

/**
 * Yields the lines of a report. A sighting that is too large, or above the budget, is left out and reported as an
 * error: the parent would reject the worker's complete output otherwise.
 */
export function* serializeReport(
  { found, ...report }: Report,
  budget: OutputBudget = ALL,
): Generator<string> {
  const problems = [...report.problems];
  let instanceCount = 0;
  let bytes = MAX_REPORT;
  let reason: string | null = null;
  for (const sighting of found) {
    const line: Line = { is: 'found', sighting: sighting };
    const text = JSON.stringify(line);
    if (text.length >= MAX_LINE || !isLine('found', line)) {
      problems.push({ path: sighting.path ?? '~', reason: TOO_LARGE });
      reason ??= TOO_LARGE;
      continue;
    }
    bytes += Buffer.byteLength(text) + 1;
    if (++instanceCount > budget.found || bytes > budget.bytes) {
      problems.unshift({ path: '~', reason: TOO_MANY });
      reason = TOO_MANY;
      break;
    }
    yield text;
  }
  const state = reason === null || report.state !== 'read' ? {} : { state: 'unparsed', reason };
  yield reportLine({ is: 'report', ...report, ...state, problems } as Line & WireReport);
}

type WireReport = Pick<Report, 'problems' | 'files' | 'folders'>;

/**
 * Long names make a long line. Watched paths come again with the next full scan, and a part of the problems
 * represents all.
 */
function reportLine(line: Line & WireReport): string {
  for (const most of [MAX_PROBLEMS, 20]) {
    const fits = { ...line, problems: line.problems.slice(0, most) };
    for (const fit of [fits, { ...fits, files: [], folders: [] }]) {
      const text = JSON.stringify(fit);
      if (Buffer.byteLength(text) < MAX_REPORT) return text;
    }
  }
  return JSON.stringify({ ...line, problems: [], files: [], folders: [] });
}
