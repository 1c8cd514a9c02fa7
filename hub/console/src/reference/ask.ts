// Requests of the API reference: from an operation and typed values to a request, and from a response to text.
import type { Operation } from './operations.ts';
import type { ApiDocument, Parameter } from './wire.ts';

export interface Asked {
  url: string;
  headers: Record<string, string>;
}

/** The maximum of a response that is read, in characters; a download may be endless. */
const SHOWN_MAX = 200_000;

/** Returns whether the operation can be tried: it only reads, and its response ends. */
export function mayBeTried(operation: Operation): boolean {
  const types = operation.answers.flatMap(({ answer }) => Object.keys(answer.content ?? {}));
  return operation.method === 'GET' && !types.includes('text/event-stream');
}

/** Returns whether the console's session is sufficient. */
export const bySession = (document: ApiDocument, operation: Operation): boolean =>
  operation.security.length === 0 ||
  operation.security.some((item) =>
    Object.keys(item).some((name) => document.components?.securitySchemes?.[name]?.in === 'cookie'),
  );

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** Returns null while a required value is missing. */
export function askedOf(
  { path, parameters }: Pick<Operation, 'path' | 'parameters'>,
  typed: Readonly<Record<string, string>>,
  token: string,
): Asked | null {
  const headers: Record<string, string> = { accept: 'application/json' };
  const search = new URLSearchParams();
  let url = path;
  for (const item of parameters) {
    const value = (typed[keyOf(item)] ?? '').trim();
    if (value === '') {
      if (item.required === true || item.in === 'path') return null;
    } else if (item.in === 'path') {
      url = url.replace(`{${item.name}}`, encodeURIComponent(value));
    } else if (item.in === 'query') search.append(item.name, value);
    else if (item.in === 'header') headers[item.name] = value;
  }
  if (token !== '') headers.authorization = `Bearer ${token}`;
  const query = search.toString();
  return { url: query === '' ? url : `${url}?${query}`, headers };
}

export interface Told {
  status: number;
  requestId: string | null;
  /** Formatted JSON, or text. */
  body: { json: unknown } | { text: string };
  isCut: boolean;
}

/** Sends the request with the console's session, or with the token. */
export async function ask({ url, headers }: Asked, signal: AbortSignal): Promise<Told> {
  const answer = await fetch(url, {
    headers,
    signal,
    cache: 'no-store',
    redirect: 'manual',
    credentials: headers.authorization === undefined ? 'same-origin' : 'omit',
  });
  const { text, isCut } = await beginningOf(answer);
  return {
    status: answer.status,
    requestId: answer.headers.get('x-request-id'),
    body: isCut ? { text } : readAs(text),
    isCut,
  };
}

async function beginningOf(answer: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return { text, isCut: false };
    text += part.value;
    if (text.length > SHOWN_MAX) {
      await reader?.cancel();
      return { text: text.slice(0, SHOWN_MAX), isCut: true };
    }
  }
}

function readAs(text: string): Told['body'] {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { text };
  }
}
