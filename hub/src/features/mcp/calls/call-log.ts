// The call log: a row per tool call, written behind the response in batches. Lost rows are counted.
import { setImmediate } from 'node:timers/promises';
import type { ToolCallLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import type { Logger } from 'pino';
import type { TransactCopying } from '../../../platform/db/copy-transactions.ts';
import { type Db, isDatabaseAway } from '../../../platform/db/database.ts';
import { withRawNumbers } from '../../../platform/http/json/lossless-numbers.ts';
import {
  type Decided,
  insertToolCalls,
  type KnownBackend,
  LOG_DEFAULTS,
  type LoggedFor,
  MICROS,
  microsText,
  selectLogSettings,
  type ToolCallRow,
  toolCallRow,
} from '../../logs/events/index.ts';
import type { Verdict } from '../guardrails/index.ts';
import { kept, keptText } from './log-limits.ts';

/** The backend of a call for its log row. The id is null if the name matches no backend. */
export interface CalledBackend {
  backend_id: string | null;
  name: string;
}

export interface ToolCall {
  /** Id of the call. The row of a running call is completed by a second entry with the same id. */
  eventId: string;
  tenantId: string;
  backend: CalledBackend;
  rpcId: string | number;
  /** Null for another request that was blocked, or in which a guardrail had a finding. */
  tool: string | null;
  method: string;
  authMode: string;
  email: string;
  agent: string | null;
  arguments: unknown;
  /** Milliseconds since 1970, as `completedAt`. */
  startedAt: number;
  completedAt: number;
  outcome:
    | { kind: 'answered'; content: unknown; isError: boolean }
    | { kind: 'running' }
    /** The client must return with input, in another request. */
    | { kind: 'asked' }
    | { kind: 'failed'; message: string }
    | { kind: 'blocked'; message: string };
  /** Verdicts of the guardrails. */
  guardrails?: { input: Verdict; output: Verdict };
  extra: Record<string, unknown>;
  decided: Decided;
}

/** The method whose requests all have a row. */
export const CALL = 'tools/call';

export interface CallLog {
  add(call: ToolCall): void;
  stop(): Promise<void>;
}

const FLUSH_MS = 250;
const AT_ONCE = 500;
/** Characters of a batch. */
const AT_ONCE_CHARS = 4 * 1024 * 1024;
/** Rows and characters that are formatted before other requests get a turn. */
const TURN_ROWS = 8;
const TURN_CHARS = 64 * 1024;
/** Limits of the write-behind buffer, beyond which rows are dropped and counted. */
const WAITING_MAX = 20_000;
const WAITING_CHARS = 128 * 1024 * 1024;

/** Returns the call log. Rows have an id, so that a repeated write creates no second row. */
export function createCallLog(deps: {
  db: Db;
  transact: TransactCopying;
  log: Logger;
  lost(rows: number): void;
  /** Called with the rows after the commit. */
  onStored(rows: readonly LoggedFor[]): void;
}): CallLog {
  let waiting: Waiting[] = [];
  let waitingChars = 0;
  let flushing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const flush = async () => {
    while (waiting.length > 0) {
      const some = firstOf(waiting);
      const done = () => {
        waiting = waiting.slice(some.length);
        for (const { chars } of some) waitingChars -= chars;
      };
      try {
        const rows = await rowsOf(deps.db, some);
        await deps.transact((tx) => insertToolCalls(tx, rows));
        done();
        deps.onStored(rows);
      } catch (error) {
        if (!isDatabaseAway(error)) {
          deps.log.error({ err: error, rows: some.length }, 'rows of tool calls were lost');
          deps.lost(some.length);
          done();
        }
        return;
      }
    }
  };
  const later = () => {
    timer ??= setTimeout(() => {
      timer = null;
      flushing = flushing.then(flush).then(() => {
        if (waiting.length > 0) later();
      });
    }, FLUSH_MS);
    timer.unref();
  };
  return {
    add(call) {
      const item = shortened(call);
      if (waiting.length >= WAITING_MAX || waitingChars + item.chars > WAITING_CHARS) {
        return deps.lost(1);
      }
      waiting.push(item);
      waitingChars += item.chars;
      later();
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await flushing.then(flush);
      if (waiting.length > 0) deps.lost(waiting.length);
    },
  };
}

interface Waiting {
  call: ToolCall;
  chars: number;
}

/** Truncates the entry at once, because the buffer is in memory. */
function shortened(call: ToolCall): Waiting {
  const { outcome } = call;
  const tool = call.tool === null ? null : keptText(call.tool);
  const rpcId = typeof call.rpcId === 'string' ? keptText(call.rpcId) : call.rpcId;
  const message = 'message' in outcome ? keptText(outcome.message) : '';
  const args = kept(call.arguments);
  const content = kept(outcome.kind === 'answered' ? outcome.content : undefined);
  return {
    call: {
      ...call,
      tool,
      rpcId,
      arguments: args.value,
      outcome:
        outcome.kind === 'answered'
          ? { ...outcome, content: content.value }
          : 'message' in outcome
            ? { ...outcome, message }
            : outcome,
    },
    chars: args.chars + content.chars + (tool?.length ?? 0) + String(rpcId).length + message.length,
  };
}

/** Returns the next batch. */
function firstOf(waiting: readonly Waiting[]): Waiting[] {
  let chars = 0;
  const end = waiting.findIndex((item, i) => {
    chars += item.chars;
    return i === AT_ONCE || (i > 0 && chars > AT_ONCE_CHARS);
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}

async function rowsOf(db: Db, waiting: readonly Waiting[]): Promise<ToolCallRow[]> {
  const tenants = [...new Set(waiting.map((item) => item.call.tenantId))];
  const settings = new Map(
    (await selectLogSettings(db, tenants)).map((logSetting) => [logSetting.tenant_id, logSetting]),
  );
  const rows: ToolCallRow[] = [];
  let begun = { rows: 0, chars: 0 };
  for (const { call, chars } of waiting) {
    if (begun.rows === TURN_ROWS || begun.chars + chars > TURN_CHARS) {
      await setImmediate();
      begun = { rows: 0, chars: 0 };
    }
    begun = { rows: begun.rows + 1, chars: begun.chars + chars };
    const { store_payloads: storePayloads } = settings.get(call.tenantId) ?? LOG_DEFAULTS;
    rows.push(
      toolCallRow(lineOf(call), call.startedAt * MICROS.ms, {
        tenantId: call.tenantId,
        backend: isKnown(call.backend) ? call.backend : null,
        storePayloads,
        decided: call.decided,
        ...(call.method === CALL ? {} : { method: call.method }),
      }),
    );
  }
  return rows;
}

const isKnown = (backend: CalledBackend): backend is KnownBackend => backend.backend_id !== null;
const timeText = (ms: number) => microsText(ms * MICROS.ms);

/** Returns the row of a call in the format of nodes. Members of a running call that are unknown are null. */
export function lineOf(call: ToolCall): ToolCallLine {
  const { outcome } = call;
  const isRunning = outcome.kind === 'running';
  return {
    event_id: call.eventId,
    tenant_id: call.tenantId,
    backend: isKnown(call.backend)
      ? { id: call.backend.backend_id, name: call.backend.name }
      : { name: call.backend.name },
    request: {
      id: call.rpcId,
      started_at: timeText(call.startedAt),
      // After a clock change the end must not be before the start.
      completed_at: isRunning ? null : timeText(Math.max(call.startedAt, call.completedAt)),
    },
    auth: { mode: call.authMode },
    tool: { name: call.tool },
    guardrails: guardrailsOf(call),
    payload: {
      tool_arguments: asContent(withRawNumbers(call.arguments)),
      response_content:
        outcome.kind === 'answered' ? asContent(withRawNumbers(outcome.content)) : null,
    },
    response: {
      success:
        isRunning || outcome.kind === 'asked'
          ? null
          : outcome.kind === 'answered' && !outcome.isError,
      error_message: 'message' in outcome ? outcome.message : null,
    },
    metadata: { user_email: call.email || null, agent: call.agent, extra_data: extraOf(call) },
  };
}

function asContent(value: unknown): never {
  return (value === undefined ? null : value) as never;
}

function extraOf({ outcome, extra }: ToolCall): Record<string, unknown> {
  return outcome.kind === 'asked' ? { ...extra, input_required: true } : extra;
}

function guardrailsOf({ outcome, guardrails }: ToolCall) {
  const of = (verdict: Verdict | undefined) => ({
    outcome: verdict?.outcome ?? 'normal',
    is_blocked: verdict?.outcome === 'blocked',
    predictions: verdict?.predictions ?? null,
  });
  const [input, output] = [of(guardrails?.input), of(guardrails?.output)];
  const isBlocked = outcome.kind === 'blocked';
  const isOver = outcome.kind !== 'running' && outcome.kind !== 'asked';
  if (isBlocked && !output.is_blocked) {
    const blocked = { ...input, outcome: 'blocked', is_blocked: true };
    return { input: blocked, output: { ...output, outcome: null } };
  }
  return { input, output: isOver ? output : { ...output, outcome: null } };
}
