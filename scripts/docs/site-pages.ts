// Pages of the documentation site from docs/ and the documents at the top of the repository: links are rewritten for the site,
// Mermaid diagrams become pictures. Pure, except for reading files.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';

export interface SitePage {
  /** Below the site, such as `how-to/install.md`. */
  path: string;
  title: string;
  text: string;
}

export interface SiteFiles {
  pages: SitePage[];
  /** Pictures: path below the site to content. */
  pictures: Map<string, Buffer | string>;
}

/** Documents outside docs/, with their addresses on the site. */
const PROJECT: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'project/architecture.md',
  'CHANGELOG.md': 'project/changelog.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'SECURITY.md': 'project/security.md',
};

/** Reads all pages of a checkout. */
export function readSite(root: string): SiteFiles {
  const pictures = new Map<string, Buffer | string>();
  const documents = [
    ...globSync('docs/**/*.md', { cwd: root }),
    ...Object.keys(PROJECT).filter((path) => existsSync(join(root, path))),
  ].sort();
  const pages = documents.map((source) => {
    const text = readFileSync(join(root, source), 'utf8');
    const linked = rewriteLinks(text, source, root, pictures);
    return {
      path: siteAddress(source) ?? source,
      title: titleOf(text, source),
      text: drawDiagrams(linked, pictures),
    };
  });
  if (!pages.some(({ path }) => path === 'index.md')) pages.push(startPage(pages));
  return { pages, pictures };
}

/** Returns the title of a page: its first heading. */
export function titleOf(text: string, path: string): string {
  const heading = /^# (.+)$/m.exec(text)?.[1];
  return heading?.replaceAll('`', '') ?? posix.basename(path, '.md');
}

/** Returns where a file of the repository is on the site; null if it is not there. */
function siteAddress(source: string): string | null {
  const project = PROJECT[source];
  if (project !== undefined) return project;
  if (!source.startsWith('docs/')) return null;
  return source.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}

function startPage(pages: readonly SitePage[]): SitePage {
  const links = pages.map(({ path, title }) => `- [${title}](${path})`);
  return {
    path: 'index.md',
    title: 'Documentation',
    text: `# Documentation\n\n${links.join('\n')}\n`,
  };
}

