import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  claudeCommand,
  codexConfig,
  cursorLink,
  jsonConfig,
  parseServerName,
  vsCodeLink,
} from './snippets.ts';

const target = fc.record({
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/),
  url: fc.webUrl({ withQueryParameters: true }),
});

test('Cursor decodes the address from the link', () => {
  fc.assert(
    fc.property(target, (item) => {
      const link = new URL(cursorLink(item));
      expect(link.protocol).toBe('cursor:');
      expect(link.searchParams.get('name')).toBe(item.name);
      expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual({ url: item.url });
    }),
  );
});

test('VS Code decodes the address from the link', () => {
  fc.assert(
    fc.property(target, (item) => {
      const link = vsCodeLink(item);
      expect(link.startsWith('vscode:mcp/install?')).toBe(true);
      expect(JSON.parse(decodeURIComponent(link.split('?')[1] ?? ''))).toEqual({
        name: item.name,
        type: 'http',
        url: item.url,
      });
    }),
  );
});

test('commands and files name the address', () => {
  const item = { name: 'gatewarden', url: 'https://hub.example.com/gwone/mcp' };
  expect(claudeCommand(item)).toBe(
    'claude mcp add --transport http gatewarden https://hub.example.com/gwone/mcp',
  );
  expect(codexConfig(item)).toBe(
    '[mcp_servers.gatewarden]\nurl = "https://hub.example.com/gwone/mcp"',
  );
  expect(JSON.parse(jsonConfig(item)).mcpServers.gatewarden.url).toBe(item.url);
  expect(parseServerName('https://hub.example.com/files/mcp')).toBe('files');
});
