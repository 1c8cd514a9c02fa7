// A page as text: its requests as shell commands, and the responses as YAML.
import type { QueryClient } from '@tanstack/react-query';
import { tenantPath } from '../api/client.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { type QueryParams, withQuery } from '../api/query-string.ts';
import { pageAsTexts } from './texts.ts';

interface PageRead {
  /** The path with its query. */
  path: string;
  answer: unknown;
}

/** Returns the active queries of the page in the order of their start, without the options of fields. */
export function listReads(queries: QueryClient, tenantId: string): PageRead[] {
  return queries
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && query.queryKey[0] === tenantId)
    .flatMap((query) => toRead(tenantId, query.queryKey, query.state.data) ?? []);
}

function toRead(tenantId: string, key: readonly unknown[], data: unknown): PageRead | null {
  const [, , path, next, last] = key;
  if (typeof path !== 'string' || path === '') return null;
  const isList = next === 'list';
  const params = isList ? last : next;
  if (typeof params !== 'object' || params === null) return null;
  return {
    path: withQuery(`${tenantPath(tenantId)}${path}`, params as QueryParams),
    answer: isList ? { items: flattenPages(data) } : data,
  };
}

const flattenPages = (data: unknown): unknown[] =>
  ((data as { pages?: ListAnswer<unknown>[] } | undefined)?.pages ?? []).flatMap(
    (page) => page.items,
  );

/** Returns a call per line, for a shell; the token is in a variable. */
export function asCurl(reads: readonly PageRead[], origin: string): string {
  const calls = reads.map(
    ({ path }) =>
      `curl -sS -H "Authorization: Bearer $GATEWARDEN_TOKEN" '${origin}${path.replaceAll("'", '%27')}'`,
  );
  return [`# ${pageAsTexts.curlToken}`, ...calls, ''].join('\n');
}

/** Returns a document for each call, without the id of the request. */
export async function asYaml(reads: readonly PageRead[]): Promise<string> {
  const { stringify } = await import('yaml');
  const documents = reads.map(({ path, answer }) => {
    const { request_id: _id, ...rest } = (answer ?? {}) as Record<string, unknown>;
    return `# GET ${path}\n${stringify(rest, { lineWidth: 0 })}`;
  });
  return documents.join('---\n');
}
