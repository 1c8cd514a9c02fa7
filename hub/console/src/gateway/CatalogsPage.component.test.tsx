// Imported smart groups and custom definitions are shown as columns.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { respondWith } from '../testing/responder.ts';
import { CatalogsPage } from './CatalogsPage.tsx';

const page = (items: object[]) => ({ items, next_cursor: null, has_more: false, total: null });

it('shows members of a group, patterns of a definition, and the number of exact values', async () => {
  const members = Array.from({ length: 7 }, (_, i) => `user${i}@example.com`);
  respondWith(
    'GET /gateway/smart-groups',
    page([{ group_name: 'Finance', description: null, members, rules: null }]),
  );
  const definition = { description: 'Ours', kind: null };
  respondWith(
    'GET /gateway/custom-definitions',
    page([
      { ...definition, edm_id: 'project', name: 'Projects', patterns: [{ pattern: 'PRJ-[0-9]+' }] },
      { ...definition, edm_id: 'clients', name: 'Clients', values_count: 30 },
    ]),
  );
  await renderPart(<CatalogsPage />, 'Viewer');
  await screen.findByText('Finance');
  for (const text of ['user4@example.com', 'and 2 more', 'PRJ-[0-9]+', '30 exact values']) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.queryByText('user5@example.com')).toBeNull();
});
