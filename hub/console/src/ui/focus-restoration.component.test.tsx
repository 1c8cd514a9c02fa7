// The focus stays in a list when its row is removed.
import { act, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { keepFocus } from './focus-restoration.ts';

function RowsThatGo() {
  const [rows, setRows] = useState(['one', 'two', 'three']);
  useEffect(keepFocus, []);
  return (
    <main>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <a href={`#${row}`}>{row}</a>
            <button type="button" onClick={() => setRows(rows.filter((kept) => kept !== row))}>
              remove {row}
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

it('moves the focus to the link of the next row when a row goes', async () => {
  const { user } = await renderPart(<RowsThatGo />);
  await user.click(screen.getByRole('button', { name: 'remove two' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'three' })),
  );
  act(() => screen.getByRole('button', { name: 'remove three' }).focus());
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'one' })),
  );
});
