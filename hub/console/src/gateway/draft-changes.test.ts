import { expect, test } from 'vitest';
import { changedSections } from './draft-changes.ts';

test('sends changed fields only', () => {
  const before = { limits: { timeout: 5, rate_limit_per_minute: 3 }, prompts: {} };
  const after = { limits: { timeout: 6, rate_limit_per_minute: 3 }, prompts: {} };
  expect(changedSections(before, after)).toEqual({ limits: { timeout: 6 } });
  expect(changedSections(before, before)).toEqual({});
});

test('resets removed values: lists become empty, other values null', () => {
  const before = { access: { allowed_user_domains: ['a'], enforce_identity: true } };
  expect(changedSections(before, { access: { enforce_identity: true } })).toEqual({
    access: { allowed_user_domains: [] },
  });
  expect(changedSections({ limits: { timeout: 5 } }, {})).toEqual({ limits: { timeout: null } });
  const restricted = {
    access: { allowed_source_ips: { enabled: true, ips: ['::1'] }, jwt_auth: { kid: 'k' } },
  };
  expect(changedSections(restricted, { access: {} })).toEqual({
    access: { allowed_source_ips: null, jwt_auth: null },
  });
  expect(changedSections(restricted, {})).toEqual({
    access: { allowed_source_ips: null, jwt_auth: null },
  });
});

test('sends a rate limit completely when only its number changed', () => {
  const limit = (value: number) => ({ limits: { rate_limit: { value, duration: 'day' } } });
  expect(changedSections(limit(1), limit(2))).toEqual({
    limits: { rate_limit: { value: 2, duration: 'day' } },
  });
});

test('sends fields that are replaced completely as a whole', () => {
  const before = { alerting: { app_level: { enabled: true }, channels: { emails: ['a@b'] } } };
  const after = { alerting: { app_level: { enabled: false }, channels: { emails: ['a@b'] } } };
  expect(changedSections(before, after)).toEqual({ alerting: after.alerting });
  expect(changedSections(before, {})).toEqual({ alerting: null });
});
