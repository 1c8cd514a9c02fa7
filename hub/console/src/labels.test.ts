import { expect, it } from 'vitest';
import { clientLabel, scopeLabel, sourceLabel, stateLabel, transportLabel } from './labels.ts';

it.each([
  [sourceLabel('dpkg'), 'Debian package'],
  [sourceLabel('mcp_config'), 'MCP client configuration'],
  [sourceLabel('rolling_release'), 'Rolling release'],
  [sourceLabel('constructor'), 'Constructor'],
  [clientLabel('claude-desktop'), 'Claude Desktop'],
  [clientLabel('some-client'), 'Some client'],
  [scopeLabel('project'), 'Project settings'],
  [transportLabel('stdio'), 'Local (stdio)'],
  [stateLabel('not_installed'), 'Not installed'],
])('labels a wire value as %s', (label, expected) => {
  expect(label).toBe(expected);
});
