// docs/reference/limits.md: sizes, rates and times, from the constants of the code, and bounds of fields from the schemas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HUB_VARIABLES } from '@gatewarden/shared/environment.ts';
import { code, type Derived, referencePage, table } from './markdown.ts';
import { type ApiDocument, type JsonSchema, operationsOf } from './openapi-document.ts';
import { limitsOf, withoutNull } from './schemas.ts';

const ROOT = join(import.meta.dirname, '../..');

type Unit = 'bytes' | 'ms' | 'seconds' | 'minutes' | 'hours' | 'days' | 'count';

interface Limit {
  title: string;
  /** The file and the constant in it. */
  from: readonly [file: string, constant: string];
  unit: Unit;
}

const limit = (title: string, file: string, constant: string, unit: Unit = 'count'): Limit => ({
  title,
  from: [file, constant],
  unit,
});

const SYNC = 'shared/wire/sync/limits.ts';
const CALLS = 'hub/src/features/mcp/calls';

const SECTIONS: Readonly<Record<string, readonly Limit[]>> = {
  'Device sync': [
    limit('Entities, processes, events or alerts of a batch', SYNC, 'BATCH_LIMIT'),
    limit('Body of a request, compressed', SYNC, 'BODY_LIMIT_BYTES', 'bytes'),
    limit('Body of a request, inflated', SYNC, 'INFLATED_LIMIT_BYTES', 'bytes'),
    limit('`details` of an entity, as JSON', SYNC, 'DETAILS_MAX_BYTES', 'bytes'),
    limit('Running processes of a report', SYNC, 'RUNNING_LIMIT'),
    limit('Policies of a delta page', SYNC, 'DELTA_LIMIT_MAX'),
    limit('Release of the agent', SYNC, 'RELEASE_MAX_BYTES', 'bytes'),
    limit('Pause that a tenant can allow, within 24 hours', SYNC, 'PAUSE_MINUTES_MAX', 'minutes'),
    limit(
      'Open access requests of a device',
      'hub/src/features/devices/access-requests/create-request.ts',
      'OPEN_MAX',
    ),
    limit(
      'Access requests of a device in 24 hours',
      'hub/src/features/devices/access-requests/create-request.ts',
      'DAILY_MAX',
    ),
  ],
  Agent: [
    limit('Alerts in the queue', 'agent/src/store/alert-store.ts', 'QUEUED_ALERTS_MAX'),
    limit(
      'Programs that a policy without a program name may end',
      'agent/src/enforcement/blast-radius-guard.ts',
      'GROUP_PROGRAMS_MAX',
    ),
    limit(
      'Monitor mode after the breaker opened',
      'agent/src/enforcement/kill-breaker.ts',
      'BREAKER_OPEN_MS',
      'ms',
    ),
    limit(
      'Findings of a source on the machine or in a home',
      'agent/src/discovery/scan/source-runner.ts',
      'MAX_FOUND',
    ),
    limit(
      'Longest pause before the next attempt to reach the hub',
      'agent/src/sync/backoff.ts',
      'MAX_BACKOFF_MS',
      'ms',
    ),
  ],
  'HTTP and console': [
    limit(
      'Rows of a list page by default',
      'hub/src/platform/http/lists/cursors.ts',
      'LIST_LIMIT_DEFAULT',
    ),
    limit('Policies of a bulk change', 'shared/wire/console/bulk-decisions.ts', 'BULK_MAX'),
    limit('Rows of a download', 'hub/src/platform/http/lists/download.ts', 'DOWNLOAD_MAX'),
    limit('Nesting of a JSON body', 'hub/src/platform/http/json/parse-json.ts', 'MAX_DEPTH'),
    limit('Values of a JSON body', 'hub/src/platform/http/json/parse-json.ts', 'MAX_VALUES'),
    limit(
      'Event streams of a user',
      'hub/src/platform/http/server/event-streams.ts',
      'STREAMS_PER_USER',
    ),
    limit(
      'Length of a session',
      'hub/src/features/people/identity/routes.ts',
      'SESSION_LIFE_MS',
      'ms',
    ),
    limit(
      'Failed sign-ins per minute with an account from the same source',
      'hub/src/features/people/identity/sign-in-limits.ts',
      'ATTEMPTS_PER_MINUTE',
    ),
  ],
  'Management API': [
    limit(
      'Requests in progress in a process',
      'hub/src/features/management/auth/admission.ts',
      'MAX_ADMITTED',
    ),
    limit(
      'Time in which a body must arrive',
      'hub/src/features/management/auth/body-timer.ts',
      'BODY_WITHIN_MS',
      'ms',
    ),
    limit(
      'Time in which an `Idempotency-Key` repeats an answer',
      'hub/src/features/management/operations/once.ts',
      'REPLAY_HOURS',
      'hours',
    ),
  ],
  Logs: [
    limit('Lines of a batch of log rows', 'shared/wire/nodes/logs.ts', 'LOG_BATCH_LINES'),
    limit(
      'Batch of log rows, as sent and inflated',
      'shared/wire/nodes/logs.ts',
      'LOG_BATCH_BYTES',
      'bytes',
    ),
    limit('Rows of an export page', 'hub/src/features/logs/export/window.ts', 'LIMIT_MAX'),
    limit('Retention of log rows', 'shared/wire/console/logs.ts', 'LOG_RETENTION_DAYS_MAX', 'days'),
    limit('Retention of activity', 'shared/wire/console/retention.ts', 'ACTIVITY_DAYS', 'days'),
    limit('Retention of alerts', 'shared/wire/console/retention.ts', 'ALERT_DAYS', 'days'),
    limit(
      'Retention of deliveries',
      'hub/src/features/notifications/channels/notification-service.ts',
      'DELIVERY_DAYS',
      'days',
    ),
  ],
  'MCP gateway': [
    limit('Body of a message', `${CALLS}/routes.ts`, 'BODY_LIMIT', 'bytes'),
    limit('Text that guardrails scan', 'hub/src/features/mcp/guardrails/scan.ts', 'SCAN_MAX_CHARS'),
    limit('Elicitation timeout', `${CALLS}/elicitation.ts`, 'ELICITATION_TIMEOUT_MS', 'ms'),
    limit(
      'Idle time of a call by default',
      'shared/wire/console/mcp-backends.ts',
      'IDLE_TIMEOUT_SECONDS',
      'seconds',
    ),
    limit(
      'Total time of a call by default',
      'shared/wire/console/mcp-backends.ts',
      'TOTAL_TIMEOUT_SECONDS',
      'seconds',
    ),
    limit(
      'Validity of an authorization code',
      'hub/src/features/mcp/oauth/grant.ts',
      'CODE_SECONDS',
      'seconds',
    ),
  ],
};

