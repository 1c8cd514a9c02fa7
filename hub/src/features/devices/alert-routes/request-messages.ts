// What goes out when a person asks for an exception: who, for what, where and why, with the way to the page where it is
// answered. Pure; what people and devices wrote is text everywhere.
import { oneLine } from '../../../platform/delivery/one-line.ts';
import { type MessagePlace, quoted, type Words } from './messages.ts';

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

/** The same request, as each way of a route says it. `consoleUrl` is the page where it is granted or declined. */
export function requestWords(place: MessagePlace, asked: SentRequest): Words {
  return {
    webhook: () => webhookBody(place, asked),
    chat: () => chatBody(place, asked),
    mail: () => mailOf(place, asked),
  };
}

const LONGEST_SUBJECT = 120;

const subjectOf = (asked: SentRequest): string =>
  asked.application_name ?? asked.process_name ?? 'unnamed';

function webhookBody({ tenantId, route, consoleUrl }: MessagePlace, asked: SentRequest): string {
  const at = asked.created_at.toISOString();
  // One by one: a record holds more than goes out, such as what was answered meanwhile and by whom.
  const { access_request_id, device_id, hostname, subscriber_id } = asked;
  const { entity_id, application_name, process_name, reason } = asked;
  return JSON.stringify({
    type: 'access.requested',
    timestamp: at,
    data: {
      tenant_id: tenantId,
      route,
      access_request: {
        ...{ access_request_id, device_id, hostname, subscriber_id },
        ...{ entity_id, application_name, process_name, reason },
        created_at: at,
      },
      console_url: consoleUrl,
    },
  });
}

function chatBody({ consoleUrl }: MessagePlace, asked: SentRequest): string {
  const lines = [
    `*Request for an exception:* ${quoted(subjectOf(asked))}`,
    `Why: ${quoted(asked.reason)}`,
    `Device ${quoted(asked.hostname ?? asked.device_id)}, person ${quoted(asked.subscriber_id)}, ${asked.created_at.toISOString()}`,
    `Grant or decline: ${consoleUrl}`,
  ];
  return JSON.stringify({ text: lines.join('\n') });
}

function mailOf(
  { route, consoleUrl }: MessagePlace,
  asked: SentRequest,
): { subject: string; text: string } {
  const facts: [string, string | null][] = [
    ['For', subjectOf(asked)],
    ['Why', asked.reason],
    ['Person', asked.subscriber_id],
    ['Device', asked.hostname],
    ['When', asked.created_at.toISOString()],
    ['Device id', asked.device_id],
    ['Request id', asked.access_request_id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${oneLine(value)}`],
  );
  return {
    subject: `[Gatewarden] Request for an exception: ${oneLine(subjectOf(asked), LONGEST_SUBJECT)}`,
    text: [
      ...lines,
      '',
      `Grant or decline: ${consoleUrl}`,
      '',
      `Sent by the alert route ${oneLine(route.name)}.`,
      '',
    ].join('\n'),
  };
}
