// A moment on a page: relative, exact on hover, and true while the page stays open.
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { Time } from './Time.tsx';
import { timeText } from './time-text.ts';

afterEach(() => {
  vi.useRealTimers();
});

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

function atNow() {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
}

it('shows the relative time, with the local and the exact one as its title', async () => {
  atNow();
  const at = ago(3 * 3600);
  await renderPart(<Time at={at} />);
  const text = timeText(at, NOW);
  const time = screen.getByText(text?.relative ?? '');
  expect(time.getAttribute('datetime')).toBe('2026-03-01T07:00:00Z');
  expect(time.getAttribute('title')).toBe(`${text?.local} · ${text?.utc}`);
});

it('updates a relative time while the page stays open', async () => {
  atNow();
  const at = ago(50);
  await renderPart(<Time at={at} />);
  expect(screen.getByText(timeText(at, NOW)?.relative ?? '')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(screen.getByText(timeText(at, NOW + 120_000)?.relative ?? '')).toBeTruthy();
});

it('shows no moment as never and an unreadable one as it is', async () => {
  await renderPart(
    <>
      <Time at={null} />
      <Time at="soon" />
    </>,
  );
  expect(screen.getByText(texts.ui.never)).toBeTruthy();
  expect(screen.getByText('soon')).toBeTruthy();
});

it('shows that a planned moment is due once it has come', async () => {
  atNow();
  await renderPart(<Time at={ago(5)} due={texts.ui.due} />);
  expect(screen.getByText(texts.ui.due)).toBeTruthy();
});

it('shows the local time beside the relative one where there is room', async () => {
  atNow();
  const at = ago(60);
  await renderPart(<Time at={at} full />);
  const text = timeText(at, NOW);
  expect(screen.getByText(`${text?.local} (${text?.relative})`)).toBeTruthy();
});
