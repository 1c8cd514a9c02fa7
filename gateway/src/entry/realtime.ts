// GET /v1/realtime: a WebSocket of a client is tunneled to the provider, frame by frame as bytes. The frames are not
// inspected, so an app with active guardrails is refused here. The row is written when the connection ends.
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayNode } from '../node.ts';
import { admitRequest, checkBudget } from '../policy/index.ts';
import { ProviderMisconfigured } from '../providers/misconfigured.ts';
import { prepareRequest } from '../providers/prepare.ts';
import {
  AddressRefused,
  checkLiteralAddress,
  createGuardedLookup,
} from '../upstream/address-rules.ts';
import type { UpstreamRequest } from '../upstream/client.ts';
import { Call } from './call.ts';
import type { Incoming } from './incoming.ts';
import { takeUpgradeHead } from './listener.ts';
import type { ClientApi } from './operations.ts';
import { limitSubject, startRequest } from './pipeline.ts';
import { Refusal, requirePassed } from './refusal.ts';
import { requestIdHeaders } from './relay.ts';
import { admitByHeaders } from './steps/admit.ts';
import { type Candidate, chooseRoute } from './steps/choose-route.ts';
import { Guards } from './steps/guardrails.ts';

const realtime = (path: string, family: 'openai' | 'azure_openai'): ClientApi => ({
  ...{ method: 'GET', path, family, operation: 'realtime', model: 'query', stream: 'never' },
});
export const REALTIME_APIS: readonly ClientApi[] = [
  realtime('/v1/realtime', 'openai'),
  realtime('/openai/realtime', 'azure_openai'),
];

/** Headers of the handshake (RFC 6455 §4.1) that the provider gets from the client. */
const HANDSHAKE = [
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'],
  'sec-websocket-extensions',
];
const HANDSHAKE_TIMEOUT_MS = 30_000;

interface Upgraded {
  answer: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Connects a WebSocket with the provider until either side closes it. */
export function runRealtime(
  node: GatewayNode,
  incoming: Incoming,
  response: ServerResponse,
): Promise<void> {
  return startRequest(node, incoming, response, async (record, client) => {
    const snapshot = node.snapshot();
    const admission = await admitByHeaders(snapshot, incoming, 'gateway', record);
    const head = takeUpgradeHead(incoming.request);
    if (head === null)
      throw new Refusal(400, 'websocket_required', 'Open this address as a WebSocket.');
    const call = await Call.read(incoming);
    record.model = call.model;
    record.stream = true;
    const { tenant, app, effective } = admission;
    requirePassed(checkBudget(tenant.budgetsExhausted, app.app_id));
    const subject = limitSubject(app.app_id, snapshot?.liveNodes ?? 1, call);
    requirePassed(admitRequest(effective.config.limits ?? {}, subject, node.counters));
    if (!new Guards(node, admission, record, client.disconnected).isEmpty) {
      throw new Refusal(
        501,
        'guardrails_not_supported',
        'Guardrails cannot inspect realtime sessions. Use another API, or an app without guardrails.',
      );
    }
    const route = chooseRoute(tenant, app, effective, call, node.counters);
    record.routing = { group_id: route.groupId, mode: route.mode };
    const candidate = route.candidates[0] as Candidate;
    record.provider = candidate.provider.label;
    record.upstreamModel = candidate.model;
    const upgraded = await connect(node, candidate, call, client.disconnected);
    record.status = 101;
    record.upstreamMs = record.elapsedMs();
    record.firstResponseMs = record.elapsedMs();
    await tunnel(incoming, response, head, upgraded);
    client.commitRow();
  });
}

async function connect(
  node: GatewayNode,
  { provider, model }: Candidate,
  call: Call,
  signal: AbortSignal,
): Promise<Upgraded> {
  const { api, headers, body, rest } = call;
  const outgoing = { operation: api.operation, method: 'GET', stream: true, rest, headers, body };
  try {
    const request = await prepareRequest(
      provider,
      model,
      { ...outgoing, isModelInBody: false },
      {
        managedModelUrl: node.settings.managedModelUrl,
        fetch: node.upstream.fetch,
      },
    );
    return await upgrade(node, request, headers, signal);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof ProviderMisconfigured) {
      throw new Refusal(502, 'provider_not_configured', `The provider ${error.message}.`);
    }
    if (error instanceof AddressRefused) {
      throw new Refusal(502, 'upstream_address_refused', `The provider's URL ${error.message}.`);
    }
    throw new Refusal(502, 'upstream_connection_failed', 'The provider could not be reached.');
  }
}

function upgrade(
  node: GatewayNode,
  { url, headers, isOperatorAddress }: UpstreamRequest,
  clientHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Upgraded> {
  const { protocol, hostname } = new URL(url);
  const { allowedPrivateNetworks } = node.settings;
  if (!isOperatorAddress) checkLiteralAddress(hostname, protocol, allowedPrivateNetworks);
  const handshake = HANDSHAKE.flatMap((name) => {
    const value = clientHeaders[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      headers: {
        ...headers,
        ...Object.fromEntries(handshake),
        connection: 'Upgrade',
        upgrade: 'websocket',
      },
      timeout: HANDSHAKE_TIMEOUT_MS,
      signal,
      ...(isOperatorAddress
        ? {}
        : { lookup: createGuardedLookup(protocol, allowedPrivateNetworks) }),
    });
    request.once('upgrade', (answer, socket, head) => {
      socket.setTimeout(0);
      resolve({ answer, socket, head });
    });
    request.once('response', (answer) => {
      answer.resume();
      reject(
        new Refusal(
          502,
          `upstream_${answer.statusCode}`,
          `The provider refused the connection (${answer.statusCode}).`,
        ),
      );
    });
    request.once('timeout', () => request.destroy(new Error('the handshake took too long')));
    request.once('error', reject);
    request.end();
  });
}

/** Completes the handshake, and passes bytes until a side closes. */
async function tunnel(
  { id, request }: Incoming,
  response: ServerResponse,
  head: Buffer,
  { answer, socket, head: upstreamHead }: Upgraded,
): Promise<void> {
  const client = request.socket;
  response.detachSocket(client);
  const names = [
    'upgrade',
    'connection',
    'sec-websocket-accept',
    'sec-websocket-protocol',
    'sec-websocket-extensions',
  ];
  const headers = names.flatMap((name) => {
    const value = answer.headers[name];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const ids = Object.entries(requestIdHeaders(id)).map(([name, value]) => `${name}: ${value}`);
  client.write(`${['HTTP/1.1 101 Switching Protocols', ...headers, ...ids].join('\r\n')}\r\n\r\n`);
  client.write(upstreamHead);
  socket.write(head);
  const directions = [pipeline(client, socket), pipeline(socket, client)];
  await Promise.race(directions.map((direction) => direction.catch(() => undefined)));
  client.destroy();
  socket.destroy();
  await Promise.allSettled(directions);
}
