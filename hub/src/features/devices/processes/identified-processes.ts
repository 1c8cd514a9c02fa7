// Name and path identify a process. The id that a device sends has the same meaning and is not trusted: with
// that of another program a device could have what others report called otherwise, or hidden behind what is mapped.
import { processId } from '@gatewarden/shared/identity.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

interface Named {
  process_id: string;
  name: string;
  executable_path: string;
}

export function identified<P extends Named>(platform: Platform, processes: readonly P[]): P[] {
  return processes.map((process) => ({
    ...process,
    process_id: processId(platform, process.name, process.executable_path),
  }));
}
