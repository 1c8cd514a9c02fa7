// Builds pages when their sources changed since the last build; otherwise does nothing, quickly.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Returns `built`, `fresh` if nothing changed, or `skipped` if the build tool is not installed. `sources`: globs below the root.
 * `load` imports the build tool, which is passed to `build`.
 */
export async function buildOnce<Tool>(
  stamp: string,
  sources: readonly string[],
  build: (tool: Tool) => Promise<unknown>,
  load: () => Promise<Tool>,
): Promise<'built' | 'fresh' | 'skipped'> {
  const fingerprint = fingerprintOf(sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return 'fresh';
  let tool: Tool;
  try {
    tool = await load();
  } catch {
    return 'skipped';
  }
  await build(tool);
  writeFileSync(stamp, fingerprint);
  return 'built';
}

function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  const files = globSync([...sources], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}
