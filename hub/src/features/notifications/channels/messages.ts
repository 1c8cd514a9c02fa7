// Formats the message of an alert as a webhook body, a chat message and a mail. Pure.
// Text of devices is plain text in every format: it can't mention users, create links or change the layout.

import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ChatMessage, Incident } from '../../../platform/delivery/chat/message.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';

export interface SentAlert {
  alert_id: string;
  device_id: string;
  hostname: string;
  subscriber_id: string;
  occurred_at: Date;
  received_at: Date;
  severity: Severity;
  action: 'block' | 'quarantine' | 'agent';
  code: string | null;
  application_name: string | null;
  process: { name: string } | null;
  override_id: string | null;
  outcome: string | null;
  message: string;
}

export interface MessageContext {
  tenantId: string;
  channel: { id: string; name: string };
  /** The console page of the event. */
  consoleUrl: string;
}

export interface Message extends MessageContext {
  isTest: boolean;
  alert: SentAlert;
}

/** A message in the format of each type of target. Only the format that is sent is rendered. */
export interface MessageFormats {
  webhook(): string;
  chat(): ChatMessage;
  mail(): { subject: string; text: string };
}

/** Returns the formats of an alert. */
export function formatAlert(message: Message): MessageFormats {
  return {
    webhook: () => webhookBody(message),
    chat: () => chatMessage(message),
    mail: () => formatMail(message),
  };
}

const ACTIONS = { block: 'Blocked', quarantine: 'Quarantined', agent: 'Agent' } as const;
const LONGEST_SUBJECT = 120;

/** Returns the alert of a test. It has the shape of any other alert, so that it tests the receiver completely. */
export function testAlert(ids: { alertId: string; deviceId: string; at: Date }): SentAlert {
  return {
    alert_id: ids.alertId,
    device_id: ids.deviceId,
    hostname: 'test',
    subscriber_id: 'test',
    occurred_at: ids.at,
    received_at: ids.at,
    severity: 'low',
    action: 'agent',
    code: 'test',
    application_name: null,
    process: null,
    override_id: null,
    outcome: null,
    message: 'This is a test of the notification channel. No action is needed.',
  };
}

/** Returns the body of a webhook with type, timestamp and data (Standard Webhooks). */
export function webhookBody({ isTest, tenantId, channel, alert, consoleUrl }: Message): string {
  return JSON.stringify({
    type: isTest ? 'alert.test' : 'alert.raised',
    timestamp: alert.received_at.toISOString(),
    data: {
      tenant_id: tenantId,
      route: routeFacts(channel),
      alert: alertFacts(alert),
      console_url: consoleUrl,
    },
  });
}

/** Returns the channel as webhooks name it: `route` on the wire. */
export const routeFacts = ({ id, name }: MessageContext['channel']) => ({ route_id: id, name });

/** Returns an alert for webhooks, with times as ISO 8601. */
export function alertFacts(alert: SentAlert) {
  return {
    ...alert,
    occurred_at: alert.occurred_at.toISOString(),
    received_at: alert.received_at.toISOString(),
  };
}

/** Returns the alert for chat and on-call systems, unformatted. */
export function chatMessage(message: Message): ChatMessage {
  const { alert } = message;
  return {
    title: titleOf(message),
    subject: subjectOf(alert),
    lines: [alert.message],
    facts: [
      { name: 'Device', value: alert.hostname },
      { name: 'Person', value: alert.subscriber_id },
      { name: 'Time', value: alert.occurred_at.toISOString() },
    ],
    link: { label: 'Open in console', url: message.consoleUrl },
    incident: {
      dedupKey: `gatewarden/${message.tenantId}/${alert.device_id}/${alert.alert_id}`,
      action: 'trigger',
      severity: message.isTest ? 'info' : INCIDENT_SEVERITIES[alert.severity],
      source: alert.hostname,
      at: alert.occurred_at.toISOString(),
    },
  };
}

export const INCIDENT_SEVERITIES: Record<Severity, Incident['severity']> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'info',
};

/** Returns subject and plain text of a mail. */
export function formatMail(message: Message): { subject: string; text: string } {
  const { alert, channel } = message;
  const facts: [string, string | null][] = [
    ['What', `${ACTIONS[alert.action]}: ${subjectOf(alert)}`],
    ['Severity', alert.severity],
    ['Message', alert.message],
    ['Outcome', alert.outcome],
    ['Device', alert.hostname],
    ['Person', alert.subscriber_id],
    ['Process', alert.process?.name ?? null],
    ['When', alert.occurred_at.toISOString()],
    ['Device ID', alert.device_id],
    ['Alert ID', alert.alert_id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${toSingleLine(value)}`],
  );
  return {
    subject: `[Gatewarden] ${titleOf(message)}: ${toSingleLine(subjectOf(alert), LONGEST_SUBJECT)}`,
    text: [
      ...lines,
      '',
      message.consoleUrl,
      '',
      `Sent by the notification channel ${toSingleLine(channel.name)}.`,
      '',
    ].join('\n'),
  };
}

function titleOf({ isTest, alert }: Message): string {
  return isTest
    ? 'Test alert'
    : `${alert.severity.toUpperCase()} alert, ${ACTIONS[alert.action].toLowerCase()}`;
}

/** Returns the name of the app, process or event that an alert is about. */
export function subjectOf(alert: SentAlert): string {
  return alert.application_name ?? alert.process?.name ?? alert.code ?? 'unnamed';
}
