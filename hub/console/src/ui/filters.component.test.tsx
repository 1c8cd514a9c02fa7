// Filters of a list update the address shortly after input, and follow the address.
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { DayFilter } from './DayFilter.tsx';
import { Filter } from './Filter.tsx';
import { SearchBox } from './SearchBox.tsx';
import { TextFilter } from './TextFilter.tsx';
import { TimeFilter } from './TimeFilter.tsx';
import { fromLocalInput, toLocalInput } from './time-text.ts';

type Value = string | undefined;
const onChange = () => vi.fn<(value: Value) => void>();
const field = () => screen.getByLabelText('Filter') as HTMLInputElement;

it('sends a search once, a moment after the last letter', async () => {
  const changed = onChange();
  const { user } = await renderPart(
    <SearchBox label="Filter" value={undefined} onChange={changed} />,
  );
  await user.type(field(), 'curl');
  expect(changed).not.toHaveBeenCalled();
  await waitFor(() => expect(changed).toHaveBeenCalled());
  expect(changed.mock.calls).toEqual([['curl']]);
});

it('clears a search by its button', async () => {
  const changed = onChange();
  const { user } = await renderPart(<SearchBox label="Filter" value="curl" onChange={changed} />);
  await user.click(screen.getByRole('button', { name: texts.ui.clearSearch }));
  expect(field().value).toBe('');
  await waitFor(() => expect(changed.mock.calls).toEqual([[undefined]]));
});

/** Renders a search box, and a link that changes its address. */
function AddressedSearch() {
  const [value, setValue] = useState<Value>('first');
  return (
    <>
      <button type="button" onClick={() => setValue('second')}>
        Link
      </button>
      <SearchBox label="Filter" value={value} onChange={setValue} />
    </>
  );
}

it('follows an address that changes elsewhere and keeps what is being typed', async () => {
  const { user } = await renderPart(<AddressedSearch />);
  await user.click(screen.getByRole('button', { name: 'Link' }));
  expect(field().value).toBe('second');
  await user.type(field(), ' more ');
  await waitFor(() => expect(field().value).toBe('second more '));
});

it('sends a typed filter without the spaces around it', async () => {
  const changed = onChange();
  const { user } = await renderPart(
    <TextFilter label="Filter" value={undefined} onChange={changed} />,
  );
  await user.type(field(), ' ada ');
  await waitFor(() => expect(changed.mock.calls).toEqual([['ada']]));
});

it('sends a time of the viewer’s zone as an instant in UTC', async () => {
  const changed = onChange();
  const { user } = await renderPart(
    <TimeFilter label="Filter" value={undefined} onChange={changed} />,
  );
  await user.type(field(), '2026-03-01T10:30');
  await waitFor(() =>
    expect(changed.mock.calls).toEqual([[fromLocalInput('2026-03-01T10:30') ?? '']]),
  );
});

it('shows the instant of the address in the viewer’s zone', async () => {
  await renderPart(
    <TimeFilter label="Filter" value="2026-03-01T10:30:00.000Z" onChange={() => undefined} />,
  );
  expect(field().value).toBe(toLocalInput('2026-03-01T10:30:00.000Z'));
});

it('sends a day as it is typed, and no year of antiquity', async () => {
  const changed = onChange();
  const { user } = await renderPart(
    <DayFilter label="Filter" value={undefined} onChange={changed} />,
  );
  await user.type(field(), '0202-03-01');
  await user.tab();
  expect(changed).not.toHaveBeenCalled();
  await user.type(field(), '2026-03-01');
  await user.tab();
  expect(changed.mock.calls).toEqual([['2026-03-01']]);
});

it('shows the day of the address again when an impossible one is left', async () => {
  const { user } = await renderPart(
    <DayFilter label="Filter" value="2026-03-01" onChange={() => undefined} error="Too long" />,
  );
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await user.clear(field());
  await user.tab();
  expect(field().value).toBe('2026-03-01');
});

it('offers every value and the choice of all', async () => {
  const changed = onChange();
  const { user } = await renderPart(
    <Filter
      label="Filter"
      values={['on', 'off']}
      names={{ on: 'On', off: 'Off' }}
      value="on"
      onChange={changed}
    />,
  );
  const select = screen.getByRole('combobox', { name: 'Filter' });
  expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual([
    texts.ui.all,
    'On',
    'Off',
  ]);
  await user.selectOptions(select, 'off');
  await user.selectOptions(select, texts.ui.all);
  expect(changed.mock.calls).toEqual([['off'], [undefined]]);
});

it('removes a chosen filter by its button, which an unused filter lacks', async () => {
  const changed = onChange();
  const names = { a: 'First', b: 'Second' };
  const filter = (value: 'a' | 'b' | undefined) => (
    <Filter label="Filter" values={['a', 'b']} names={names} value={value} onChange={changed} />
  );
  const { user } = await renderPart(filter('a'));
  await user.click(screen.getByRole('button', { name: texts.ui.removeFilter('Filter') }));
  expect(changed.mock.calls).toEqual([[undefined]]);
  await renderPart(filter(undefined));
  expect(screen.getAllByRole('button', { name: texts.ui.removeFilter('Filter') })).toHaveLength(1);
});
