// Formats the message of an access request: user, app, device and reason, with a link to the page that reviews it. Pure.
// Text of users and devices is plain text in every format.
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

/** Returns the formats of an access request. The console URL of `context` is the page that reviews it. */
export function formatAccessRequest(context: MessageContext, request: SentRequest): MessageFormats {
  return {
    webhook: () => webhookBody(context, request),
    chat: () => chatMessage(context, request),
    mail: () => formatMail(context, request),
  };
}

const LONGEST_SUBJECT = 120;

const subjectOf = (request: SentRequest): string =>
  request.application_name ?? request.process_name ?? 'unnamed';

function webhookBody(
  { tenantId, channel, consoleUrl }: MessageContext,
  request: SentRequest,
): string {
  const at = request.created_at.toISOString();
  // The fields are listed, because the record has fields that are not sent, such as the decision.
  const { access_request_id, device_id, hostname, subscriber_id } = request;
  const { entity_id, application_name, process_name, reason } = request;
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

function chatMessage({ consoleUrl, tenantId }: MessageContext, request: SentRequest): ChatMessage {
  const device = request.hostname ?? request.device_id;
  const at = request.created_at.toISOString();
  return {
    title: 'Access request',
    subject: subjectOf(request),
    lines: [`Reason: ${request.reason}`],
    facts: [
      { name: 'Device', value: device },
      { name: 'Person', value: request.subscriber_id },
      { name: 'Time', value: at },
    ],
    link: { label: 'Review request', url: consoleUrl },
    incident: {
      dedupKey: `gatewarden/${tenantId}/${request.access_request_id}`,
      ...{ action: 'trigger', severity: 'info', source: device, at },
    },
  };
}

function formatMail(
  { channel, consoleUrl }: MessageContext,
  request: SentRequest,
): { subject: string; text: string } {
  const facts: [string, string | null][] = [
    ['For', subjectOf(request)],
    ['Why', request.reason],
    ['Person', request.subscriber_id],
    ['Device', request.hostname],
    ['When', request.created_at.toISOString()],
    ['Device ID', request.device_id],
    ['Request id', request.access_request_id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${toSingleLine(value)}`],
  );
  return {
    subject: `[Gatewarden] Access request: ${toSingleLine(subjectOf(request), LONGEST_SUBJECT)}`,
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