const LINK = /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g;
const FENCE = /^(```|~~~)[\s\S]*?^\1[ \t]*$/gm;

/** Applies `change` to the text outside fenced code blocks. */
export function outsideCode(text: string, change: (part: string) => string): string {
  let end = 0;
  let result = '';
  for (const fence of text.matchAll(FENCE)) {
    result += change(text.slice(end, fence.index)) + fence[0];
    end = fence.index + fence[0].length;
  }
  return result + change(text.slice(end));
}

function rewriteLinks(
  text: string,
  source: string,
  root: string,
  pictures: SiteFiles['pictures'],
): string {
  return outsideCode(text, (part) =>
    part.replace(LINK, (link, image: string, label: string, target: string) => {
      // Addresses of the hub itself open as pages of the hub, not of the site.
      if (target.startsWith('/')) return hubLink(target, label);
      if (/^([a-z]+:|#)/.test(target)) return link;
      const place = { source, root, pictures };
      return relativeLink({ isImage: image !== '', label, target }, place) ?? label;
    }),
  );
}

/** Returns a link from a page to a file of the repository; null if the file is not on the site. */
function relativeLink(
  { isImage, label, target }: { isImage: boolean; label: string; target: string },
  { source, root, pictures }: { source: string; root: string; pictures: SiteFiles['pictures'] },
): string | null {
  const [path = '', hash] = target.split('#');
  const file = posix.join(posix.dirname(source), path);
  const address = siteAddress(file);
  const isFile = existsSync(join(root, file)) && statSync(join(root, file)).isFile();
  if (address === null || !isFile) return null;
  if (!address.endsWith('.md')) {
    pictures.set(address, readFileSync(join(root, file)));
    return isImage ? `![${label}](/${address})` : hubLink(`/docs/${address}`, label);
  }
  const here = posix.dirname(siteAddress(source) ?? source);
  return `[${label}](${relative(here, address)}${hash === undefined ? '' : `#${hash}`})`;
}

/** Returns a link that the browser follows itself: the target is no page of the site. */
const hubLink = (target: string, label: string): string =>
  `<a href="${target}" target="_self">${label.replace(/`([^`]*)`/g, '<code>$1</code>')}</a>`;

function relative(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

const COLORS = {
  light: { bg: '#ffffff', fg: '#27272a', transparent: true },
  dark: { bg: '#1b1b1f', fg: '#dfdfd6', transparent: true },
} as const;

/** Replaces Mermaid blocks by pictures for both color schemes; a block that cannot be drawn stays as text. */
function drawDiagrams(text: string, pictures: SiteFiles['pictures']): string {
  return text.replace(/^```mermaid\n([\s\S]*?)^```$/gm, (block, diagram: string) => {
    const id = createHash('sha256').update(diagram).digest('hex').slice(0, 16);
    try {
      for (const [scheme, colors] of Object.entries(COLORS)) {
        pictures.set(
          `diagrams/${id}-${scheme}.svg`,
          withoutImports(renderMermaidSVG(diagram, colors)),
        );
      }
    } catch {
      return block;
    }
    return Object.keys(COLORS)
      .map(
        (scheme) =>
          `<img class="diagram-${scheme}" src="/diagrams/${id}-${scheme}.svg" alt="Diagram">`,
      )
      .join('\n');
  });
}

/** Removes the request for a font: pages work without a network. */
const withoutImports = (svg: string): string => svg.replace(/^\s*@import [^\n]*\n/gm, '');

interface Item {
  text: string;
  link: string;
}

export interface Navigation {
  nav: Item[];
  sidebar: { text: string; collapsed: boolean; items: Item[] }[];
}

/** Sections in their order; other folders follow by name. */
const SECTIONS: readonly (readonly [folder: string, text: string])[] = [
  ['tutorials', 'Tutorials'],
  ['how-to', 'How-to guides'],
  ['reference', 'Reference'],
  ['explanation', 'Explanation'],
  ['adr', 'Decision records'],
  ['project', 'Project'],
];

/** Returns the menus of the site: a section for each folder, pages by title, its index first. */
export function navigationOf(pages: readonly SitePage[]): Navigation {
  const folders = Map.groupBy(pages, ({ path }) =>
    path.includes('/') ? (path.split('/')[0] ?? '') : '',
  );
  const known = SECTIONS.filter(([folder]) => folders.has(folder));
  const others = [...folders.keys()]
    .filter((folder) => folder !== '' && !SECTIONS.some(([name]) => name === folder))
    .sort()
    .map((folder) => [folder, folder] as const);
  const top = (folders.get('') ?? []).filter(({ path }) => path !== 'index.md');
  return {
    nav: known
      .filter(([folder]) => folder !== 'project')
      .map(([folder, text]) => ({ text, link: linkOf(firstOf(folders.get(folder) ?? [])) })),
    sidebar: [
      ...(top.length === 0 ? [] : [section('Documentation', top)]),
      ...[...known, ...others].map(([folder, text]) => section(text, folders.get(folder) ?? [])),
    ],
  };
}

const isIndex = ({ path }: SitePage) => path.endsWith('index.md');
const firstOf = (pages: readonly SitePage[]) => pages.find(isIndex) ?? pages[0];
const linkOf = (page: SitePage | undefined) =>
  `/${(page?.path ?? '').replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

function section(text: string, pages: readonly SitePage[]): Navigation['sidebar'][number] {
  const sorted = [...pages].sort(
    (a, b) => Number(isIndex(b)) - Number(isIndex(a)) || a.title.localeCompare(b.title, 'en'),
  );
  const items = sorted.map((page) => ({
    text: isIndex(page) ? 'Overview' : page.title,
    link: linkOf(page),
  }));
  return { text, collapsed: true, items };
}

/** Returns llms.txt (llmstxt.org): an index of the Markdown pages beside it. */
export function llmsText(pages: readonly SitePage[]): string {
  const sections = Map.groupBy(pages, ({ path }) =>
    path.includes('/') ? (path.split('/')[0] ?? '') : 'start',
  );
  const titles = new Map(SECTIONS);
  const lines = [...sections].flatMap(([folder, list]) => [
    `## ${titles.get(folder) ?? 'Start'}`,
    '',
    ...list.map(({ path, title }) => `- [${title}](/docs/${path})`),
    '',
  ]);
  return [
    '# Gatewarden',
    '',
    "> Shows and controls the applications, AI tools and MCP servers on a company's machines, and the AI traffic they cause.",
    '',
    'The pages are Markdown at the addresses below. The HTTP APIs are described at `/openapi.json`, errors at `/errors.json`.',
    '',
    ...lines,
  ].join('\n');
}
