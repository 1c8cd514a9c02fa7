import { describe, expect, it } from 'vitest';
import { shownVersions, VERSIONS_SHOWN } from './shown-versions.ts';

const counted = (version: string | null, device_count: number) => ({ version, device_count });

describe('shown versions of a product', () => {
  it('shows all of a few versions, the newest first', () => {
    const read = [counted('9.1', 5), counted('10.0', 2), counted(null, 1)];
    expect(shownVersions(read).map((row) => row.version)).toEqual(['10.0', '9.1', null]);
    expect(shownVersions([])).toEqual([]);
  });

  it('shows the most common versions, on a tie the newest', () => {
    const rare = Array.from({ length: 40 }, (_, i) => counted(`${i}.0`, 1));
    const byText = rare.toSorted((a, b) => ((a.version ?? '') < (b.version ?? '') ? 1 : -1));
    const shown = shownVersions([counted('0.1', 9), counted('3.5', 2), ...byText]);
    expect(shown).toHaveLength(VERSIONS_SHOWN);
    expect(shown.map((row) => row.version)).toEqual([
      ...Array.from({ length: 18 }, (_, i) => `${39 - i}.0`),
      '3.5',
      '0.1',
    ]);
  });
});
