// Text of devices remains plain text in a webhook and a mail. Chat formats have their own tests.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMail, type Message, testAlert, webhookBody } from './messages.ts';

const message = (over: Partial<Message['alert']> = {}, isTest = false): Message => ({
  isTest,
  tenantId: 't',
  channel: { id: 'r', name: 'Security team' },
  alert: {
    ...testAlert({ alertId: 'a', deviceId: 'd', at: new Date('2026-11-21T12:00:00Z') }),
    severity: 'critical',
    action: 'block',
    application_name: 'Demo',
    ...over,
  },
  consoleUrl: 'https://hub.example.com/console/t/t/alerts',
});

test('includes type, time and event in a webhook', () => {
  expect(JSON.parse(webhookBody(message()))).toMatchObject({
    type: 'alert.raised',
    timestamp: '2026-11-21T12:00:00.000Z',
    data: { tenant_id: 't', route: { name: 'Security team' }, alert: { application_name: 'Demo' } },
  });
  expect(JSON.parse(webhookBody(message({}, true))).type).toBe('alert.test');
});

test('writes a mail with a subject of a single line and the facts', () => {
  const mail = formatMail(message({ application_name: 'Demo\r\nBcc: all@example.com' }));
  expect(mail.subject).toBe('[Gatewarden] CRITICAL alert, blocked: Demo Bcc: all@example.com');
  expect(mail.text).toContain('Severity: critical\n');
  expect(mail.text).toContain('https://hub.example.com/console/t/t/alerts');
});

test('cuts a long name in a subject between characters', () => {
  const { subject } = formatMail(message({ application_name: `a${'😀'.repeat(200)}` }));
  expect(subject.isWellFormed()).toBe(true);
  expect(subject.endsWith('😀…')).toBe(true);
});

test('keeps the subject on a single line for any product name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(formatMail(message({ application_name: name })).subject).not.toMatch(/[\r\n]/);
    }),
  );
});
