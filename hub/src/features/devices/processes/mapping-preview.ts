// POST C/process-mappings/preview: what a mapping would name, before it is stored. Looked at is what devices reported: the
// unknown groups, and the programs that run.
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type {
  ProcessMappingPreviewAnswer,
  ProcessMappingPreviewInput,
} from '@gatewarden/shared/wire/console/processes.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** Named in the answer; all are counted. */
const SHOWN = 50;

export interface KnownProcess {
  name: string;
  executable_path: string;
  platform: Platform;
  devices: number;
}

interface Looked {
  /** No more than were asked for. */
  found: readonly KnownProcess[];
  isAll: boolean;
}

type Tried = Pick<ProcessMappingPreviewAnswer, 'unknown' | 'running'>;

/** Pure. A process counts where the new mapping would decide about it among all that are there. */
export function tryMapping(
  input: ProcessMappingPreviewInput,
  mappings: readonly ProcessMapping[],
  looked: { unknown: Looked; running: Looked },
): Tried {
  const tried: ProcessMapping = {
    process_name: input.process_name.trim(),
    platform: input.platform ?? null,
    match: input.match,
    application_name: '',
    entity_id: null,
  };
  const all = [...mappings, tried];
  const part = ({ found, isAll }: Looked) => {
    const hit = found.filter(
      (process) =>
        findMapping([tried], process.platform, process.name) !== null &&
        findMapping(all, process.platform, process.name) === tried,
    );
    return {
      count: hit.length,
      at_least: !isAll,
      items: hit.slice(0, SHOWN).map((process) => ({
        ...process,
        /** The current name. */
        application_name:
          findMapping(mappings, process.platform, process.name)?.application_name ?? null,
      })),
    };
  };
  return { unknown: part(looked.unknown), running: part(looked.running) };
}
