// Calls to a server's login: small JSON both ways, by the rules for addresses that people typed in, without redirects.
import type { CustomFetchOptions } from 'openid-client';
import type { Outbound } from '../../../../platform/http/outbound/outbound.ts';

const MAX_BYTES = 256 * 1024;
const WITHIN_MS = 15_000;

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Throws what `outbound.open` throws, and where the answer is too long or does not come in time. */
export async function ask(
  outbound: Outbound,
  url: string,
  send: {
    method: 'GET' | 'POST' | 'DELETE';
    headers: Record<string, string>;
    body?: string;
    withinMs?: number;
  },
): Promise<Answered> {
  const { withinMs = WITHIN_MS, ...rest } = send;
  const answer = await outbound.stream(url, {
    ...rest,
    signal: AbortSignal.timeout(withinMs),
    timeoutMs: withinMs,
  });
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > MAX_BYTES) throw new Error('the answer is too long');
    }
    const text = Buffer.concat(parts).toString('utf8');
    return { status: answer.status, headers: answer.headers, text };
  } finally {
    answer.body.destroy();
  }
}

/** For openid-client: what it asks goes the same guarded way. */
export function guardedFetch(outbound: Outbound, withinMs?: number) {
  return async (url: string, options: CustomFetchOptions): Promise<Response> => {
    const body = options.body == null ? undefined : String(options.body);
    const answer = await ask(outbound, url, {
      method: options.method === 'GET' ? 'GET' : 'POST',
      headers: options.headers,
      ...(body === undefined ? {} : { body }),
      ...(withinMs === undefined ? {} : { withinMs }),
    });
    const type = answer.headers['content-type'];
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : answer.text, {
      status: answer.status,
      headers: { 'content-type': typeof type === 'string' ? type : 'application/octet-stream' },
    });
  };
}
