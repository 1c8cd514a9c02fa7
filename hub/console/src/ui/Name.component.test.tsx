// Names that machines and people give: shown as text, with characters that cannot be seen written out.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { Json } from './Json.tsx';
import { Name } from './Name.tsx';
import { Page } from './Page.tsx';

const HOSTILE = '<img src=x onerror="alert(1)">\u202egpj.exe';
const SHOWN = '<img src=x onerror="alert(1)">[U+202E]gpj.exe';

it('shows markup in a name as text and writes direction marks out', async () => {
  await renderPart(<Name value={HOSTILE} clamp />);
  const name = screen.getByText(SHOWN);
  expect(name.tagName).toBe('BDI');
  expect(name.getAttribute('title')).toBe(SHOWN);
  expect(document.querySelector('img')).toBe(null);
});

it('shows a hostile name as text in headings, titles and records', async () => {
  await renderPart(
    <Page title={HOSTILE}>
      <Json value={{ name: HOSTILE }} label={HOSTILE} />
    </Page>,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(SHOWN);
  expect(document.title).toContain(SHOWN);
  expect(screen.getByRole('region', { name: SHOWN }).textContent).toContain('[U+202E]');
  expect(document.querySelector('img')).toBe(null);
});

it('shows an empty name as not known', async () => {
  await renderPart(<Name value="" />);
  expect(screen.getByText(texts.ui.unknown)).toBeTruthy();
});
