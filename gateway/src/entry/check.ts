// POST /sdk/v1/check and POST /studio/v1/check: run the guardrails of an app on texts and return a verdict. The apps of
// these modes have no provider: the client calls its model itself.
import type { ServerResponse } from 'node:http';
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { RequestRecord } from '../logs/record.ts';
import type { GatewayNode } from '../node.ts';
import { admitRequest } from '../policy/index.ts';
import { Call } from './call.ts';
import type { ClientStream } from './client-stream.ts';
import type { Incoming } from './incoming.ts';
import type { ClientApi } from './operations.ts';
import { limitSubject, startRequest } from './pipeline.ts';
import { Refusal, requirePassed } from './refusal.ts';
import { requestIdHeaders } from './relay.ts';
import { type JsonObject, setAt } from './request-body.ts';
import { admitByHeaders } from './steps/admit.ts';
import { Guards } from './steps/guardrails.ts';
import { collectTexts } from './texts.ts';

const check = (path: string, family: 'sdk_check' | 'studio_check'): ClientApi => ({
  ...{ method: 'POST', path, family, operation: 'check', model: 'none', stream: 'never' },
});

export const CHECK_APIS: readonly { api: ClientApi; mode: AppMode }[] = [
  { api: check('/sdk/v1/check', 'sdk_check'), mode: 'sdk' },
  { api: check('/studio/v1/check', 'studio_check'), mode: 'vendorB_studio' },
];

/** Answers a check: `{input?, output?, sdk?}`, each of the first two a text, a list of texts, or messages. */
export function runCheck(
  node: GatewayNode,
  incoming: Incoming,
  response: ServerResponse,
  mode: AppMode,
): Promise<void> {
  return startRequest(node, incoming, response, async (record, client) => {
    const snapshot = node.snapshot();
    const admission = await admitByHeaders(snapshot, incoming, mode, record);
    const call = await Call.read(incoming);
    const subject = limitSubject(admission.app.app_id, snapshot?.liveNodes ?? 1, call);
    requirePassed(admitRequest(admission.effective.config.limits ?? {}, subject, node.counters));
    const guards = new Guards(node, admission, record, client.disconnected);
    const verdict = await inspect(call.body.json, guards, record);
    sendVerdict(client, record, incoming.id, verdict);
  });
}

async function inspect(
  json: JsonObject | null,
  guards: Guards,
  record: RequestRecord,
): Promise<JsonObject> {
  const { input, output, sdk } = json ?? {};
  if (input === undefined && output === undefined) {
    throw new Refusal(
      400,
      'nothing_to_check',
      'Send a text or messages as "input", "output" or both.',
    );
  }
  if (typeof sdk === 'object' && sdk !== null) record.sdk = sdk as JsonObject;
  // The walk over texts needs a member that carries text.
  const texts = { input: structuredClone(input), output: structuredClone(output) };
  const inspections = [
    await guards.inspect('request', collectTexts({ input: texts.input }, 'user'), texts.input),
    await guards.inspect(
      'response',
      collectTexts({ output: texts.output }, 'assistant'),
      texts.output,
    ),
  ];
  for (const { changed } of inspections) {
    for (const { path, text } of changed) setAt(texts, path, text);
  }
  record.requestPayload = texts.input;
  record.responsePayload = texts.output;
  return texts;
}

function sendVerdict(
  client: ClientStream,
  record: RequestRecord,
  requestId: string,
  texts: JsonObject,
): void {
  const { outcome, is_blocked, is_anonymized, ...findings } = record.guardrails;
  const body = Buffer.from(
    JSON.stringify({
      ...{ request_id: requestId, outcome: outcome ?? 'normal', is_blocked, is_anonymized },
      ...findings,
      // The text of blocked content does not leave the node, not even redacted.
      ...(is_blocked === true ? {} : texts),
    }),
  );
  client.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...requestIdHeaders(requestId),
  });
  client.end(body);
}
