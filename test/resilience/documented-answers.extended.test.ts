// Every operation answers with a status and a media type that the OpenAPI document lists for it: with and without
// credentials, for existing and missing resources, for each format of a query.
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import {
  type ApiDocument,
  createCaller,
  documentedIn,
  NOT_CALLED,
  undocumented,
} from '../support/document-calls.ts';
import {
  answerOf,
  furnish,
  newCredentials,
  type Secrets,
  sendCall,
} from '../support/document-hub.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { anExportKey } from '../support/logs.ts';

let hub: TestHub;
let document: ApiDocument;
let lasting: Secrets;

beforeAll(async () => {
  hub = await startTestHub();
  document = hub.hub.openApi() as unknown as ApiDocument;
  lasting = await furnish(hub);
});
afterAll(() => hub.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

it('answers every operation with a documented status and media type', {
  timeout: 300_000,
}, async () => {
  // Well-formed calls only: each operation is called until it was answered at least three times.
  const caller = createCaller(document, 7, hub.tenantId, [0]);
  const left = new Map(
    operations()
      .filter((name) => !NOT_CALLED.test(name))
      .map((name) => [name, 3]),
  );
  const wrong = new Set<string>();
  const secrets = await newCredentials(hub, lasting);
  for (let callCount = 0; left.size > 0 && callCount < 40_000; callCount++) {
    const call = caller.next();
    const times = left.get(call.operation);
    if (times === undefined) continue;
    if (times === 1) left.delete(call.operation);
    else left.set(call.operation, times - 1);
    if (callCount % 200 === 0) Object.assign(secrets, await newCredentials(hub, lasting));
    for (const given of [secrets, {}]) {
      const result = await sendCall(hub, call, given);
      const fault = undocumented(call.documented, result);
      if (fault !== null) wrong.add(`${call.operation} ${result.status} ${fault}`);
      const learns = result.status < 300 && !call.operation.endsWith('/openapi.json');
      if (learns) caller.learn(answerOf(result), call.operation.split(' ')[1] ?? '');
    }
  }
  expect([...wrong]).toEqual([]);
  expect([...left.keys()]).toEqual([]);
});

interface Sent {
  path: string;
  /** The operation's path in the document; left out if it equals the path without its query. */
  as?: string;
  headers: Record<string, string>;
  status: number;
  type: string;
}

const C = '/console/api/v1/tenants/{tenant_id}';
const LISTS = [
  ...['devices', 'discovered-apps', 'unknown-processes', 'overrides', 'alerts', 'audit'],
  ...['activity', 'llm/requests', 'mcp/tool-calls'],
];

test('answers each format and each kind of refusal with its documented media type', async () => {
  const admin = { authorization: `Bearer ${hub.adminToken}` };
  const scim = { authorization: `Bearer ${lasting.scimToken}` };
  const llm = { 'x-gw-log-export-key': lasting.logExportKey ?? '' };
  const mcp = {
    'x-gw-log-export-key': (await anExportKey(hub, { scope: 'all_backends' })).secret,
  };
  const L = '/llmgateway/logs/export';
  const M = '/mcpgateway/logs/export';
  const [CSV, JSON_TYPE, LINES, SCIM] = [
    ...['text/csv', 'application/json', 'application/x-ndjson', 'application/scim+json'],
  ] as [string, string, string, string];
  const rows: Sent[] = [
    ...LISTS.flatMap((list) => [
      { path: `${C}/${list}/download?format=csv`, headers: admin, status: 200, type: CSV },
      { path: `${C}/${list}/download?format=json`, headers: admin, status: 200, type: JSON_TYPE },
      { path: `${C}/${list}/download?format=x`, headers: admin, status: 400, type: JSON_TYPE },
    ]),
    { path: `${C}/llm/usage?format=csv`, headers: admin, status: 200, type: CSV },
    { path: `${C}/llm/usage`, headers: admin, status: 200, type: JSON_TYPE },
    ...[L, M].flatMap((path) => {
      const headers = path === L ? llm : mcp;
      return [
        { path, headers, status: 200, type: LINES },
        { path: `${path}?limit=0`, headers, status: 400, type: LINES },
        { path: `${path}?cursor=x`, headers, status: 400, type: LINES },
        { path, headers: {}, status: 401, type: LINES },
        { path, headers: path === L ? mcp : llm, status: 403, type: LINES },
        {
          path,
          headers: { ...headers, 'x-large': 'x'.repeat(20_000) },
          status: 431,
          type: JSON_TYPE,
        },
      ];
    }),
    { path: `${L}?view=metrics`, headers: llm, status: 200, type: JSON_TYPE },
    { path: `${L}?view=x`, headers: llm, status: 400, type: JSON_TYPE },
    { path: `${L}?view=metrics`, headers: {}, status: 401, type: JSON_TYPE },
    { path: '/scim/v2/Users', headers: scim, status: 200, type: SCIM },
    { path: '/scim/v2/Users', headers: {}, status: 401, type: SCIM },
    { path: '/scim/v2/Users/x', as: '/scim/v2/Users/{id}', headers: scim, status: 404, type: SCIM },
    { path: '/scim/v2/Schemas', headers: scim, status: 200, type: SCIM },
  ];
  for (const { path, as = path.split('?')[0] ?? '', headers, status, type } of rows) {
    const response = await fetch(`${hub.url}${path.replace('{tenant_id}', hub.tenantId)}`, {
      headers,
    });
    const body = await response.text();
    const sent = response.headers.get('content-type') ?? '';
    expect([path, response.status, sent.split(';')[0]]).toEqual([path, status, type]);
    const documented = documentedIn(document.paths[as]?.get?.responses ?? {});
    const answer = { status: response.status, headers: { 'content-type': sent }, body };
    expect([path, undocumented(documented, answer)]).toEqual([path, null]);
  }
});

interface ErrorSchema {
  properties?: { error?: { properties: { code: { enum?: string[] } } } };
}

test('documents for exports exactly the statuses and codes of document 2', () => {
  const codesOf = (path: string) =>
    Object.fromEntries(
      Object.entries(document.paths[path]?.get?.responses ?? {}).map(
        ([status, { content = {} }]) => {
          const [first] = Object.values(content) as { schema: ErrorSchema }[];
          return [status, first?.schema.properties?.error?.properties.code.enum ?? []];
        },
      ),
    );
  const common = {
    401: ['invalid_log_export_key'],
    403: ['wrong_log_export_key', 'log_export_key_inactive'],
    503: ['overloaded', 'database_unavailable'],
  };
  const window = ['invalid_request', 'invalid_cursor', 'cursor_expired', 'before_retention'];
  expect(codesOf('/mcpgateway/logs/export')).toMatchObject({ ...common, 400: window });
  expect(codesOf('/llmgateway/logs/export')).toMatchObject({
    ...common,
    400: [...window, 'invalid_view'],
    500: ['metrics_failed'],
  });
  const statuses = (path: string) => Object.keys(document.paths[path]?.get?.responses ?? {});
  expect(statuses('/mcpgateway/logs/export')).toEqual(['200', '400', '401', '403', '431', '503']);
  expect(statuses('/llmgateway/logs/export')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '431',
    '500',
    '503',
  ]);
});
