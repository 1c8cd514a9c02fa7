// Messages about an app that fails or has recovered: for webhooks, chat systems and mail. Pure.
import { createHash } from 'node:crypto';
import type { ChatMessage } from '../../../platform/delivery/chat/message.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import type { MessageFormats } from '../../notifications/channels/index.ts';
import type { AppAlertFacts } from './store.ts';

/** Returns the message in the format of each type of target. */
export function formatAppAlert(tenantId: string, facts: AppAlertFacts): MessageFormats {
  return {
    webhook: () => webhookText(tenantId, facts),
    chat: () => chatMessage(tenantId, facts),
    mail: () => mailText(facts),
  };
}

/** Returns the JSON body for generic webhooks. */
function webhookText(tenantId: string, facts: AppAlertFacts): string {
  return JSON.stringify({
    type: `app.${facts.event}`,
    timestamp: facts.at,
    data: { tenant_id: tenantId, ...facts },
  });
}

/** Returns the alert for chat and on-call systems, unformatted. The recovery resolves the incident of its failure. */
function chatMessage(tenantId: string, facts: AppAlertFacts): ChatMessage {
  const { event, app, level, provider } = facts;
  return {
    title: event === 'failing' ? 'App is failing' : 'App has recovered',
    subject: nameOf(facts),
    lines: [rateOf(facts)],
    facts: [{ name: 'Time', value: facts.at }],
    link: null,
    incident: {
      dedupKey: `gatewarden/${tenantId}/${app.id}/${level}/${digestOf(provider ?? '')}`,
      action: event === 'failing' ? 'trigger' : 'resolve',
      severity: 'error',
      source: app.name,
      at: facts.at,
    },
  };
}

/** Returns a digest: a provider's name may be longer than a deduplication key. */
const digestOf = (provider: string) =>
  createHash('sha256').update(provider).digest('hex').slice(0, 32);

/** Returns subject and text of the mail. */
function mailText(facts: AppAlertFacts): { subject: string; text: string } {
  return {
    subject: `[Gatewarden] ${subjectOf(facts)}`,
    text: `${lineOf(facts)}\n\nDetected at ${facts.at}, over the last ${facts.window_minutes} minutes.\n`,
  };
}

function subjectOf(facts: AppAlertFacts): string {
  return `${nameOf(facts)} ${facts.event === 'failing' ? 'is failing' : 'has recovered'}`;
}

function nameOf({ app, provider }: AppAlertFacts): string {
  return provider === null ? plain(app.name) : `${plain(app.name)} at ${plain(provider)}`;
}

function lineOf(facts: AppAlertFacts): string {
  return `${subjectOf(facts)}: ${rateOf(facts)}`;
}

function rateOf({ failures, requests, failure_rate: rate, threshold }: AppAlertFacts): string {
  return `${failures} of ${requests} requests failed (${rate}%, limit: ${threshold}%)`;
}

const LONGEST_NAME = 100;
const plain = (name: string): string => toSingleLine(name, LONGEST_NAME);
