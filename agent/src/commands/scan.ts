// `scan`: apart from the other commands that look, for it needs neither store nor processes, and loading those costs more
// than a fifth of what it takes.
import type { ScanResult } from '../discovery/assemble.ts';
import { scanMachine } from '../discovery/machine.ts';
import { rememberedSettings } from '../discovery/settings.ts';
import { oneLine, openContext, print } from './context.ts';
import type { GlobalOptions } from './locate.ts';

/** `scan`: one discovery pass, shown as it would be sent. Needs no hub and no service. */
export async function scanOnce(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { config, dataDir, json } = openContext(options, env);
  const result = await scanHere(config.sources, dataDir, env);
  const entities = result.entities.map((entity) => entity.wire);
  const { problems, coverage } = result;
  const homes = new Set(coverage.flatMap((row) => row.owner ?? [])).size;
  print(json, { entities, problems, coverage, duration_ms: result.durationMs }, () => [
    ...entities.map((e) => [e.kind, e.source, e.name, e.version ?? '-'].map(oneLine).join('\t')),
    ...problems.map((p) => `problem\t${p.source}\t${oneLine(p.path)}\t${oneLine(p.reason)}`),
    `${entities.length} found in ${result.durationMs} ms on ${homes} homes and the system`,
  ]);
}

/** What a scan with these sources finds here, as the company lets us look. */
export function scanHere(
  sources: readonly string[] | null,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<ScanResult> {
  return scanMachine({ sources, env, settings: rememberedSettings(dataDir), dataDir });
}
