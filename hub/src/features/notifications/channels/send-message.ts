// A single attempt to send a message by the channel's type. Never throws: a failure is an outcome.
import { deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import { Webhook } from 'standardwebhooks';
import type { MailConfig } from '../../../platform/config/config.ts';
import {
  attempt,
  failed,
  type Outcome,
  postMessage,
  sendMail,
} from '../../../platform/delivery/attempt.ts';
import { postChat } from '../../../platform/delivery/chat/post.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { ChannelSecrets } from './channel-secrets.ts';
import type { Claim } from './delivery-store.ts';
import type { MessageFormats } from './messages.ts';

export interface SendDeps {
  secrets: ChannelSecrets;
  outbound: Outbound;
  mail: MailConfig | null;
}

const ATTEMPT_MS = 15_000;

export function send(
  deps: SendDeps,
  claim: Claim,
  words: MessageFormats,
  stopped: AbortSignal,
): Promise<Outcome> {
  return attempt(ATTEMPT_MS, stopped, (signal) =>
    claim.kind === 'email' ? mail(deps, claim, words, signal) : post(deps, claim, words, signal),
  );
}

async function post(
  { secrets, outbound }: SendDeps,
  claim: Claim,
  words: MessageFormats,
  signal: AbortSignal,
): Promise<Outcome> {
  const place = { tenantId: claim.tenant_id, channelId: claim.channel_id };
  const url = secrets.unseal(claim.url_sealed ?? '', place, 'url');
  if (claim.kind === 'chat') {
    const format = claim.format ?? deriveChatFormat(new URL(url));
    return postChat(outbound, { url, format, headers: {} }, words.chat(), signal);
  }
  const body = words.webhook();
  return postMessage(outbound, url, { headers: signature(secrets, claim, body), body }, signal);
}

/** While a rotation runs, both secrets sign, so that the receiver may change when it likes. */
function signature(secrets: ChannelSecrets, claim: Claim, body: string): Record<string, string> {
  const place = { tenantId: claim.tenant_id, channelId: claim.channel_id };
  const now = new Date();
  const keys = [secrets.unseal(claim.secret_sealed ?? '', place, 'secret')];
  const { previous_secret_sealed: previous, previous_secret_until: until } = claim;
  if (previous !== null && until !== null && until > now) {
    keys.push(secrets.unseal(previous, place, 'previous_secret'));
  }
  const id = `msg_${claim.delivery_id}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
  };
}

async function mail(
  deps: SendDeps,
  claim: Claim,
  words: MessageFormats,
  signal: AbortSignal,
): Promise<Outcome> {
  if (deps.mail === null) {
    return failed({
      error: 'the server has no mail server configured',
      forbiddenBy: 'HUB_SMTP_URL',
    });
  }
  const all = claim.recipients ?? [];
  const to = all.filter((text) => claim.recipients_left?.includes(text) ?? true);
  // Who was left is no longer a recipient of the channel.
  if (to.length === 0) return { is: 'delivered', status: null, note: null };
  const outcome = await sendMail(deps.mail, { to, ...words.mail(), id: claim.delivery_id }, signal);
  // Where nobody was reached, those who were left stay who they were.
  const isWhole = outcome.is === 'failed' && outcome.recipientsLeft?.length === to.length;
  return isWhole ? { ...outcome, recipientsLeft: claim.recipients_left } : outcome;
}
