// Labels of scheduled jobs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobLabel } from './job-labels.ts';

const SOURCES = [
  '../../../src/app/scheduled-jobs.ts',
  '../../../src/features/mcp/sessions/jobs.ts',
];

test('labels each job that the hub schedules', () => {
  const code = SOURCES.map((path) => readFileSync(new URL(path, import.meta.url), 'utf8')).join(
    '\n',
  );
  const names = [...code.matchAll(/name: '([a-z-]+)',\s+cron:/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(30);
  const inWords = names.filter(
    (name) => jobLabel(name).toLowerCase() === name.replaceAll('-', ' '),
  );
  expect(inWords).toEqual([]);
});

test('shows a job of another release in words', () => {
  expect(jobLabel('moon-phases')).toBe('Moon phases');
});
