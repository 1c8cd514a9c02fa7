// A call as the reference makes it: of an operation and what was typed, a request, and what came back as text to read.
import type { Operation } from './operations.ts';
import type { ApiDocument, Parameter } from './wire.ts';

export interface Asked {
  url: string;
  headers: Record<string, string>;
}

/** What is read of an answer at most: a download may have no end. */
const SHOWN_MAX = 200_000;

/** Reading alone, and nothing that goes on for ever. */
export function mayBeTried(operation: Operation): boolean {
  const types = operation.answers.flatMap(({ answer }) => Object.keys(answer.content ?? {}));
  return operation.method === 'GET' && !types.includes('text/event-stream');
}

/** True where being signed in to the console is enough. */
export const bySession = (document: ApiDocument, operation: Operation): boolean =>
  operation.security.length === 0 ||
  operation.security.some((item) =>
    Object.keys(item).some((name) => document.components?.securitySchemes?.[name]?.in === 'cookie'),
  );

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** Null while something is missing that has to be there. */
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
  /** As JSON where it is some, else as text. */
  body: { json: unknown } | { text: string };
  isCut: boolean;
}

/** Asks, as who is signed in where no token is sent. */
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
