// What is told of an app that fails or has recovered: to programs, to chats, by mail. Pure.
import type { AppAlertFacts } from './store.ts';

export function webhookText(tenantId: string, facts: AppAlertFacts): string {
  return JSON.stringify({
    type: `app.${facts.event}`,
    timestamp: facts.at,
    data: { tenant_id: tenantId, ...facts },
  });
}

/** What chat programs take: one line. */
export function chatText(facts: AppAlertFacts): string {
  return JSON.stringify({ text: lineOf(facts) });
}

export function mailText(facts: AppAlertFacts): { subject: string; text: string } {
  return {
    subject: `[Gatewarden] ${subjectOf(facts)}`,
    text: `${lineOf(facts)}\n\nSeen at ${facts.at}, over the last ${facts.window_minutes} minutes.\n`,
  };
}

function subjectOf({ event, app, provider }: AppAlertFacts): string {
  const what = provider === null ? plain(app.name) : `${plain(app.name)} at ${plain(provider)}`;
  return event === 'failing' ? `${what} is failing` : `${what} has recovered`;
}

function lineOf(facts: AppAlertFacts): string {
  const rate = `${facts.failures} of ${facts.requests} requests failed (${facts.failure_rate} %)`;
  return `${subjectOf(facts)}: ${rate}, the limit is ${facts.threshold} %`;
}

/** A name is text: it breaks no line and mentions nobody. */
function plain(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[<>&@]/g, ' ')
    .slice(0, 100);
}
