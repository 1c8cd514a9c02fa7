import { expect, it } from 'vitest';
import { createRecentPageChanges } from './recent-page-changes.ts';

it('replays recent changes to a new subscriber of the tenant, by name for named changes', () => {
  let at = 0;
  const recent = createRecentPageChanges(10_000, () => at);
  recent.record({ kind: 'page', tenant: 'acme', topic: 'alerts' });
  recent.record({ kind: 'page', tenant: 'acme', topic: 'devices', of: ['ann@acme.example'] });
  at = 6_000;
  recent.record({ kind: 'page', tenant: 'acme', topic: 'devices', of: ['bob@acme.example'] });
  expect([...recent.topics('acme')]).toEqual([
    ['alerts', 6_000],
    ['devices', 0],
  ]);
  expect([...recent.topics('acme', 'ann@acme.example')]).toEqual([['devices', 6_000]]);
  expect(recent.topics('other').size).toBe(0);
  at = 10_001;
  expect([...recent.topics('acme').keys()]).toEqual(['devices']);
  expect(recent.topics('acme', 'ann@acme.example').size).toBe(0);
  recent.prune();
  expect(recent.topics('acme', 'bob@acme.example').size).toBe(1);
  at = 16_001;
  recent.prune();
  expect(recent.topics('acme').size).toBe(0);
});
