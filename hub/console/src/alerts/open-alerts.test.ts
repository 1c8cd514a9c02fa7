// New alerts, and the number beside "Alerts".
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { expect, test } from 'vitest';
import { openAlertsText, updateSeenAlerts } from './open-alerts.ts';

const alert = (id: string, minute: number): AlertRow => ({
  alert_id: id,
  device_id: 'd',
  hostname: 'h',
  subscriber_id: 's',
  occurred_at: '2026-11-21T10:00:00Z',
  received_at: `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`,
  severity: 'high',
  action: 'block',
  code: null,
  application_name: null,
  process: null,
  override_id: null,
  outcome: null,
  message: 'm',
  queued: false,
  state: 'open',
  acknowledged_at: null,
  acknowledged_by: null,
  assigned_to: null,
  assigned_at: null,
  resolution: null,
  resolution_comment: null,
});

test('reports no alerts of the first read as new', () => {
  expect(updateSeenAlerts([alert('a', 1)], null).fresh).toEqual([]);
});

test('reports an alert as new once', () => {
  const first = updateSeenAlerts([alert('a', 1)], null);
  const second = updateSeenAlerts([alert('b', 2), alert('a', 1)], first.seen);
  expect(second.fresh.map((row) => row.alert_id)).toEqual(['b']);
  expect(updateSeenAlerts([alert('b', 2), alert('a', 1)], second.seen).fresh).toEqual([]);
});

test('does not report an older alert as new when it moves into the list', () => {
  const first = updateSeenAlerts([alert('c', 9)], null);
  expect(updateSeenAlerts([alert('old', 3)], first.seen).fresh).toEqual([]);
});

test('reports the first alert of an empty tenant as new', () => {
  const first = updateSeenAlerts([], null);
  expect(updateSeenAlerts([alert('a', 1)], first.seen).fresh).toHaveLength(1);
});

test('counts open alerts beside "Alerts"', () => {
  const list = (count: number, next: string | null) => ({
    items: Array.from({ length: count }, (_, i) => alert(String(i), 1)),
    next_cursor: next,
    request_id: 'r',
    total: null,
  });
  expect(openAlertsText(undefined)).toBeNull();
  expect(openAlertsText(list(0, null))).toBeNull();
  expect(openAlertsText(list(3, null))).toBe('3');
  expect(openAlertsText(list(100, 'more'))).toBe('99+');
});
