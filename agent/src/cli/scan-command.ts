// `scan`: apart from the other commands that look, for it needs neither store nor processes, and loading those costs more
// than a fifth of what it takes.
import { openProgress } from '@gatewarden/shared/cli/progress.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { readStoredSettings } from '../discovery/scan/discovery-settings.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import { type MachineScan, scanMachine } from '../discovery/scan/machine-scan.ts';
import { openContext, print, singleLine } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';

export interface ScanOptions extends GlobalOptions {
  /** List everything instead of a summary. */
  all?: boolean;
}

/** Discovers once and prints a summary by kind, or with `all` the list. Needs no hub and no service. */
export async function scanOnce(options: ScanOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { config, dataDir, json } = openContext(options, env);
  const progress = openProgress({ isQuiet: options.quiet === true });
  const onWorker: MachineScan['onWorker'] = (worker, workers) =>
    progress.report(`scan: step ${worker} of ${workers}`);
  const result = await scanHere(config.sources, dataDir, env, onWorker).finally(() =>
    progress.end(),
  );
  const entities = result.entities.map((entity) => entity.wire);
  const { problems, coverage } = result;
  const document = { entities, problems, coverage, duration_ms: result.durationMs };
  if (json) return print(true, document, () => []);
  const { renderTable } = await import('@gatewarden/shared/cli/table.ts');
  print(false, document, () => {
    const list = options.all === true ? listOf(entities) : summaryOf(entities);
    const shown = options.all === true ? problems : [];
    return [
      renderTable(list.columns, list.rows),
      ...shown.map((p) => `Problem: ${p.source} ${singleLine(p.path)}: ${singleLine(p.reason)}`),
      '',
      totalOf(result),
      options.all === true ? 'Nothing was sent.' : 'Nothing was sent. Use --all for the list.',
    ];
  });
}

interface Listing {
  columns: Record<string, (row: readonly string[]) => string | undefined>;
  rows: (readonly string[])[];
}

function summaryOf(entities: readonly WireEntity[]): Listing {
  const kinds = [...Map.groupBy(entities, (entity) => entity.kind)];
  const rows = kinds.map(([kind, found]) => [kind, String(found.length)] as const);
  return {
    columns: { kind: (row) => row[0]?.replaceAll('_', ' '), count: (row) => row[1] },
    rows: rows.sort(([, a], [, b]) => Number(b) - Number(a)),
  };
}

function listOf(entities: readonly WireEntity[]): Listing {
  return {
    columns: {
      kind: (row) => row[0],
      source: (row) => row[1],
      name: (row) => row[2],
      version: (row) => row[3],
    },
    rows: entities.map((e) => [
      e.kind,
      e.source,
      singleLine(e.name),
      singleLine(e.version ?? null),
    ]),
  };
}

function totalOf({ entities, problems, coverage, durationMs }: ScanResult): string {
  const homes = new Set(coverage.flatMap((row) => row.owner ?? [])).size;
  const total = `${entities.length} items in ${homes} home folders and the system, in ${durationMs} ms`;
  return problems.length === 0 ? total : `${total}; ${problems.length} problems`;
}

/** Returns what a scan with these sources finds on this machine, within the settings of the tenant. */
export function scanHere(
  sources: readonly string[] | null,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  onWorker: MachineScan['onWorker'] = () => undefined,
): Promise<ScanResult> {
  return scanMachine({ sources, env, settings: readStoredSettings(dataDir), dataDir, onWorker });
}
