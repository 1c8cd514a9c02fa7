import { expect, it } from 'vitest';
import { tryMapping } from './mapping-preview.ts';

const known = (name: string, platform: 'linux' | 'win32' = 'linux') => ({
  ...{ name, platform, executable_path: `/opt/${name}`, devices: 1 },
});
const nothing = { found: [], isAll: true };
const glob = (process_name: string, platform: 'linux' | null = null) => ({
  ...{ process_name, platform, match: 'glob' as const },
});

it('counts matches of a pattern on its platform only, ignoring case', () => {
  const found = [known('Helper-1'), known('helper-2'), known('helper-3', 'win32'), known('x')];
  const { unknown } = tryMapping(glob('HELPER-*', 'linux'), [], {
    unknown: { found, isAll: true },
    running: nothing,
  });
  expect(unknown).toMatchObject({ count: 2, at_least: false });
  expect(unknown.items.map((item) => item.name)).toEqual(['Helper-1', 'helper-2']);
});

it('leaves out matches of a nearer mapping, and names the current wider mapping', () => {
  const mappings = [
    {
      ...{ process_name: 'helper-1', platform: null, match: 'exact' as const },
      ...{ application_name: 'Exact', entity_id: null },
    },
    {
      ...{ process_name: 'h*', platform: null, match: 'glob' as const },
      ...{ application_name: 'Wide', entity_id: null },
    },
  ];
  const { running } = tryMapping(glob('helper-*'), mappings, {
    unknown: nothing,
    running: { found: [known('helper-1'), known('helper-2')], isAll: false },
  });
  expect(running).toMatchObject({
    count: 1,
    at_least: true,
    items: [{ name: 'helper-2', application_name: 'Wide' }],
  });
});

it('lists the first fifty matches and counts all', () => {
  const found = Array.from({ length: 80 }, (_, i) => known(`p${i}`));
  const { unknown } = tryMapping(glob('p*'), [], {
    unknown: { found, isAll: true },
    running: nothing,
  });
  expect([unknown.count, unknown.items.length]).toEqual([80, 50]);
});
