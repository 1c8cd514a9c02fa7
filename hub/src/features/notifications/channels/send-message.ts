// A single attempt to send a message to its target. Never throws: a failure is an outcome.
import { type ChatFormat, deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
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
import type { AppTarget, ChannelTarget, Claim } from './delivery-store.ts';
import type { MessageFormats } from './messages.ts';

export interface SendDeps {
  secrets: ChannelSecrets;
  outbound: Outbound;
  mail: MailConfig | null;
  /** Returns the current URL of an app's webhook; null if the webhook was removed. Throws UnsealError. */
  loadAppWebhook(
    tenantId: string,
    appId: string,
    webhookId: string,
  ): Promise<{ url: string; type: 'vendorL' | 'generic' } | null>;
}

/** The address of a message, with the secrets that the attempt needs. */
type Target =
  | { is: 'mail'; to: readonly string[] }
  | { is: 'chat'; url: string; format: ChatFormat }
  | { is: 'webhook'; url: string; signingKeys: readonly string[] };

const ATTEMPT_MS = 15_000;

/** Sends a message to the target of its delivery. */
export function send(
  deps: SendDeps,
  claim: Claim,
  formats: MessageFormats,
  stopped: AbortSignal,
): Promise<Outcome> {
  return attempt(ATTEMPT_MS, stopped, async (signal) => {
    const target =
      claim.channel_id === null
        ? await resolveAppTarget(deps, claim)
        : resolveChannelTarget(deps, claim);
    if (target === null) return failed({ error: "the app's webhook was removed", gone: true });
    if (target.is === 'mail') return mail(deps, claim, target.to, formats, signal);
    const id = `msg_${claim.delivery_id}`;
    if (target.is === 'chat') {
      const chat = { ...target, headers: { 'webhook-id': id } };
      return postChat(deps.outbound, chat, formats.chat(), signal);
    }
    const body = formats.webhook();
    const headers = { 'webhook-id': id, ...signature(id, target.signingKeys, body) };
    return postMessage(deps.outbound, target.url, { headers, body }, signal);
  });
}

/** Returns the target of a channel. Throws UnsealError. */
function resolveChannelTarget(
  { secrets }: SendDeps,
  channel: ChannelTarget & { tenant_id: string },
): Target {
  if (channel.kind === 'email') return { is: 'mail', to: channel.recipients ?? [] };
  const place = { tenantId: channel.tenant_id, channelId: channel.channel_id };
  const url = secrets.unseal(channel.url_sealed ?? '', place, 'url');
  if (channel.kind === 'chat') {
    return { is: 'chat', url, format: channel.format ?? deriveChatFormat(new URL(url)) };
  }
  const signingKeys = [secrets.unseal(channel.secret_sealed ?? '', place, 'secret')];
  const { previous_secret_sealed: previous, previous_secret_until: until } = channel;
  // Both secrets sign during a rotation, so that the receiver can change at any time.
  if (previous !== null && until !== null && until > new Date()) {
    signingKeys.push(secrets.unseal(previous, place, 'previous_secret'));
  }
  return { is: 'webhook', url, signingKeys };
}

/** Returns a target of an app, whose webhooks are unsigned; null for a removed webhook. Throws UnsealError. */
async function resolveAppTarget(
  { loadAppWebhook }: SendDeps,
  {
    tenant_id,
    app_id,
    app_target_kind: kind,
    app_target: target,
  }: AppTarget & { tenant_id: string },
): Promise<Target | null> {
  if (kind === 'email') return { is: 'mail', to: [target] };
  const webhook = await loadAppWebhook(tenant_id, app_id, target);
  if (webhook === null) return null;
  const { url, type } = webhook;
  return type === 'vendorL'
    ? { is: 'chat', url, format: deriveChatFormat(new URL(url)) }
    : { is: 'webhook', url, signingKeys: [] };
}

/** Returns the signature headers of Standard Webhooks. */
function signature(
  id: string,
  signingKeys: readonly string[],
  body: string,
): Record<string, string> {
  if (signingKeys.length === 0) return {};
  const now = new Date();
  return {
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signingKeys.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
  };
}

async function mail(
  deps: SendDeps,
  claim: Claim,
  recipients: readonly string[],
  formats: MessageFormats,
  signal: AbortSignal,
): Promise<Outcome> {
  if (deps.mail === null) {
    return failed({
      error: 'the server has no mail server configured',
      forbiddenBy: 'HUB_SMTP_URL',
    });
  }
  const to = recipients.filter((address) => claim.recipients_left?.includes(address) ?? true);
  // The remaining recipients were removed from the channel.
  if (to.length === 0) return { is: 'delivered', status: null, note: null };
  const message = { to, ...formats.mail(), id: claim.delivery_id };
  const outcome = await sendMail(deps.mail, message, signal);
  // An attempt that reached no recipient leaves the same recipients.
  const reachedNone = outcome.is === 'failed' && outcome.recipientsLeft?.length === to.length;
  return reachedNone ? { ...outcome, recipientsLeft: claim.recipients_left } : outcome;
}
