// Launches in client configurations identify separate products by full name, and no secret in them is sent.
import { readFileSync } from 'node:fs';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant, scanTree } from '../../../test/trees.ts';
import { mcpConfig } from './mcp-config.ts';

interface LaunchCase {
  id: string;
  path: string;
  config: object;
  must: {
    name?: string;
    version?: string | null;
    kind?: string;
    transport?: string;
    distinctFrom?: string[];
    sameAs?: string[];
    sent?: string[];
    notSent?: string[];
  };
}

const CASES: LaunchCase[] = JSON.parse(
  readFileSync(new URL('../../../test/mcp-launches.json', import.meta.url), 'utf8'),
);

async function discover({ path, config }: LaunchCase): Promise<WireEntity> {
  const root = makeFolder();
  plant(root, { [path.replace(/^~/, 'home/alice')]: config });
  const { entities } = await scanTree([mcpConfig], root, { people: ['alice'] });
  expect(entities).toHaveLength(1);
  return entities[0]?.wire as WireEntity;
}

const configured = ({ details }: WireEntity) =>
  (details as { configured: Record<string, unknown>[] }).configured[0] ?? {};

test.each(CASES.map((launchCase) => [launchCase.id, launchCase] as const))(
  'identifies %s',
  async (_, launch) => {
    const { must } = launch;
    const wire = await discover(launch);
    if (must.name !== undefined) expect(wire.name).toBe(must.name);
    if (must.version !== undefined) expect(wire.version).toBe(must.version);
    if (must.kind !== undefined) expect(wire.kind).toBe(must.kind);
    if (must.transport !== undefined) expect(configured(wire).transport).toBe(must.transport);
    const sent = JSON.stringify(wire);
    for (const text of must.sent ?? []) expect(sent).toContain(text);
    for (const text of must.notSent ?? []) expect(sent).not.toContain(text);
    for (const id of must.distinctFrom ?? []) {
      const other = await discover(CASES.find((launchCase) => launchCase.id === id) as LaunchCase);
      expect(wire.entity_id).not.toBe(other.entity_id);
      expect(wire.launch_hash).not.toBe(other.launch_hash);
    }
    for (const id of must.sameAs ?? []) {
      const other = await discover(CASES.find((launchCase) => launchCase.id === id) as LaunchCase);
      expect(wire.entity_id).toBe(other.entity_id);
    }
  },
);

const URL_OF_SERVER = 'https://mcp.example.com/mcp';

test.each<[object, string]>([
  [{ type: 'stdio', command: 'npx', args: ['acme'] }, 'stdio'],
  [{ type: 'local', command: ['npx', 'acme'] }, 'stdio'],
  [{ url: URL_OF_SERVER }, 'http'],
  ...['http', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http', 'odd', 'HTTP'].map(
    (type): [object, string] => [{ type, url: URL_OF_SERVER }, 'http'],
  ),
  [{ type: 'sse', url: URL_OF_SERVER }, 'sse'],
  [{ type: 'SSE', url: URL_OF_SERVER }, 'sse'],
  [{ transport: 'sse', url: URL_OF_SERVER }, 'sse'],
  [{ transportType: 'sse', url: URL_OF_SERVER }, 'sse'],
  [{ transport: { type: 'sse', url: URL_OF_SERVER } }, 'sse'],
  [{ type: 'websocket', url: URL_OF_SERVER }, 'ws'],
  [{ type: 'ws', url: URL_OF_SERVER }, 'ws'],
  [{ url: 'wss://mcp.example.com/ws' }, 'ws'],
  [{ type: 'http', command: 'npx', args: ['decoy'], url: URL_OF_SERVER }, 'http'],
])('reports the transport of %j as %s', async (server, transport) => {
  const config = { mcpServers: { example: server } };
  const wire = await discover({ id: 'x', path: '~/.cursor/mcp.json', config, must: {} });
  expect(configured(wire).transport).toBe(transport);
});

test.each([
  ['task-sk-overview', 'task-sk-overview'],
  ['GitHub (work)', 'GitHub (work)'],
  ['context7', 'context7'],
  ['x9k2a-b7d3e', '[cut]'],
  ['notes x9k2a-b7d3e', 'notes [cut]'],
])('shows the label %s as %s', async (label, shown) => {
  const config = { mcpServers: { [label]: { command: 'npx', args: ['acme'] } } };
  const wire = await discover({ id: 'x', path: '~/.cursor/mcp.json', config, must: {} });
  expect(wire.instances?.[0]?.name).toBe(shown);
});
