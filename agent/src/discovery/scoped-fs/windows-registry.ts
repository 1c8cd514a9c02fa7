// Opens the registry of this machine.
import type { ReadRegistry } from './registry-key.ts';

/** Returns the reader of this machine's registry; null where the system has none. */
export async function openLiveRegistry(): Promise<ReadRegistry | null> {
  if (process.platform !== 'win32') return null;
  return (await import('../../native/windows/registry.ts')).readRegistryTree;
}
