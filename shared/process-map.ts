// Selects the process mapping that applies to a process. The agent correlates with it, and the hub hides mapped
// programs.
import { foldName, globMatches } from './names.ts';
import type { ProcessMapping } from './wire/sync/process-map.ts';
import type { Platform } from './wire/vocabulary.ts';

/**
 * Returns the deciding mapping, or null. Precedence: exact match before glob, a platform before none, then the longer
 * pattern.
 */
export function findMapping<M extends ProcessMapping>(
  mappings: Iterable<M>,
  platform: Platform,
  processName: string,
): M | null {
  const name = foldName(processName);
  let best: M | null = null;
  for (const mapping of mappings) {
    if (mapping.platform !== null && mapping.platform !== platform) continue;
    const fits =
      mapping.match === 'exact'
        ? foldName(mapping.process_name) === name
        : globMatches(mapping.process_name, name);
    if (fits && (best === null || rank(mapping) > rank(best))) best = mapping;
  }
  return best;
}

function rank(mapping: ProcessMapping): number {
  return (
    (mapping.match === 'exact' ? 1e6 : 0) +
    (mapping.platform !== null ? 1e5 : 0) +
    foldName(mapping.process_name).length
  );
}
