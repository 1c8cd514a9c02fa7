// Whatever a device writes, it stays text in a webhook, a chat and a mail.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatBody, type Message, mailOf, testAlert, webhookBody } from './messages.ts';

const message = (over: Partial<Message['alert']> = {}, isTest = false): Message => ({
  isTest,
  tenantId: 't',
  route: { route_id: 'r', name: 'Security team' },
  alert: {
    ...testAlert({ alertId: 'a', deviceId: 'd', at: new Date('2026-11-21T12:00:00Z') }),
    severity: 'critical',
    action: 'block',
    application_name: 'Demo',
    ...over,
  },
  consoleUrl: 'https://hub.example.com/console/t/t/alerts',
});

test('a webhook says what it is, when, and what happened', () => {
  expect(JSON.parse(webhookBody(message()))).toMatchObject({
    type: 'alert.raised',
    timestamp: '2026-11-21T12:00:00.000Z',
    data: { tenant_id: 't', route: { name: 'Security team' }, alert: { application_name: 'Demo' } },
  });
  expect(JSON.parse(webhookBody(message({}, true))).type).toBe('alert.test');
});

test('a chat gets one text that can be read at a glance', () => {
  expect(
    JSON.parse(chatBody(message({ hostname: 'laptop-1', message: 'Demo was ended' }))),
  ).toEqual({
    text: [
      '*CRITICAL alert, blocked:* `Demo`',
      '`Demo was ended`',
      'Device `laptop-1`, person `test`, 2026-11-21T12:00:00.000Z',
      'https://hub.example.com/console/t/t/alerts',
    ].join('\n'),
  });
});

test('a mail has a subject of one line and the facts', () => {
  const mail = mailOf(message({ application_name: 'Demo\r\nBcc: all@example.com' }));
  expect(mail.subject).toBe('[Gatewarden] CRITICAL alert, blocked: Demo Bcc: all@example.com');
  expect(mail.text).toContain('Severity: critical\n');
  expect(mail.text).toContain('https://hub.example.com/console/t/t/alerts');
});

test('a long name in a subject is cut between characters', () => {
  const { subject } = mailOf(message({ application_name: `a${'😀'.repeat(200)}` }));
  expect(subject.isWellFormed()).toBe(true);
  expect(subject.endsWith('😀…')).toBe(true);
});

test('in a chat a device can call nobody, link to nothing and leave its quotes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<!channel>', '@here', '`*x*`', '[a](https://evil.example)', '\n# h', '‮'),
  );
  fc.assert(
    fc.property(text, text, (name, host) => {
      const body = JSON.parse(
        chatBody(message({ application_name: name, hostname: host, message: name })),
      );
      const lines: string[] = body.text.split('\n');
      expect(lines).toHaveLength(4);
      expect(lines.slice(0, 3).join('')).not.toMatch(/[<>@]/);
      expect(lines.slice(0, 3).join('').split('`')).toHaveLength(9);
      expect(mailOf(message({ application_name: name })).subject).not.toMatch(/[\r\n]/);
    }),
  );
});
