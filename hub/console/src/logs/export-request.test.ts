import { expect, it } from 'vitest';
import { exportCommand, exportUrl } from './export-request.ts';

it.each([
  ['app', 'llmgateway'],
  ['all_apps', 'llmgateway'],
  ['backend', 'mcpgateway'],
  ['all_backends', 'mcpgateway'],
] as const)('exports the scope %s from the %s', (scope, gateway) => {
  const url = exportUrl('https://hub.example.com', scope);
  expect(url).toBe(`https://hub.example.com/${gateway}/logs/export?limit=1000`);
  expect(exportCommand(url)).toBe(
    `curl -H "X-GW-Log-Export-Key: $GATEWARDEN_LOG_EXPORT_KEY" \\\n  "${url}"`,
  );
});
