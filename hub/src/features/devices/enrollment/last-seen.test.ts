// Sightings of a device are buffered between two writes: the last reported state and its age.
import { expect, test } from 'vitest';
import { gather } from './last-seen.ts';

const device = { tenant_id: 't', device_id: 'd' };
const seen = (at: string, governance_state: string | null) => ({
  ...device,
  last_seen_at: at,
  governance_state,
});

test('dates a state by the first poll that reported it', () => {
  const first = gather(undefined, seen('10:00', 'applied'));
  const again = gather(first, seen('10:01', 'applied'));
  expect(again).toMatchObject({ governance_at: '10:01', governance_since: '10:00' });
  const other = gather(again, seen('10:02', 'applying'));
  expect(other).toMatchObject({ governance_state: 'applying', governance_since: '10:02' });
});

test('keeps a state and its age over a poll that does not report a state', () => {
  const first = gather(undefined, seen('10:00', 'applied'));
  expect(gather(first, seen('10:05', null))).toEqual({
    ...device,
    last_seen_at: '10:05',
    governance_state: 'applied',
    governance_at: '10:00',
    governance_since: '10:00',
  });
  expect(gather(undefined, seen('10:05', null)).governance_at).toBeNull();
});
