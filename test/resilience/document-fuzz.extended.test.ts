// Random calls over every operation of the OpenAPI document use bodies from its schemas and ids from earlier responses.
// The hub validates its responses while it sends them: only documented responses, never a 5xx. GATEWARDEN_FUZZ=1000000
// is the long run.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiDocument, createCaller, undocumented } from '../support/document-calls.ts';
import {
  answerOf,
  type CallResult,
  furnish,
  newCredentials,
  sendCall,
} from '../support/document-hub.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

const RUNS = Number(process.env.GATEWARDEN_FUZZ ?? 2_000);
const SEED = Number(process.env.GATEWARDEN_SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 4;
/** After so many calls, what they may have deleted or revoked is created again. */
const RENEW_EVERY = 200;
/** A run of hours reports its progress after so many calls. */
const REPORT_EVERY = 50_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it(
  'answers any call of every operation as the document specifies',
  async () => {
    const document = hub.hub.openApi() as unknown as ApiDocument;
    const lasting = await furnish(hub);
    const secrets = await newCredentials(hub, lasting);
    const statuses = new Map<string, Map<number, number>>();
    const wrong = new Map<string, string>();
    let sent = 0;
    const work = async (lane: number) => {
      const caller = createCaller(document, SEED + lane, hub.tenantId);
      while (sent < RUNS) {
        sent++;
        if (sent % REPORT_EVERY === 0)
          process.stdout.write(`${sent} calls, ${wrong.size} faults\n`);
        if (sent % RENEW_EVERY === 0) Object.assign(secrets, await newCredentials(hub, lasting));
        const call = caller.next();
        const result = await sendCall(hub, call, secrets);
        const ofOperation = statuses.get(call.operation) ?? new Map<number, number>();
        statuses.set(
          call.operation,
          ofOperation.set(result.status, (ofOperation.get(result.status) ?? 0) + 1),
        );
        const fault = faultOf(result);
        if (fault !== null) wrong.set(`${call.operation} ${result.status} ${fault}`, shown(result));
        const learns = result.status < 300 && !call.operation.endsWith('/openapi.json');
        if (learns) caller.learn(answerOf(result), call.operation.split(' ')[1] ?? '');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => work(lane)));

    if (process.env.GATEWARDEN_FUZZ !== undefined) process.stdout.write(`${tableOf(statuses)}\n`);
    expect(Object.fromEntries(wrong), `seed ${SEED}`).toEqual({});
    // Refused calls alone would prove little.
    const answered = [...statuses.values()].filter((status) =>
      [...status.keys()].some((s) => s < 300),
    );
    expect(answered.length / Object.keys(Object.fromEntries(statuses)).length).toBeGreaterThan(0.3);
  },
  Math.max(300_000, RUNS * 60),
);

function faultOf(result: CallResult): string | null {
  const { call, status, headers } = result;
  if (status >= 500 && status !== 503) return 'is a fault of the hub';
  const fault = undocumented(call.documented, result);
  if (fault !== null) return fault;
  if (typeof headers['x-request-id'] !== 'string') return 'names no request';
  if (status < 400) return null;
  const answer = answerOf(result) as {
    error?: { code?: unknown; message?: unknown };
    status?: unknown;
    detail?: unknown;
  } | null;
  // Before it is known what was asked for, the hub answers in its own form.
  if (call.security === 'scimToken' && status !== 414 && status !== 431) {
    const isScim = answer?.status === String(status) && typeof answer.detail === 'string';
    return isScim ? null : 'is an error of another form';
  }
  const isClear =
    /^[a-z_]+$/.test(String(answer?.error?.code)) && typeof answer?.error?.message === 'string';
  return isClear ? null : 'is an error of another form';
}

const shown = ({ call, body }: CallResult) =>
  `${call.method} ${call.path} ${JSON.stringify(call.headers)} ${JSON.stringify(call.meant)?.slice(0, 2000)} → ${body.slice(0, 500)}`;

function tableOf(statuses: ReadonlyMap<string, ReadonlyMap<number, number>>): string {
  return [...statuses]
    .map(([name, counts]) => `${name}: ${[...counts].map(([s, n]) => `${s}×${n}`).join(' ')}`)
    .sort()
    .join('\n');
}
