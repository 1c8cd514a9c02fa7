// Formats the message of a digest: counts of all alerts, and the most severe alerts. Pure.
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import {
  alertFacts,
  INCIDENT_SEVERITIES,
  type MessageContext,
  type MessageFormats,
  routeFacts,
  type SentAlert,
  subjectOf,
} from './messages.ts';

export interface Digest extends MessageContext {
  digestId: string;
  /** The creation time of the digest. */
  at: Date;
  /** Counts of all alerts, in descending order of severity. */
  counts: readonly { severity: Severity; n: number }[];
  /** The most severe alerts; for a webhook all alerts that are still stored. */
  alerts: readonly SentAlert[];
}

/** Returns the formats of a digest. */
export function formatDigest(digest: Digest): MessageFormats {
  const { tenantId, channel, consoleUrl, counts, alerts } = digest;
  const total = counts.reduce((sum, item) => sum + item.n, 0);
  const numbers = counts.map(({ severity, n }) => `${n} ${severity}`).join(', ');
  const head = `${total} alerts: ${numbers}`;
  const more = total - alerts.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return {
    webhook: () =>
      JSON.stringify({
        type: 'alert.digest',
        timestamp: digest.at.toISOString(),
        data: {
          tenant_id: tenantId,
          route: routeFacts(channel),
          digest: {
            digest_id: digest.digestId,
            count: total,
            by_severity: Object.fromEntries(counts.map(({ severity, n }) => [severity, n])),
          },
          alerts: alerts.map(alertFacts),
          console_url: consoleUrl,
        },
      }),
    chat: () => ({
      title: head,
      subject: null,
      lines: [...alerts.map(chatLine), ...rest],
      facts: [],
      link: { label: 'Open in console', url: consoleUrl },
      incident: {
        dedupKey: `gatewarden/${tenantId}/${digest.digestId}`,
        action: 'trigger',
        severity: INCIDENT_SEVERITIES[counts[0]?.severity ?? 'low'],
        source: `${total} alerts`,
        at: digest.at.toISOString(),
      },
    }),
    mail: () => ({
      subject: `[Gatewarden] ${head}`,
      text: [
        `${head}.`,
        '',
        ...alerts.map(mailLine),
        ...rest,
        '',
        consoleUrl,
        '',
        `Sent by the notification channel ${toSingleLine(channel.name)}, which batches alerts.`,
        '',
      ].join('\n'),
    }),
  };
}

/** The length of a name, so that two names and the time fit into a line. */
const LONGEST_NAME = 100;

const chatLine = (alert: SentAlert) =>
  `${alert.severity}: ${toSingleLine(subjectOf(alert), LONGEST_NAME)} on ${toSingleLine(alert.hostname, LONGEST_NAME)}, ${alert.occurred_at.toISOString()}`;

const mailLine = (alert: SentAlert) =>
  `${alert.severity}: ${toSingleLine(subjectOf(alert))} on ${toSingleLine(alert.hostname)} (${toSingleLine(alert.subscriber_id)}), ${alert.occurred_at.toISOString()}, alert ${alert.alert_id}`;
