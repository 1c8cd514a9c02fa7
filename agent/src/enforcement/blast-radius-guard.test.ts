// Overrides with a blast radius beyond their intent are detected.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { expect, test } from 'vitest';
import { createBlastRadiusGuard, GROUP_PROGRAMS_MAX } from './blast-radius-guard.ts';

const override = (match: WireOverride['match']) =>
  ({ override_id: 'wide', revision: 1, match }) as WireOverride;

test('counts every match of an override without a program name', () => {
  const reported: string[] = [];
  const guard = createBlastRadiusGuard((override) => reported.push(override.override_id));
  const ofPublisher = override({ publisher: 'S' });
  for (let i = 0; i < GROUP_PROGRAMS_MAX; i++) guard.note(ofPublisher, `/opt/a${i}`);
  expect(guard.refusal(ofPublisher)).toBeNull();
  guard.note(ofPublisher, '/opt/b', true);
  expect([guard.refusal(ofPublisher), guard.refusal(ofPublisher, true)]).toMatchObject([
    { name: 'too_broad' },
    { name: 'too_broad' },
  ]);
  expect(reported).toEqual(['wide']);
});

test('counts only matches by pattern of an override with a program name', () => {
  const guard = createBlastRadiusGuard(() => undefined);
  const named = override({ name: 'editor' });
  for (let i = 0; i <= GROUP_PROGRAMS_MAX; i++) {
    guard.note(named, `/opt/a${i}`);
    guard.note(named, `/opt/b${i}`, true);
  }
  expect(guard.refusal(named)).toBeNull();
  expect(guard.refusal(named, true)).toMatchObject({ name: 'too_broad' });
});
