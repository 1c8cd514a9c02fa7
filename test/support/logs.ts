// Logs as nodes send them and as collectors fetch them.
import { randomUUID } from 'node:crypto';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import type { LlmRequestLine, ToolCallLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import type { Answer, TestHub } from './hub.ts';

export const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString();

export function aRequestLine(over: Partial<LlmRequestLine['request']> = {}, more: object = {}) {
  return {
    app: { name: 'logged' },
    request: {
      id: randomUUID(),
      timestamp: minutesAgo(30),
      endpoint: '/v1/chat/completions',
      ...over,
    },
    ...more,
  };
}

export function aToolCallLine(over: Partial<ToolCallLine['request']> = {}, more: object = {}) {
  return {
    event_id: randomUUID(),
    backend: { name: 'weather' },
    request: { started_at: minutesAgo(30), ...over },
    ...more,
  };
}

export interface LogNode {
  token: string;
  send(kind: 'llm-requests' | 'mcp-tool-calls', lines: readonly unknown[]): Promise<Answer>;
}

export async function aNode(
  hub: Pick<TestHub, 'url' | 'context'>,
  tenantId: string | null,
  name = 'node',
): Promise<LogNode> {
  const { token } = await createNodeToken(hub.context.database.db, { name, tenantId });
  return {
    token,
    send: (kind, lines) =>
      sendRaw(hub, token, kind, lines.map((line) => JSON.stringify(line)).join('\n')),
  };
}

export async function sendRaw(
  hub: Pick<TestHub, 'url'>,
  token: string,
  kind: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${hub.url}/node/v1/logs/${kind}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      ...headers,
    },
    body: body as never,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

export interface Exported {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: events of several shapes, looked into by tests
  lines: any[];
  // biome-ignore lint/suspicious/noExplicitAny: see above
  started: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  events: any[];
  // biome-ignore lint/suspicious/noExplicitAny: see above
  checkpoint: any;
}

/** Exports a page of log rows, parsed. */
export async function exportPage(
  hub: Pick<TestHub, 'url'>,
  endpoint: 'llmgateway' | 'mcpgateway',
  key: string,
  query: Record<string, string | number> = {},
): Promise<Exported> {
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  const response = await fetch(`${hub.url}/${endpoint}/logs/export?${search}`, {
    headers: { 'x-gw-log-export-key': key },
  });
  const text = await response.text();
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return {
    status: response.status,
    headers: response.headers,
    lines,
    started: lines[0],
    events: lines.slice(1, -1),
    checkpoint: lines.at(-1),
  };
}

/** A log-export key by the console. */
export async function anExportKey(
  hub: TestHub,
  input: Record<string, unknown>,
  tenant: { tenantId: string; adminToken: string } = hub,
): Promise<{ secret: string; keyId: string; version: string }> {
  const { body } = await hub.console('POST', '/log-export-keys', {
    body: input,
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  return { secret: body.secret, keyId: body.key.key_id, version: body.key.version };
}
