// Builds the documentation site into hub/site/dist when its sources changed since the last build. The hub serves it under /docs/.
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOnce } from '../build-once.ts';
import { compressFiles } from '../compress-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'hub/site');
const PAGES = join(SITE, '.pages');
const DIST = join(SITE, 'dist');
const SOURCES = [
  'docs/**/*',
  '*.md',
  'hub/site/package.json',
  'hub/site/.vitepress/{config.ts,theme/*}',
  'scripts/docs/{build-site,site-pages}.ts',
];

/** Returns `built`, `fresh`, or `skipped` if the site generator is not installed. */
export function buildSite(): Promise<'built' | 'fresh' | 'skipped'> {
  return buildOnce(
    join(DIST, '.sources'),
    SOURCES,
    async ({ build }: typeof import('vitepress')) => {
      const { llmsText, navigationOf, readSite } = await import('./site-pages.ts');
      const { pages, pictures } = readSite(ROOT);
      rmSync(PAGES, { recursive: true, force: true });
      for (const { path, text } of pages) write(join(PAGES, path), text);
      for (const [path, content] of pictures) write(join(PAGES, 'public', path), content);
      write(join(PAGES, 'navigation.json'), JSON.stringify(navigationOf(pages)));
      await build(SITE);
      moveInlineParts(DIST);
      for (const { path, text } of pages) write(join(DIST, path), text);
      write(join(DIST, 'llms.txt'), llmsText(pages));
      compressFiles(DIST);
    },
    () => import('vitepress'),
  );
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const INLINE_STYLE = /\sstyle="([^"]*)"/g;

/**
 * Moves inline scripts and style attributes of all pages into files: the console's security policy allows neither. Each file has
 * the hash of its content in its name.
 */
function moveInlineParts(dist: string): void {
  const styles = new Map<string, string>();
  const pages = globSync('**/*.html', { cwd: dist });
  for (const page of pages) {
    const file = join(dist, page);
    const html = readFileSync(file, 'utf8')
      .replace(INLINE_SCRIPT, (_, attributes: string, code: string) => {
        const name = `assets/inline-${hashOf(code)}.js`;
        write(join(dist, name), code);
        return `<script${attributes} src="/docs/${name}"></script>`;
      })
      .replace(INLINE_STYLE, (_, style: string) => {
        const name = `inline-${hashOf(style)}`;
        styles.set(name, style);
        return ` data-style="${name}"`;
      });
    writeFileSync(file, html);
  }
  const rules = [...styles].sort().map(([name, style]) => `[data-style="${name}"]{${style}}`);
  const colors = readFileSync(join(dist, 'assets/code-colors.css'), 'utf8');
  const css = `${colors}\n${rules.join('\n')}\n`;
  const name = `assets/inline-${hashOf(css)}.css`;
  write(join(dist, name), css);
  const link = `<link rel="stylesheet" href="/docs/${name}">`;
  for (const page of pages) {
    const file = join(dist, page);
    writeFileSync(file, readFileSync(file, 'utf8').replace('</head>', `${link}</head>`));
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

if (import.meta.main) {
  const outcome = await buildSite();
  if (outcome === 'skipped') {
    process.stderr.write('the documentation site was not built: vitepress is not installed\n');
  }
}
