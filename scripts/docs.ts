// `npm run docs`: writes the generated pages of docs/reference, and builds the site that the hub serves under /docs/. With --check
// it writes and builds nothing, and exits with 1 if a stored page differs from the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from './docs/build-site.ts';
import { referencePages } from './docs/pages.ts';
import { firstDifference } from './dump.ts';

const ROOT = join(import.meta.dirname, '..');

const pages = await referencePages();
if (process.argv.includes('--check')) {
  const difference = firstDifference(pages, ROOT, 'npm run docs');
  process.stdout.write(`${difference ?? 'the reference pages are up to date'}\n`);
  if (difference !== null) process.exitCode = 1;
} else {
  for (const { path, text } of pages) writeFileSync(join(ROOT, path), text);
  process.stdout.write(`${pages.length} reference pages written\n`);
  process.stdout.write(`site: ${await buildSite()}\n`);
}
