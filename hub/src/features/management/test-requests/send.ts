// Sends a short request to the gateway, and reads its answer.
import { shortRequest, type TextApi } from '@gatewarden/shared/client-apis.ts';
import type { TestRequestOutcome } from '@gatewarden/shared/wire/console/test-requests.ts';
import { type Outbound, OutboundRefused } from '../../../platform/http/outbound/outbound.ts';
import { readError, readTextAnswer, type TokenCounts } from './answer.ts';

export type { TokenCounts } from './answer.ts';

const WITHIN_MS = 30_000;
const ANSWER_BYTES = 256 * 1024;
const TEXT_MAX = 2_000;
const PROMPT = 'Reply with one short sentence that confirms that you can read this.';

interface TestTarget {
  url: string;
  api: TextApi;
  key: string;
  model: string;
}

interface SentTest {
  outcome: TestRequestOutcome;
  status: number | null;
  text: string | null;
  gateway_request_id: string | null;
  latency_ms: number;
  tokens: TokenCounts | null;
}

/** Returns the result of a request. Never throws: an unreachable gateway is a result, too. */
export async function sendTestRequest(
  outbound: Outbound,
  { url, api, key, model }: TestTarget,
): Promise<SentTest> {
  const { path, headers, body } = shortRequest(api, model, PROMPT);
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const response = await outbound.stream(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(WITHIN_MS),
      timeoutMs: WITHIN_MS,
    });
    const json = parseJson(await readText(response.body));
    const id = response.headers['x-request-id'];
    const answer = response.status < 300 ? readTextAnswer(api, json) : null;
    return {
      outcome: answer === null ? 'refused' : 'answered',
      status: response.status,
      text: (answer?.text ?? readError(json))?.slice(0, TEXT_MAX) ?? null,
      gateway_request_id: typeof id === 'string' ? id : null,
      latency_ms: elapsed(),
      tokens: answer?.tokens ?? null,
    };
  } catch (error) {
    return {
      outcome: 'unreachable',
      status: null,
      text: describeFailure(error),
      gateway_request_id: null,
      latency_ms: elapsed(),
      tokens: null,
    };
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns a sentence without internals: an error of the network names addresses. */
function describeFailure(error: unknown): string {
  const refused = [error, (error as { cause?: unknown }).cause].find(
    (item) => item instanceof OutboundRefused,
  );
  if (refused !== undefined) return `The gateway's address ${(refused as Error).message}.`;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return 'The gateway did not answer within 30 seconds.';
  return `The gateway could not be reached${code === undefined ? '' : ` (${code})`}.`;
}
