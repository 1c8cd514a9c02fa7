// Redirect URIs are accepted in canonical spelling, and a company's allow-list is parsed.
import { MCP_CLIENTS } from '@gatewarden/shared/mcp-clients.ts';
import { expect, test } from 'vitest';
import { DEFAULT_REDIRECTS, mayBeScheme, mayBeTarget, refusalOf } from './redirects.ts';

const rules = [DEFAULT_REDIRECTS, { https: ['app.example:8443/cb', 'w.example/*'], schemes: [] }];

test.each([
  'http://127.0.0.1:9999/callback',
  'http://127.0.0.1:9999',
  'http://localhost/a?b=c%20d',
  'http://[::1]:8/cb',
  'https://claude.ai/api/mcp/auth_callback',
  'https://app.example:8443/cb',
  'https://w.example/any/where',
  'cursor://anysphere.cursor-mcp/oauth/callback',
])('accepts %s', (uri) => {
  expect(refusalOf(uri, rules)).toBeNull();
});

test.each([
  ['ChatGPT', 'https://chatgpt.com/connector/oauth/AbC123'],
  ['ChatGPT of before', 'https://chatgpt.com/connector_platform_oauth_redirect'],
  ['Claude', 'https://claude.com/api/mcp/auth_callback'],
  ['Copilot Studio', 'https://global.consent.azure-apim.net/redirect/new-5fmcp-5fdfde809e1caf448f'],
  ['Mistral', 'https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
  ['n8n Cloud', 'https://oauth.n8n.cloud/oauth2/callback'],
  ['Visual Studio Code', 'https://vscode.dev/redirect'],
  ['Visual Studio Code Insiders', 'https://insiders.vscode.dev/redirect'],
  ['Visual Studio Code on the desktop', 'http://127.0.0.1:33418/'],
  ['Cursor', 'https://www.cursor.com/agents/mcp/oauth/callback'],
  ['Cursor for bots', 'https://www.cursor.com/bot/mcp/oauth/callback'],
  ['Cursor on the desktop', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ['Windsurf', 'windsurf://codeium.windsurf/callback'],
])('allows the redirect URI of %s by default', (_client, uri) => {
  expect(refusalOf(uri, [DEFAULT_REDIRECTS])).toBeNull();
});

test.each([
  'https://chatgpt.com/connector/oauth/../../evil',
  'https://chatgpt.com/connector/oauth2/x',
  'https://chatgpt.com.evil.example/connector/oauth/x',
  'https://global.consent.azure-apim.net/other',
  'https://evil.consent.azure-apim.net/redirect/x',
])('rejects %s, which only looks like a default', (uri) => {
  expect(refusalOf(uri, [DEFAULT_REDIRECTS])).not.toBeNull();
});

test('names the setting that would allow a redirect URI', () => {
  expect(refusalOf('https://app.example/cb', [])).toMatch(/redirect_uris\.https/);
  expect(refusalOf('acme://cb', [])).toMatch(/redirect_uris\.schemes/);
});

test.each(Object.entries(MCP_CLIENTS))('allows only valid targets of the client %s', (_, rules) => {
  for (const listed of rules.https) expect([listed, mayBeTarget(listed)]).toEqual([listed, true]);
  for (const scheme of rules.schemes) expect(mayBeScheme(scheme)).toBe(true);
});

test.each([
  'HTTP://127.0.0.1/callback',
  'http://LOCALHOST/callback',
  'http:127.0.0.1/callback',
  'http:/127.0.0.1/callback',
  'http:///127.0.0.1/callback',
  'http://127.1/callback',
  'http://2130706433/callback',
  'http://0x7f.1/callback',
  'http://[0:0::1]/callback',
  'http://127.0.0.1:/callback',
  'http://127.0.0.1/x/../callback',
  'http://127.0.0.1/%2e%2e/callback',
  'https://claude.ai/api/mcp/../mcp/auth_callback',
  'https:claude.ai/api/mcp/auth_callback',
  'https://claude.ai:8443/api/mcp/auth_callback',
  'https://app.example/cb',
  'https://w.example/../../etc',
])('rejects another spelling or location: %s', (uri) => {
  expect(refusalOf(uri, rules)).not.toBeNull();
});

test.each(['code', 'state', 'iss', 'error'])(
  'rejects a redirect URI that contains the parameter %s',
  (name) => {
    for (const place of ['http://127.0.0.1/cb', 'cursor://x/cb']) {
      expect(refusalOf(`${place}?a=1&${name}=x`, rules)).toMatch(/response parameters/);
    }
  },
);

test.each([
  ['app.example/cb', true],
  ['app.example:8443/cb', true],
  ['app.example/', true],
  ['w.example/*', true],
  ['w.example/a/*', true],
  ['app.example:443/cb', false],
  ['App.example/cb', false],
  ['app.example/a/../cb', false],
  ['app.example/a*', false],
  ['app.example/*/cb', false],
])('parses the entry %s of an allow-list, valid: %s', (listed, may) => {
  expect(mayBeTarget(listed)).toBe(may);
});

test.each(['intent', 'view-source', 'filesystem', 'chrome-extension', 'ms-settings', 'javascript'])(
  "rejects the scheme %s as an application's own",
  (scheme) => {
    expect(mayBeScheme(scheme)).toBe(false);
  },
);
