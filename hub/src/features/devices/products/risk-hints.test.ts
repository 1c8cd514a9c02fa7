import { describe, expect, test } from 'vitest';
import { riskHintsOf } from './risk-hints.ts';

const launched = (launch: object) => ({ details: { configured: [launch] }, instances: [] });
const permitted = (...permissions: string[]) => ({
  details: null,
  instances: [{ permissions }],
});

describe('risk hints', () => {
  test.each([
    ['unpinned', launched({ command: 'npx', unpinned: true })],
    ['remote_url', launched({ url: 'https://mcp.example/mcp' })],
    ['environment_secrets', launched({ env: ['GITHUB_TOKEN'] })],
    ['environment_secrets', launched({ headers: ['X-Api-Key'] })],
    ['environment_secrets', launched({ env: ['openaiApiKey'] })],
    ['wide_permissions', permitted('storage', '<all_urls>')],
    ['wide_permissions', permitted('bypassPermissions')],
    ['unsigned', { details: { unpacked: true }, instances: [] }],
    ['unsigned', { details: { signed_state: -1 }, instances: [] }],
  ])('reports %s for %o', (hint, report) => {
    expect(riskHintsOf([report])).toEqual([hint]);
  });

  test.each([
    launched({ command: 'npx', args: ['x@1.0.0'], env: ['MONKEYS', 'PATH'] }),
    launched({ url: 'http://localhost:3000/mcp' }),
    permitted('storage', 'https://example.com/*'),
    { details: 'no object', instances: [] },
  ])('reports nothing for %o', (report) => {
    expect(riskHintsOf([report])).toEqual([]);
  });

  test('unites the hints of several devices', () => {
    const reports = [launched({ unpinned: true }), launched({ url: 'https://mcp.example' })];
    expect(riskHintsOf(reports)).toEqual(['unpinned', 'remote_url']);
  });
});
