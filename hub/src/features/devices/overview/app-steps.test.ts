import { expect, it } from 'vitest';
import { countSteps } from './app-steps.ts';

const decided = (
  step: 'unreviewed' | 'approved' | 'quarantined',
  apps: number,
  is_custom = false,
) => ({ category: 'ai_tool', step, apps, is_custom }) as const;

it('counts apps without a policy as unreviewed', () => {
  const rows = [decided('approved', 3), decided('approved', 1, true), decided('quarantined', 2)];
  expect(countSteps([{ category: 'ai_tool', apps: 10 }], rows)).toEqual([
    {
      ...{ category: 'ai_tool', unreviewed: 4, approved: 4, restricted: 0, blocked: 0 },
      ...{ quarantined: 2, custom: 1 },
    },
  ]);
});

it('keeps apps with an unreviewed policy among the unreviewed apps', () => {
  const [counts] = countSteps([{ category: 'ai_tool', apps: 5 }], [decided('unreviewed', 2, true)]);
  expect(counts).toMatchObject({ unreviewed: 5, custom: 2 });
});

it('leaves out categories without an app, and counts no fewer than none', () => {
  expect(countSteps([{ category: 'package', apps: 0 }], [])).toEqual([]);
  const [counts] = countSteps([{ category: 'ai_tool', apps: 1 }], [decided('approved', 2)]);
  expect(counts).toMatchObject({ unreviewed: 0, approved: 2 });
});
