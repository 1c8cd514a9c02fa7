// Suggestions beside an application list the same name elsewhere, the same launch under another name, and the same
// publisher.
import { entityId } from '@gatewarden/shared/identity.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

const LAUNCH = 'a'.repeat(64);
const server = (name: string, launch_hash: string | null) =>
  anEntity(name, {
    ...{ kind: 'mcp_server', source: 'mcp_config', publisher: null, launch_hash },
    entity_id: entityId('linux', 'mcp_server', 'mcp_config', name),
  });
const things = {
  files: server('files', LAUNCH),
  renamed: server('documents', LAUNCH),
  other: server('other', 'b'.repeat(64)),
  tool: anEntity('Claude', { kind: 'ai_tool', publisher: 'Anthropic' }),
  sameName: anEntity('claude', {
    kind: 'ide_extension',
    source: 'vscode',
    publisher: 'Somebody',
    entity_id: entityId('linux', 'ide_extension', 'vscode', 'claude'),
  }),
  samePublisher: anEntity('Claude Desktop', { kind: 'ai_tool', publisher: 'ANTHROPIC' }),
  curl: anEntity('curl', { publisher: 'Debian' }),
  wget: anEntity('wget', { publisher: 'Debian' }),
};

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
  const sent = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), Object.values(things)),
  });
  expect(sent.status).toBe(202);
});
afterAll(() => hub.stop());

async function like(row: { entity_id: string }): Promise<[string, string[]][]> {
  const { body } = await hub.console('GET', `/discovered-apps/${row.entity_id}/similar`);
  return body.items.map((item: { name: string; why: string[] }) => [item.name, item.why]);
}

test('finds and names each similarity, and does not match packages of a distribution', async () => {
  expect(await like(things.files)).toEqual([['documents', ['same_launch']]]);
  const found = await like(things.tool);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(['claude', ['same_name']]);
  expect(found).toContainEqual(['Claude Desktop', ['same_publisher']]);
  expect(await like(things.curl)).toEqual([]);
  expect(await like(things.other)).toEqual([]);
});
