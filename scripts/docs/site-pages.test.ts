// Pages of the site: links lead to pages of the site or to the hub, diagrams are pictures without requests, menus are complete.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { llmsText, navigationOf, readSite } from './site-pages.ts';

function siteOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'gw-site-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readSite(root);
}

const textOf = ({ pages }: ReturnType<typeof readSite>, path: string) =>
  pages.find((page) => page.path === path)?.text ?? '';

test('rewrites links for the site', () => {
  const site = siteOf({
    'ARCHITECTURE.md': '# Architecture\n[docs](docs/index.md)',
    'docs/index.md':
      '# Start\n[a](how-to/a.md#step) [architecture](../ARCHITECTURE.md) [code](../hub/x.ts) [web](https://example.com) [op](/console/api-reference/listDevices)',
    'docs/how-to/a.md': '# A\n![picture](../pictures/p.png)\n\n```md\n[kept](../x.md)\n```\n',
    'docs/pictures/p.png': 'picture',
    'hub/x.ts': '',
  });
  expect(textOf(site, 'index.md')).toBe(
    '# Start\n[a](./how-to/a.md#step) [architecture](./project/architecture.md) code [web](https://example.com) <a href="/console/api-reference/listDevices" target="_self">op</a>',
  );
  expect(textOf(site, 'project/architecture.md')).toContain('[docs](../index.md)');
  expect(textOf(site, 'how-to/a.md')).toContain('![picture](/pictures/p.png)');
  expect(textOf(site, 'how-to/a.md')).toContain('[kept](../x.md)');
  expect([...site.pictures.keys()]).toEqual(['pictures/p.png']);
});

test('draws diagrams for both color schemes without a request, and keeps invalid diagrams as text', () => {
  const site = siteOf({
    'docs/index.md':
      '# Start\n```mermaid\nflowchart LR\n  A --> B\n```\n\n```mermaid\nno diagram\n```\n',
  });
  const text = textOf(site, 'index.md');
  expect(text.match(/<img class="diagram-(light|dark)" src="\/diagrams\/[0-9a-f]+-/g)).toHaveLength(
    2,
  );
  expect(text).toContain('```mermaid\nno diagram');
  for (const picture of site.pictures.values()) {
    expect(String(picture)).not.toMatch(/@import|https?:\/\/(?!www\.w3\.org)/);
  }
});

test('lists every page in the menus and in llms.txt', () => {
  const { pages } = siteOf({
    'docs/index.md': '# Start',
    'docs/how-to/index.md': '# How-to guides',
    'docs/how-to/b.md': '# Back up',
    'docs/other/x.md': '# Other page',
  });
  const { nav, sidebar } = navigationOf(pages);
  expect(nav).toEqual([{ text: 'How-to guides', link: '/how-to/' }]);
  expect(sidebar.map(({ text }) => text)).toEqual(['How-to guides', 'other']);
  expect(sidebar[0]?.items).toEqual([
    { text: 'Overview', link: '/how-to/' },
    { text: 'Back up', link: '/how-to/b' },
  ]);
  expect(llmsText(pages)).toContain('- [Back up](/docs/how-to/b.md)');
});

test('creates a start page if there is none', () => {
  expect(textOf(siteOf({ 'docs/a.md': '# A' }), 'index.md')).toContain('- [A](a.md)');
});
