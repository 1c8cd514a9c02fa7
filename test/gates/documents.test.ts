// The documents are spelled correctly, use the glossary's words, contain no dates, are easy to read, and their links lead somewhere.
// Planted faults are reported.
import { expect, test } from 'vitest';
import {
  anchorsOf,
  type Documents,
  documentsGrown,
  findBrokenLinks,
  findDates,
  findMisspellings,
  findRetiredWords,
  measureDocuments,
  measureProse,
} from './documents.ts';
import { ROOT, withPlanted } from './planted.ts';
import { DOCUMENTS_BUDGET, readBudget } from './ratchet.ts';

test('no document has more exceptions than its budget', async () => {
  const budget = readBudget<Documents>(DOCUMENTS_BUDGET);
  expect(documentsGrown(await measureDocuments(ROOT), budget)).toEqual([]);
});

test('reports a document above its budget, and a document without a budget', () => {
  const budget: Documents = { 'docs/a.md': { links: 1 } };
  expect(documentsGrown({ 'docs/a.md': { links: 1 } }, budget)).toEqual([]);
  expect(documentsGrown({ 'docs/a.md': { links: 2 } }, budget)).toEqual([
    'docs/a.md: links 2 (budget: 1)',
  ]);
  expect(documentsGrown({ 'docs/b.md': { dates: 1 } }, budget)).toEqual([
    'docs/b.md: dates 1 (budget: 0)',
  ]);
});

test('reports a misspelled word outside code', async () => {
  const text = '# Title\n\nThe hub recieves `recieves` batches.\n\n```sh\nrecieves\n```\n';
  expect(await findMisspellings('docs/a.md', text)).toEqual(['recieves']);
});

test('reports retired words with the words to use instead', () => {
  expect(findRetiredWords('The agent tells the hub.')).toEqual(['tells: use report, notify, show']);
  expect(findRetiredWords('Standing still, the hold stays.')).toEqual([]);
});

test.each([
  ['docs/how-to/a.md', 'Added on 2026-01-31.', ['2026-01-31']],
  ['docs/how-to/a.md', 'Added in March 2026.', ['March 2026']],
  ['docs/how-to/a.md', 'MCP revision 2025-06-18.', []],
  ['docs/adr/0001-a.md', '**Status:** accepted, 2026-01-31', []],
  ['CHANGELOG.md', '## 0.1.0 (2026-01-31)', []],
])('finds dates in %s: %s', (path, text, dates) => {
  expect(findDates(path, text)).toEqual(dates);
});

test('measures sentences and paragraphs, but not headings, tables and code', () => {
  const sentence = `${'word '.repeat(30)}.`;
  expect(measureProse('docs/a.md', sentence)).toMatchObject({ sentences: 30, paragraphs: 0 });
  expect(measureProse('docs/a.md', `${'Two words. '.repeat(50)}`)).toMatchObject({
    sentences: 0,
    paragraphs: 1,
  });
  const others = `# ${sentence}\n\n| ${sentence} |\n\n\`\`\`\n${sentence}\n\`\`\`\n`;
  expect(measureProse('docs/a.md', others)).toMatchObject({ sentences: 0, paragraphs: 0 });
});

test('reports links to missing files and missing anchors', () => {
  const files = {
    'docs/a.md': '# A\n\n## What `code` does\n\n<a id="own"></a>\n',
    'docs/how-to/b.md':
      '[1](../a.md#what-code-does) [2](../a.md#own) [3](../a.md#none) [4](none.md) [5](https://example.com) [6](/console/) `[7](x.md)`',
  };
  withPlanted(files, ({ folder }) => {
    expect(findBrokenLinks(folder, 'docs/how-to/b.md', files['docs/how-to/b.md'])).toEqual([
      '../a.md#none',
      'none.md',
    ]);
  });
});

test('makes anchors as GitHub does', () => {
  const anchors = anchorsOf('# Back up & restore\n## A\n## A\n### 1. [Start](x.md) `now`\n');
  expect([...anchors]).toEqual(['back-up--restore', 'a', 'a-1', '1-start-now']);
});
