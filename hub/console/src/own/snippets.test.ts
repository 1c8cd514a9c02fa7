import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  claudeCommand,
  codexConfig,
  cursorLink,
  jsonConfig,
  nameIn,
  vsCodeLink,
} from './snippets.ts';

const target = fc.record({
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/),
  url: fc.webUrl({ withQueryParameters: true }),
});

test('Cursor reads the address back, whatever base64 makes of it', () => {
  fc.assert(
    fc.property(target, (one) => {
      const link = new URL(cursorLink(one));
      expect(link.protocol).toBe('cursor:');
      expect(link.searchParams.get('name')).toBe(one.name);
      expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual({ url: one.url });
    }),
  );
});

test('VS Code reads the address back', () => {
  fc.assert(
    fc.property(target, (one) => {
      const link = vsCodeLink(one);
      expect(link.startsWith('vscode:mcp/install?')).toBe(true);
      expect(JSON.parse(decodeURIComponent(link.split('?')[1] ?? ''))).toEqual({
        name: one.name,
        type: 'http',
        url: one.url,
      });
    }),
  );
});

test('commands and files name the address', () => {
  const one = { name: 'gatewarden', url: 'https://hub.example.com/gwone/mcp' };
  expect(claudeCommand(one)).toBe(
    'claude mcp add --transport http gatewarden https://hub.example.com/gwone/mcp',
  );
  expect(codexConfig(one)).toBe(
    '[mcp_servers.gatewarden]\nurl = "https://hub.example.com/gwone/mcp"',
  );
  expect(JSON.parse(jsonConfig(one)).mcpServers.gatewarden.url).toBe(one.url);
  expect(nameIn('https://hub.example.com/files/mcp')).toBe('files');
});
