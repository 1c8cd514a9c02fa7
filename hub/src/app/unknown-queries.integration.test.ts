// Every documented operation refuses a query parameter that it does not know: a misspelled filter would otherwise be
// dropped, and look as if it had been applied.
import { randomUUID } from 'node:crypto';
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { furnish } from '../../../test/support/document-hub.ts';
import { type Answer, call, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { anExportKey } from '../../../test/support/logs.ts';
import { manage } from '../../../test/support/management.ts';

interface Schema {
  pattern?: string;
  format?: string;
  enum?: string[];
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: unknown;
  security?: Record<string, unknown>[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

let hub: TestHub;
let credentials: Record<string, Record<string, string>>;
let document: Document;

beforeAll(async () => {
  hub = await startTestHub();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const lasting = await furnish(hub);
  const { secret } = await manage(hub, SCOPES);
  credentials = {
    adminToken: bearer(hub.adminToken),
    session: bearer(hub.adminToken),
    managementKey: bearer(secret),
    nodeToken: bearer(lasting.nodeToken ?? ''),
    scimToken: bearer(lasting.scimToken ?? ''),
    mcpExportKey: {
      'x-gw-log-export-key': (await anExportKey(hub, { scope: 'all_backends' })).secret,
    },
    logExportKey: { 'x-gw-log-export-key': lasting.logExportKey ?? '' },
    agentToken: {
      ...bearer(hub.agentToken),
      ...{ 'x-tenant-id': hub.tenantId, 'x-subscriber-id': 'alice' },
    },
  };
  document = (await (await fetch(`${hub.url}/openapi.json`)).json()) as Document;
});
afterAll(() => hub?.stop());

/** SCIM accepts any parameter (RFC 7644 section 3.12), and monitoring may add some to health checks. */
const LENIENT = /^\/(scim|healthz|readyz|errors\.json)(\/|$)/;

/** What the document lets pass in a path or a query: whether there is such a thing is asked later. */
function anyValue(name: string, { format, pattern, enum: values }: Schema): string {
  if (name === 'tenant_id') return hub.tenantId;
  if (['entity_id', 'product_id', 'sha256'].includes(name)) return '0'.repeat(64);
  if (name === 'log_id') return '1';
  if (values !== undefined) return values[0] ?? '';
  const isUuid = format === 'uuid' || pattern?.includes('-') === true;
  if (isUuid) return '00000000-0000-4000-8000-000000000000';
  return name === 'email' ? 'someone@example.com' : '1';
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

interface Sent {
  method: (typeof METHODS)[number];
  path: string;
  operation: Operation;
}

function send({ method, path, operation }: Sent, more: object): Promise<Answer> {
  const { parameters = [], security = [] } = operation;
  const query = new URLSearchParams({ ...more });
  for (const { name, in: place, required, schema } of parameters) {
    if (place === 'query' && required === true) query.set(name, anyValue(name, schema));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.schema;
    return anyValue(name, schema ?? {});
  });
  const isMcpExport = path.startsWith('/mcpgateway/');
  const kind = isMcpExport ? 'mcpExportKey' : (Object.keys(security[0] ?? {})[0] ?? '');
  const headers: Record<string, string> = { ...credentials[kind], 'idempotency-key': randomUUID() };
  for (const { name, in: place, schema } of parameters) {
    if (place === 'header' && name === 'If-Match') headers['if-match'] = '"1"';
    if (place === 'header' && name === 'X-Device-ID') headers['x-device-id'] = anyValue('', schema);
  }
  return call(`${hub.url}${filled}?${query}`, method, headers);
}

const operations = (): Sent[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method.toLowerCase()];
      return operation === undefined || LENIENT.test(path) ? [] : [{ method, path, operation }];
    }),
  );

const isRefused = ({ status, body }: Answer) =>
  status === 400 && /\/nonsense is not a field/.test(body.error?.message);

test('every operation without a body refuses an unknown query parameter with its name', async () => {
  const bodiless = operations().filter(({ operation }) => operation.requestBody === undefined);
  expect(bodiless.length).toBeGreaterThan(180);
  const wrong: string[] = [];
  for (const item of bodiless) {
    const answer = await send(item, { nonsense: '1' });
    if (isRefused(answer)) continue;
    wrong.push(`${item.method} ${item.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  expect(wrong).toEqual([]);
});

test('every list answers once the unknown parameter is left out', async () => {
  const lists = operations().filter(({ operation: { parameters = [] } }) =>
    parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'limit'),
  );
  expect(lists.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const list of lists) {
    const { status, body } = await send(list, {});
    if (status === 400) wrong.push(`${list.path}: ${JSON.stringify(body)}`);
  }
  expect(wrong).toEqual([]);
});

test('SCIM and the health checks accept any parameter', async () => {
  const scim = await call(
    `${hub.url}/scim/v2/Users?nonsense=1`,
    'GET',
    credentials.scimToken ?? {},
  );
  expect(scim.status).toBe(200);
  for (const path of ['/healthz', '/readyz', '/errors.json']) {
    expect((await call(`${hub.url}${path}?nonsense=1`, 'GET', {})).status).toBe(200);
  }
});
