// The URL of the log export and its command, as docs/how-to/export-logs.md has them. Pure.
import type { ExportScope } from '@gatewarden/shared/wire/console/log-export-keys.ts';

/** Returns the export URL of a scope: LLM requests or tool calls. `origin`: the hub's. */
export function exportUrl(origin: string, scope: ExportScope): string {
  const gateway = scope === 'app' || scope === 'all_apps' ? 'llmgateway' : 'mcpgateway';
  return `${origin}/${gateway}/logs/export?limit=1000`;
}

/** Returns a command that reads the first page; the key is in a variable, so that no shell history has it. */
export const exportCommand = (url: string): string =>
  `curl -H "X-GW-Log-Export-Key: $GATEWARDEN_LOG_EXPORT_KEY" \\\n  "${url}"`;