/** Returns the number that a constant is set to. Throws if the file has no such constant with a product of numbers. */
export function readConstant(file: string, constant: string): number {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const pattern = new RegExp(`\\bconst ${constant}(?:: \\w+)? = ([0-9_ *]+);`);
  const factors = pattern.exec(source)?.[1]?.split('*');
  if (factors === undefined) {
    throw new Error(`${file} has no constant ${constant}: correct scripts/docs/limits.ts`);
  }
  return factors.reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

const TIMES: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

const UNIT_MS = { ms: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Returns a value with its unit: `4 MiB`, `15 min`, `1,000`. */
export function formatLimit(value: number, unit: Unit): string {
  if (unit === 'count') return value.toLocaleString('en');
  if (unit === 'bytes') {
    const mebibytes = value / 2 ** 20;
    return mebibytes >= 1 ? `${mebibytes} MiB` : `${value / 1024} KiB`;
  }
  const ms = value * UNIT_MS[unit];
  const [length, name] = TIMES.find(([step]) => ms >= step && ms % step === 0) ?? [1, 'ms'];
  return `${ms / length} ${name}`;
}

const RATES = [
  'HUB_DEVICE_RATE',
  'HUB_TOKEN_RATE',
  'HUB_NODE_RATE',
  'HUB_TENANT_STREAMS',
  'HUB_POLL_SECONDS_MAX',
] as const;

/** Returns docs/reference/limits.md. */
export function limitsPage(document: ApiDocument): Derived {
  return referencePage('limits', {
    title: 'Limits',
    source: 'the constants and schemas of the code',
    body: [
      '## Adjustable',
      'Variables of the hub; see [Configuration](configuration.md).',
      table(
        ['Variable', 'Default', 'Meaning'],
        RATES.map((name) => [
          code(name),
          HUB_VARIABLES[name].default ?? '',
          HUB_VARIABLES[name].description,
        ]),
      ),
      ...Object.entries(SECTIONS).flatMap(([title, limits]) => [
        `## ${title}`,
        table(
          ['Limit', 'Value'],
          limits.map(({ title: text, from, unit }) => [
            text,
            formatLimit(readConstant(...from), unit),
          ]),
        ),
      ]),
      '## Fields of requests',
      'Lengths, ranges and numbers of items that requests are validated against.',
      fieldLimits(document),
    ],
  });
}

function fieldLimits(document: ApiDocument): string {
  const rows = operationsOf(document).flatMap(({ operation }) => {
    const body = operation.requestBody?.content['application/json']?.schema;
    if (body === undefined) return [];
    const fields = boundedFields(resolve(document, body), '', document, 0);
    if (fields.length === 0) return [];
    const bounds = fields.map(([path, text]) => `${code(path)} ${text}`);
    return [[code(operation.operationId), [...new Set(bounds)].join('<br>')]];
  });
  return table(['Operation', 'Limits of its fields'], rows);
}

function resolve(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const value = withoutNull(schema);
  const name = value.$ref?.split('/').at(-1);
  return name === undefined ? value : resolve(document, document.components.schemas[name] ?? {});
}

const DEPTH_MAX = 3;

function boundedFields(
  schema: JsonSchema,
  path: string,
  document: ApiDocument,
  depth: number,
): [string, string][] {
  if (depth > DEPTH_MAX) return [];
  const { description: _text, format: _format, uniqueItems: _unique, ...bounds } = schema;
  const text = limitsOf(bounds);
  const own: [string, string][] = text === '' || path === '' ? [] : [[path, text]];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    boundedFields(
      resolve(document, property),
      path === '' ? name : `${path}.${name}`,
      document,
      depth + 1,
    ),
  );
  const items =
    schema.items === undefined
      ? []
      : boundedFields(resolve(document, schema.items), `${path}[]`, document, depth + 1);
  return [...own, ...inner, ...items];
}
