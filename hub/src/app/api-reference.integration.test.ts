// The public API reference: the document of all routes, and the meaning of the error codes.
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../test/support/hub.ts';
import { ERRORS } from '../platform/http/errors/error-list.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub?.stop());

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { 'x-least-role'?: string }>>;
}

test('serves the document of all routes to everyone, with every family of routes', async () => {
  const answer = await fetch(`${hub.url}/openapi.json`);
  expect(answer.status).toBe(200);
  const { openapi, paths } = (await answer.json()) as Document;
  expect(openapi).toMatch(/^3\.1\./);
  for (const path of [
    '/healthz',
    '/errors.json',
    '/ea/v1/sync/delta',
    '/llmgateway/management/v1/apps',
    '/llmgateway/logs/export',
    '/node/v1/config',
    '/console/api/v1/tenants/{tenant_id}/mcp/settings',
  ]) {
    expect([path, path in paths]).toEqual([path, true]);
  }
  const role = (method: string, path: string) =>
    paths[`/console/api/v1/tenants/{tenant_id}${path}`]?.[method]?.['x-least-role'];
  expect(role('get', '/devices')).toBe('Viewer');
  expect(role('post', '/agent-tokens')).toBe('Admin');
  const ofConsole = await fetch(`${hub.url}/console/api/openapi.json`);
  const part = Object.keys(((await ofConsole.json()) as Document).paths);
  expect(part.length).toBeGreaterThan(100);
  expect(part.filter((path) => !path.startsWith('/console/api/v1/'))).toEqual([]);
});

test('contains no data of this installation', async () => {
  const text = await (await fetch(`${hub.url}/openapi.json`)).text();
  expect(text).not.toContain(hub.tenantId);
  expect(text).not.toContain(new URL(hub.url).host);
});

test('answers 304 for a cached document, and compresses only for clients that accept it', async () => {
  const first = await fetch(`${hub.url}/openapi.json`);
  const etag = first.headers.get('etag') ?? '';
  const whole = await first.text();
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const again = await fetch(`${hub.url}/openapi.json`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const other = await fetch(`${hub.url}/openapi.json`, { headers: { 'if-none-match': '"1"' } });
  expect(other.status).toBe(200);
  const packed = await plain({ 'accept-encoding': 'br, gzip' });
  expect(packed.encoding).toBe('gzip');
  expect(packed.body.length).toBeLessThan(whole.length / 5);
  expect(gunzipSync(packed.body).toString()).toBe(whole);
  for (const headers of [{}, { 'accept-encoding': 'gzip;q=0' }]) {
    const unpacked = await plain(headers);
    expect([unpacked.encoding, unpacked.body.toString() === whole]).toEqual([undefined, true]);
  }
});

test('describes every error code with its status, cause and remedy', async () => {
  const { errors } = (await (await fetch(`${hub.url}/errors.json`)).json()) as {
    errors: { code: string; status: number; cause: string; cure: string }[];
  };
  expect(errors.map((error) => error.code).sort()).toEqual(Object.keys(ERRORS).sort());
  for (const { code, status } of errors) {
    expect([code, status]).toEqual([code, ERRORS[code as keyof typeof ERRORS].status]);
  }
});

/** As it comes over the wire: `fetch` would unpack it. */
function plain(headers: Record<string, string>) {
  return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    request(`${hub.url}/openapi.json`, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
}

test('no MCP server takes the beginning of a path of the hub as its name', async () => {
  const { paths } = (await (await fetch(`${hub.url}/openapi.json`)).json()) as Document;
  const begins = new Set(Object.keys(paths).map((path) => path.split('/')[1] ?? ''));
  expect(begins.size).toBeGreaterThan(8);
  for (const slug of begins) {
    const made = await hub.console('POST', '/mcp/backends', {
      body: { slug, name: slug, url: 'https://example.com/mcp', auth: { kind: 'none' } },
    });
    expect([slug, made.status]).toEqual([slug, 400]);
  }
});
