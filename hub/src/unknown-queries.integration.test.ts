// Every list of the console and of the management API, as the document names them, refuses a query name that it does not
// know: a filter with a slip in it would otherwise show everything, and look as if it had been applied.
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, call, startTestHub, type TestHub } from '../../test/support/hub.ts';
import { manage } from '../../test/support/management.ts';

interface Schema {
  $ref?: string;
  pattern?: string;
  format?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema> };
}

let hub: TestHub;
let key: string;
let document: Document;

beforeAll(async () => {
  hub = await startTestHub();
  key = (await manage(hub, SCOPES)).secret;
  document = (await (await fetch(`${hub.url}/openapi.json`)).json()) as Document;
});
afterAll(() => hub?.stop());

const FAMILIES = /^\/(console\/api\/v1\/tenants|llmgateway\/management(-admin)?)\//;

/** Whether it gives several of something: by page, as a file, or all at once. */
function isList({ parameters = [], responses }: Operation): boolean {
  const { schema } = responses[200]?.content?.['application/json'] ?? {};
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  const answer = document.components.schemas[name] ?? schema;
  const paged = parameters.some((one) => one.in === 'query' && one.name === 'limit');
  return paged || answer?.properties?.items !== undefined;
}

/** What the document lets pass in a path or a query: whether there is such a thing is asked later. */
function anyValue(name: string, { format, pattern, enum: values }: Schema): string {
  if (name === 'tenant_id') return hub.tenantId;
  if (name === 'entity_id') return '0'.repeat(64);
  if (values !== undefined) return values[0] ?? '';
  const isUuid = format === 'uuid' || pattern?.includes('-') === true;
  if (isUuid) return '00000000-0000-4000-8000-000000000000';
  return name === 'email' ? 'someone@example.com' : '1';
}

function asked(path: string, { parameters = [] }: Operation, more: object): Promise<Answer> {
  const query = new URLSearchParams({ ...more });
  for (const one of parameters) {
    if (one.in !== 'query' || one.required !== true) continue;
    query.set(one.name, anyValue(one.name, one.schema));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema;
    return anyValue(name, schema ?? {});
  });
  const isByKey = path.startsWith('/llmgateway/management/');
  const authorization = `Bearer ${isByKey ? key : hub.adminToken}`;
  return call(`${hub.url}${filled}?${query}`, 'GET', { authorization });
}

test('an unknown name is a 400 that says which, at every list', async () => {
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get !== undefined && FAMILIES.test(path) && isList(get) ? [{ path, get }] : [],
  );
  expect(lists.length).toBeGreaterThan(70);
  const wrong: string[] = [];
  for (const { path, get } of lists) {
    const { status, body } = await asked(path, get, { nonsense: '1' });
    const isRefused = status === 400 && /\/nonsense is not a field/.test(body.error?.message);
    // Without it, it is the name that was at fault.
    const without = await asked(path, get, {});
    if (!isRefused || without.status === 400) {
      wrong.push(`${path}: ${status} ${JSON.stringify(body).slice(0, 120)}; ${without.status}`);
    }
  }
  expect(wrong).toEqual([]);
});
