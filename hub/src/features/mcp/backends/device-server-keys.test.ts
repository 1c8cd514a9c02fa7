import { expect, test } from 'vitest';
import { deviceServerKeys } from './device-server-keys.ts';

const keysOf = (url: string, ...sameAs: string[]) => deviceServerKeys({ url, same_as: sameAs });

test.each([
  ['https://mcp.example.com/mcp', 'mcp.example.com/mcp'],
  ['https://MCP.Example.com:443/mcp/', 'mcp.example.com/mcp'],
  ['https://mcp.example.com/mcp', 'mcp.example.com/sse'],
  ['https://mcp.example.com/', 'mcp.example.com'],
  ['https://mcp.example.com/v1', 'mcp.example.com/v1/mcp'],
  ['http://127.0.0.1:8931/sse', '127.0.0.1:8931/mcp'],
  ['https://mcp.example.com/a b/mcp', 'mcp.example.com/a b/mcp'],
])('finds %s by the key %s', (url, key) => {
  expect(keysOf(url)).toContain(key);
});

test.each([
  ['npm:@acme/notes-mcp', 'npm:@acme/notes-mcp'],
  ['npm:@acme/notes-mcp@1.2.3', 'npm:@acme/notes-mcp'],
  ['npx -y @acme/notes-mcp@latest', 'npm:@acme/notes-mcp'],
  ['@acme/notes-mcp', 'npm:@acme/notes-mcp'],
  ['pypi:Acme_Notes', 'pypi:acme-notes'],
  ['uvx acme-notes==1.0', 'pypi:acme-notes'],
  ['ghcr.io/acme/notes:1.2', 'ghcr.io/acme/notes'],
  ['docker.io/acme/notes', 'acme/notes'],
  ['notes', 'library/notes'],
  ['notes-mcp@1.2', 'npm:notes-mcp'],
  ['Notes_MCP', 'pypi:notes-mcp'],
  ['/opt/notes/server', '/opt/notes/server'],
])('reads %s as %s', (named, key) => {
  expect(keysOf('https://x.example', named)).toContain(key);
});

test('finds no other server of the same host', () => {
  expect(keysOf('https://mcp.example.com/a/mcp')).not.toContain('mcp.example.com/b/mcp');
});

test.each([
  ['@acme/notes-mcp', 'npm:@acme/notes-mcp'],
  ['ghcr.io/acme/notes:1.2', 'ghcr.io/acme/notes'],
  ['pypi:acme-notes', 'pypi:acme-notes'],
])('reads the name %s of a server as %s', (name, key) => {
  expect(deviceServerKeys({ name, url: 'https://x.example', same_as: [] })).toContain(key);
});

test('reads a name in words as no package', () => {
  const url = 'https://x.example';
  const named = deviceServerKeys({ name: 'Issue tracker', url, same_as: [] });
  expect(named).toEqual(deviceServerKeys({ url, same_as: [] }));
});
