import { describe, expect, it } from 'vitest';
import { fitColumns } from './column-widths.ts';

const columns = (...sizes: [content: number, weight: number, least?: number][]) =>
  sizes.map(([content, weight, least = 144]) => ({ content, weight, least }));

describe('fitColumns', () => {
  it('gives each column its content, and shares the remaining width by weight', () => {
    expect(fitColumns(columns([100, 1], [200, 3]), 400)).toEqual([125, 275]);
  });

  it('keeps the content of narrow columns, and shrinks wide columns by weight', () => {
    expect(fitColumns(columns([50, 1], [400, 1], [644, 2]), 638)).toEqual([50, 244, 344]);
  });

  it('passes the room of a satisfied column on to the other columns', () => {
    expect(fitColumns(columns([100, 1], [164, 1], [900, 2]), 800)).toEqual([100, 164, 536]);
  });

  it('grows a column to its least width before long content of other columns', () => {
    expect(fitColumns(columns([400, 1, 300], [400, 3]), 500)).toEqual([314, 186]);
    expect(fitColumns(columns([400, 1, 60], [144, 1]), 204)).toEqual([60, 144]);
  });

  it('keeps the width of buttons, and shrinks other columns in their favor', () => {
    const [text, buttons] = columns([300, 1], [180, 1]);
    if (text === undefined || buttons === undefined) throw new Error('two columns are given');
    expect(fitColumns([text, { ...buttons, isFixed: true }], 330)).toEqual([150, 180]);
  });

  it('shows addresses whole before other columns grow beyond the narrow width', () => {
    const [user, text] = columns([208, 1], [400, 9, 300]);
    if (user === undefined || text === undefined) throw new Error('two columns are given');
    expect(fitColumns([{ ...user, isEmail: true }, text], 408)).toEqual([208, 200]);
  });

  it('shrinks every column where not even narrow columns fit', () => {
    expect(fitColumns(columns([900, 1], [900, 2], [900, 1]), 160)).toEqual([40, 80, 40]);
    expect(fitColumns(columns([40, 1], [900, 1], [900, 1]), 240)).toEqual([40, 100, 100]);
  });
});
