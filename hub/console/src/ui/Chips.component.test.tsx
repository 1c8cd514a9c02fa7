// Chips on a single line: which chips fit, and how the others are named.
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { Chips, fittingChips } from './Chips.tsx';

const line = { available: 200, gap: 4, more: 30 };

describe('fittingChips', () => {
  it('returns all chips where the line has room for them', () => {
    expect(fittingChips([60, 60, 72], line)).toEqual([0, 1, 2]);
    expect(fittingChips([], line)).toEqual([]);
  });

  it('leaves room for the chip that counts the others', () => {
    expect(fittingChips([60, 60, 80], line)).toEqual([0, 1]);
    expect(fittingChips([60, 120, 80], line)).toEqual([0, 2]);
  });

  it('shows no part of a chip that is wider than the line', () => {
    expect(fittingChips([220], line)).toEqual([]);
    expect(fittingChips([220, 60], line)).toEqual([1]);
  });
});

it('shows every chip where the document has no layout', async () => {
  await renderPart(
    <Chips
      chips={[
        { key: 'a', label: 'Remote server', tone: 'warn' },
        { key: 'b', label: 'Unsigned', tone: 'warn' },
      ]}
    />,
  );
  expect(screen.getByText('Remote server')).toBeTruthy();
  expect(screen.getByText('Unsigned').closest('[data-over]')).toBe(null);
});
