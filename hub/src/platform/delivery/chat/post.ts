// Sends a notification to a chat or on-call system.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { Outbound } from '../../http/outbound/outbound.ts';
import { failed, type Outcome, postMessage } from '../attempt.ts';
import { formatChat, ROUTING_KEY } from './format.ts';
import type { ChatMessage } from './message.ts';

/** Microsoft Teams Workflows answer 202 before they validate a message, and show nothing where it is invalid. */
const ACCEPTED_NOTE = "responded with 202, which doesn't confirm delivery";

export async function postChat(
  outbound: Outbound,
  target: { url: string; format: ChatFormat; headers: Record<string, string> },
  message: ChatMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  if (target.format === 'pagerduty' && !new URL(target.url).searchParams.get(ROUTING_KEY)) {
    return failed({ error: `not sent: PagerDuty needs ${ROUTING_KEY} in the URL` });
  }
  const { url, body } = formatChat(target.format, message, target.url);
  const outcome = await postMessage(outbound, url, { headers: target.headers, body }, signal);
  const isUnproven = outcome.is === 'delivered' && outcome.status === 202;
  return isUnproven ? { ...outcome, note: ACCEPTED_NOTE } : outcome;
}
