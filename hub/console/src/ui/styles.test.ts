// Style sheets stay loaded after their page is left, so that a class name in two of them would depend on the last visited page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('defines each class in a single style sheet', () => {
  const root = join(import.meta.dirname, '..');
  const sheets = readdirSync(root, { recursive: true }).map(String);
  const places = new Map<string, string[]>();
  for (const sheet of sheets.filter((name) => name.endsWith('.css'))) {
    const text = readFileSync(join(root, sheet), 'utf8');
    const names = new Set([...text.matchAll(/^(\.gw-[\w-]+)(?= \{|,$)/gm)].map(([, name]) => name));
    for (const name of names) places.set(name ?? '', [...(places.get(name ?? '') ?? []), sheet]);
  }
  expect(places.size).toBeGreaterThan(50);
  expect([...places].filter(([, all]) => all.length > 1)).toEqual([]);
});
