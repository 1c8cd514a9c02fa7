// docs/reference/events.md: operations of the audit log, and messages of notification channels as the hub writes them.
import { operationTexts } from '@gatewarden/console/src/texts-audit.ts';
import { budgetWords } from '@gatewarden/hub/src/features/devices/notification-channels/budget-messages.ts';
import { digestWords } from '@gatewarden/hub/src/features/devices/notification-channels/digest-messages.ts';
import {
  type MessagePlace,
  type SentAlert,
  webhookBody,
} from '@gatewarden/hub/src/features/devices/notification-channels/messages.ts';
import { requestWords } from '@gatewarden/hub/src/features/devices/notification-channels/request-messages.ts';
import { webhookText } from '@gatewarden/hub/src/features/logs/app-alerts/messages.ts';
import { AUDIT_OPERATIONS } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { anchor, block, code, type Derived, referencePage, table } from './markdown.ts';

const AT = new Date('2026-01-31T12:00:00.000Z');
const TENANT = '01900000-0000-7000-8000-000000000001';
const DEVICE = '01900000-0000-7000-8000-000000000002';

const PLACE: MessagePlace = {
  tenantId: TENANT,
  route: { route_id: '01900000-0000-7000-8000-000000000003', name: 'Security team' },
  consoleUrl: `https://hub.example.com/console/t/${TENANT}/activity/alerts`,
};

const ALERT: SentAlert = {
  alert_id: '01900000-0000-7000-8000-000000000004',
  device_id: DEVICE,
  hostname: 'ada-laptop',
  subscriber_id: 'ada@example.com',
  occurred_at: AT,
  received_at: AT,
  severity: 'high',
  action: 'block',
  code: null,
  application_name: 'Example App',
  process: { name: 'example-app' },
  override_id: '01900000-0000-7000-8000-000000000005',
  outcome: 'terminated',
  message: 'Example App was blocked.',
};

/** Returns the body of each type of webhook message. */
export function webhookBodies(): { type: string; meaning: string; body: string }[] {
  return [
    {
      type: 'alert.raised',
      meaning: 'An alert of a device.',
      body: webhookBody({ ...PLACE, isTest: false, alert: ALERT }),
    },
    {
      type: 'alert.digest',
      meaning: 'The alerts of a minute, if the channel batches them.',
      body: digestWords({
        ...PLACE,
        digestId: '01900000-0000-7000-8000-000000000006',
        at: AT,
        counts: [{ severity: 'high', n: 1 }],
        alerts: [ALERT],
      }).webhook(),
    },
    {
      type: 'alert.test',
      meaning: 'A test from **Settings → Notifications**. It has the shape of `alert.raised`.',
      body: webhookBody({
        ...PLACE,
        isTest: true,
        alert: { ...ALERT, severity: 'low', code: 'test' },
      }),
    },
    {
      type: 'access.requested',
      meaning: 'A user requests access, if the channel includes access requests.',
      body: requestWords(PLACE, {
        access_request_id: '01900000-0000-7000-8000-000000000007',
        device_id: DEVICE,
        hostname: 'ada-laptop',
        subscriber_id: 'ada@example.com',
        entity_id: null,
        application_name: 'Example App',
        process_name: null,
        reason: 'The project needs it.',
        created_at: AT,
      }).webhook(),
    },
    {
      type: 'app.failing',
      meaning:
        "An app's requests fail more often than its alerting allows; `app.recovered` has the same shape.",
      body: webhookText(TENANT, {
        event: 'failing',
        at: AT.toISOString(),
        app: { id: '01900000-0000-7000-8000-000000000008', name: 'Help desk' },
        level: 'app',
        provider: null,
        requests: 120,
        failures: 30,
        failure_rate: 25,
        threshold: 10,
        window_minutes: 5,
      } as Parameters<typeof webhookText>[1]),
    },
    {
      type: 'budget.reached',
      meaning: 'A monthly budget of the LLM gateway reached 50, 80 or 100 %.',
      body: budgetWords(PLACE, {
        notice_id: '01900000-0000-7000-8000-000000000007',
        scope: 'organization',
        app_name: null,
        month: '2026-01-01',
        percent: 80,
        spent_usd: 412.5,
        monthly_usd: 500,
        blocks: true,
        created_at: AT,
      }).webhook(),
    },
  ];
}

/** Returns docs/reference/events.md. */
export function eventsPage(): Derived {
  const resources = Map.groupBy(AUDIT_OPERATIONS, (operation) => operation.split('.')[0] ?? '');
  return referencePage('events', {
    title: 'Events',
    source:
      'shared/wire/console/audit-operations.ts and the messages of hub/src/features/devices/alert-routes',
    body: [
      '## Webhook messages',
      'Webhooks follow [Standard Webhooks](https://www.standardwebhooks.com): the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a body with `type`, `timestamp` and `data`. A message has the same `webhook-id` in every attempt, and may arrive twice.',
      ...webhookBodies().flatMap(({ type, meaning, body }) => [
        `### ${type}`,
        meaning,
        block('json', JSON.stringify(JSON.parse(body), null, 2)),
      ]),
      '## Audit operations',
      'Each change is an event of the audit log with an `operation`. Older events can have operations that are not listed here.',
      ...[...resources].flatMap(([resource, operations]) => [
        `### ${resource}`,
        table(
          ['Operation', 'Label in the console'],
          operations.map((operation) => [
            `${anchor(operation.replaceAll(/[._]/g, '-'))}${code(operation)}`,
            operationTexts[operation],
          ]),
        ),
      ]),
    ],
  });
}
