// A page's requests as shell commands, and its responses as YAML that parses to the same values.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { topicKey } from '../api/keys.ts';
import { asCurl, asYaml, listReads } from './page-as.ts';

const TENANT = '01900000-0000-7000-8000-000000000001';
const BASE = `/console/api/v1/tenants/${TENANT}`;

/** Returns a page with these queries. */
function createPage(...reads: [key: readonly unknown[], data: unknown][]): QueryClient {
  const queries = new QueryClient();
  for (const [queryKey, data] of reads) {
    queries.setQueryData(queryKey, data);
    new QueryObserver(queries, { queryKey, staleTime: Number.POSITIVE_INFINITY }).subscribe(
      () => undefined,
    );
  }
  return queries;
}

test('names the lists that a page reads with their filters, without offered lists and other tenants', async () => {
  const queries = createPage(
    [
      topicKey(TENANT, 'devices', "/devices/it's", {}),
      { device: { hostname: 'a: b' }, request_id: 'r' },
    ],
    [
      topicKey(TENANT, 'alerts', '/alerts', 'list', { state: 'open', severity: undefined }),
      { pages: [{ items: [{ n: 1 }] }, { items: [{ n: 2 }] }] },
    ],
    [topicKey(TENANT, 'device-groups', '/device-groups', 'offered', { query: 'x' }), { items: [] }],
    [topicKey(TENANT, 'people', '/people', 'all'), []],
    [topicKey('other', 'devices', '/devices', {}), {}],
    [['session'], {}],
  );
  // A query of a previous page.
  queries.setQueryData(topicKey(TENANT, 'mcp', '/mcp/settings', {}), {});
  const reads = listReads(queries, TENANT);
  expect(asCurl(reads, 'https://hub.example').split('\n').slice(1)).toEqual([
    `curl -sS -H "Authorization: Bearer $GATEWARDEN_TOKEN" 'https://hub.example${BASE}/devices/it%27s'`,
    `curl -sS -H "Authorization: Bearer $GATEWARDEN_TOKEN" 'https://hub.example${BASE}/alerts?state=open'`,
    '',
  ]);
  const documents = parseAllDocuments(await asYaml(reads)) as { toJS(): unknown }[];
  expect(documents.map((item) => item.toJS())).toEqual([
    { device: { hostname: 'a: b' } },
    { items: [{ n: 1 }, { n: 2 }] },
  ]);
});
