// A whole scan without children: what tests run on fixture trees, through the same looks and the same putting together.

import type { Report, Source } from '../source-contract.ts';
import { assemble, type ScanResult } from './entity-assembler.ts';
import { runSources, type ScanContext } from './source-runner.ts';

export interface Clock {
  now(): Date;
  monotonicMs(): number;
}

/** Runs the sources and puts together what they found. An unchanged machine gives byte-equal entities. */
export async function scan(
  sources: readonly Source[],
  context: ScanContext,
  clock: Clock,
): Promise<ScanResult> {
  const startedAt = clock.now();
  const startMs = clock.monotonicMs();
  const reports: Report[] = [];
  for await (const report of runSources(sources, context, clock.monotonicMs)) reports.push(report);
  return assemble(reports, {
    platform: context.platform,
    root: context.root,
    homes: context.homes,
    startedAt,
    durationMs: Math.round(clock.monotonicMs() - startMs),
  });
}
