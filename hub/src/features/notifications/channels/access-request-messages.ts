// The message of a person's request for an exception: who, for what, where and why, with a link to the page that grants
// or declines it. Pure; text of people and devices is plain text everywhere.
import type { ChatMessage } from '../../../platform/delivery/chat/message.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import { type MessageContext, type MessageFormats, routeFacts } from './messages.ts';

export interface SentRequest {
  access_request_id: string;
  device_id: string;
  hostname: string | null;
  subscriber_id: string;
  entity_id: string | null;
  application_name: string | null;
  process_name: string | null;
  reason: string;
  created_at: Date;
}

/** An access request in the format of each channel type. `consoleUrl` is the page where it is granted or declined. */
export function formatAccessRequest(place: MessageContext, asked: SentRequest): MessageFormats {
  return {
    webhook: () => webhookBody(place, asked),
    chat: () => chatMessage(place, asked),
    mail: () => mailOf(place, asked),
  };
}

const LONGEST_SUBJECT = 120;

const subjectOf = (asked: SentRequest): string =>
  asked.application_name ?? asked.process_name ?? 'unnamed';

function webhookBody(
  { tenantId, channel, consoleUrl }: MessageContext,
  asked: SentRequest,
): string {
  const at = asked.created_at.toISOString();
  // One by one: a record holds more than goes out, such as what was answered meanwhile and by whom.
  const { access_request_id, device_id, hostname, subscriber_id } = asked;
  const { entity_id, application_name, process_name, reason } = asked;
  return JSON.stringify({
    type: 'access.requested',
    timestamp: at,
    data: {
      tenant_id: tenantId,
      route: routeFacts(channel),
      access_request: {
        ...{ access_request_id, device_id, hostname, subscriber_id },
        ...{ entity_id, application_name, process_name, reason },
        created_at: at,
      },
      console_url: consoleUrl,
    },
  });
}

function chatMessage({ consoleUrl, tenantId }: MessageContext, asked: SentRequest): ChatMessage {
  const device = asked.hostname ?? asked.device_id;
  const at = asked.created_at.toISOString();
  return {
    title: 'Access request',
    subject: subjectOf(asked),
    lines: [`Reason: ${asked.reason}`],
    facts: [
      { name: 'Device', value: device },
      { name: 'Person', value: asked.subscriber_id },
      { name: 'Time', value: at },
    ],
    link: { label: 'Review request', url: consoleUrl },
    incident: {
      dedupKey: `gatewarden/${tenantId}/${asked.access_request_id}`,
      ...{ action: 'trigger', severity: 'info', source: device, at },
    },
  };
}

function mailOf(
  { channel, consoleUrl }: MessageContext,
  asked: SentRequest,
): { subject: string; text: string } {
  const facts: [string, string | null][] = [
    ['For', subjectOf(asked)],
    ['Why', asked.reason],
    ['Person', asked.subscriber_id],
    ['Device', asked.hostname],
    ['When', asked.created_at.toISOString()],
    ['Device ID', asked.device_id],
    ['Request id', asked.access_request_id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${toSingleLine(value)}`],
  );
  return {
    subject: `[Gatewarden] Access request: ${toSingleLine(subjectOf(asked), LONGEST_SUBJECT)}`,
    text: [
      ...lines,
      '',
      `Review request: ${consoleUrl}`,
      '',
      `Sent by the notification channel ${toSingleLine(channel.name)}.`,
      '',
    ].join('\n'),
  };
}
