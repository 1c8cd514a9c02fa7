// Enforcement events, alerts, LLM requests and tool calls of the time that the hub keeps them. Pure: the same seed and time give
// the same rows.
import { LOG_RETENTION_DAYS_MAX } from '@gatewarden/shared/wire/console/logs.ts';
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import type { ExecutionPolicy, Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { SAMPLE_APPS, SAMPLE_MODELS, SAMPLE_SERVERS } from './catalog.ts';
import type { SampleDevice, SampleUser } from './fleet.ts';
import type { Random } from './random.ts';

export const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Requests of the first and of the last day. */
const LLM_PER_DAY = [15, 70] as const;
const TOOL_CALLS_PER_DAY = [5, 30] as const;
const WEEKEND_SHARE = 0.3;

/** Returns a time on the day so many days ago, within working hours and before `now`. */
function workingTime(random: Random, now: Date, daysAgo: number): Date {
  const day = new Date(now.getTime() - daysAgo * DAY_MS);
  day.setUTCHours(random.integer(6, 18), random.integer(0, 59), random.integer(0, 59), 0);
  return day < now ? day : new Date(now.getTime() - random.integer(1, 300) * MINUTE_MS);
}

/** Returns how many rows a day has: growth over the history, fewer at weekends. */
function rowsOfDay([first, last]: readonly [number, number], now: Date, daysAgo: number): number {
  const share = 1 - daysAgo / LOG_RETENTION_DAYS_MAX;
  const weekday = new Date(now.getTime() - daysAgo * DAY_MS).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  return Math.round((first + (last - first) * share) * (isWeekend ? WEEKEND_SHARE : 1));
}

function perDay<T>(now: Date, range: readonly [number, number], make: (daysAgo: number) => T): T[] {
  return Array.from(
    { length: LOG_RETENTION_DAYS_MAX },
    (_, i) => LOG_RETENTION_DAYS_MAX - 1 - i,
  ).flatMap((daysAgo) =>
    Array.from({ length: rowsOfDay(range, now, daysAgo) }, () => make(daysAgo)),
  );
}

const BLOCKED_CATEGORIES = { block: { secrets: ['api_key'] } };
const REDACTED_CATEGORIES = { redact: { pii: ['email', 'phone_number'] } };

/** Returns the rows of LLM requests, oldest first. */
export function generateLlmRequests(random: Random, now: Date, users: readonly SampleUser[]) {
  return perDay(now, LLM_PER_DAY, (daysAgo) => llmRequest(random, now, users, daysAgo));
}

function llmRequest(random: Random, now: Date, users: readonly SampleUser[], daysAgo: number) {
  const { provider, model } = random.weighted(SAMPLE_MODELS);
  const isBlocked = random.chance(0.03);
  const isFailed = !isBlocked && random.chance(0.02);
  const isAnonymized = !isBlocked && random.chance(0.08);
  const upstream = random.integer(400, 6_000);
  const request = random.integer(80, 6_000);
  return {
    app: { name: random.pick(SAMPLE_APPS) },
    request: {
      id: random.uuid(),
      timestamp: workingTime(random, now, daysAgo).toISOString(),
      endpoint: provider === 'Anthropic' ? '/v1/messages' : '/v1/chat/completions',
      model,
      provider,
      stream: random.chance(0.6),
      status_code: isBlocked ? 403 : isFailed ? 529 : 200,
      ...(isFailed
        ? { error_type: 'overloaded_error', error_message: 'The provider is overloaded.' }
        : {}),
    },
    tokens: isBlocked
      ? { request }
      : { request, response: random.integer(40, 1_500), cache_read: Math.round(request / 3) },
    latency_ms: {
      ...(isBlocked ? {} : { upstream, first_response: Math.round(upstream / 4) }),
      gw_processing: random.integer(1, 4),
      guardrails: random.integer(2, 20),
      total: isBlocked ? random.integer(5, 30) : upstream + random.integer(4, 30),
    },
    guardrails: {
      outcome: isBlocked ? 'blocked' : isAnonymized ? 'redacted' : 'passed',
      is_blocked: isBlocked,
      is_anonymized: isAnonymized,
      ...(isBlocked ? { actions_and_categories: BLOCKED_CATEGORIES } : {}),
      ...(isAnonymized ? { actions_and_categories: REDACTED_CATEGORIES } : {}),
    },
    metadata: { user_email: random.pick(users).email, conversation_id: random.uuid() },
  };
}

/** Returns the rows of tool calls, oldest first. */
export function generateToolCalls(random: Random, now: Date, users: readonly SampleUser[]) {
  return perDay(now, TOOL_CALLS_PER_DAY, (daysAgo) => {
    const backend = random.pick(SAMPLE_SERVERS);
    const isBlocked = random.chance(0.03);
    const isFailed = !isBlocked && random.chance(0.04);
    return {
      event_id: random.uuid(),
      backend: { name: backend.name },
      request: {
        started_at: workingTime(random, now, daysAgo).toISOString(),
        duration_ms: random.integer(60, 2_500),
      },
      auth: { mode: 'oauth' },
      tool: { name: random.pick(backend.tools) },
      guardrails: {
        input: { outcome: isBlocked ? 'blocked' : 'passed', is_blocked: isBlocked },
      },
      response: {
        success: !isBlocked && !isFailed,
        ...(isFailed ? { error_message: 'The server did not respond in time.' } : {}),
      },
      metadata: {
        user_email: random.pick(users).email,
        agent: random.pick(['claude-code/2.0.55', 'cursor/2.1.17', 'claude-desktop/1.0.332']),
      },
    };
  });
}

/** Returns the enforcement events of a device: what ran, and what a policy warned about or blocked. */
export function generateActivity(random: Random, now: Date, device: SampleDevice): ActivityEvent[] {
  return device.running.flatMap((running) =>
    Array.from({ length: random.integer(1, 4) }, () => {
      const decision = random.weighted(DECISIONS).decision;
      return {
        activity_id: random.uuid(),
        decided_at: workingTime(random, now, random.integer(0, HISTORY_DAYS - 1)).toISOString(),
        process: processOf(random, running.entity),
        application_name: running.entity.name,
        entity_id: running.entity.entity_id,
        override_id: null,
        decision,
        enforced: decision === 'block',
        outcome: decision === 'block' ? 'terminated' : 'running',
      };
    }),
  );
}

const DECISIONS = [
  { decision: 'monitor', weight: 8 },
  { decision: 'warn', weight: 2 },
  { decision: 'block', weight: 1 },
] as const satisfies readonly { decision: ExecutionPolicy; weight: number }[];

const SEVERITIES = [
  { severity: 'critical', weight: 1 },
  { severity: 'high', weight: 3 },
  { severity: 'medium', weight: 4 },
  { severity: 'low', weight: 2 },
] as const satisfies readonly { severity: Severity; weight: number }[];

/** Returns an alert about a blocked process of the device, or null for a device where none runs. */
export function generateAlert(random: Random, now: Date, device: SampleDevice): WireAlert | null {
  if (device.running.length === 0) return null;
  const { entity } = random.pick(device.running);
  return {
    alert_id: random.uuid(),
    occurred_at: workingTime(random, now, random.integer(0, 29)).toISOString(),
    severity: random.weighted(SEVERITIES).severity,
    action: 'block',
    code: null,
    application_name: entity.name,
    process: processOf(random, entity),
    override_id: null,
    outcome: 'terminated',
    message: `${entity.name} was terminated by policy`,
    queued: random.chance(0.1),
  };
}

function processOf(random: Random, entity: { name: string; executables?: string[] }) {
  return {
    name: entity.name,
    executable_path: entity.executables?.[0] ?? null,
    pid: random.integer(300, 60_000),
    started_at: null,
  };
}
