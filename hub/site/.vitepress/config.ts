// Configuration of the documentation site. scripts/docs/build-site.ts prepares pages and navigation in .pages/ before the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';

const SITE = join(import.meta.dirname, '..');
const navigation = JSON.parse(readFileSync(join(SITE, '.pages/navigation.json'), 'utf8'));

/** Collects the colors of code as classes: the security policy forbids style attributes. */
const codeColors = transformerStyleToClass({ classPrefix: 'code-' });

export default defineConfig({
  base: '/docs/',
  title: 'Gatewarden',
  description: 'Documentation of Gatewarden',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  // Page data in files of their own: the security policy forbids inline scripts.
  metaChunk: true,
  // Links are checked by test/gates/links.test.ts, also those outside the site.
  ignoreDeadLinks: true,
  // The theme would pause transitions with an injected <style>, which the security policy forbids.
  appearance: { disableTransition: false },
  markdown: {
    codeTransformers: [codeColors],
    anchor: { slugify: (title: string) => slug(title) },
  },
  themeConfig: {
    nav: navigation.nav,
    sidebar: navigation.sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
  vite: {
    logLevel: 'warn',
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4_000 },
  },
  buildEnd: async ({ outDir }) => {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(outDir, 'assets/code-colors.css'), codeColors.getCSS());
  },
});
