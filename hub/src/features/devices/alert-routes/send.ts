// One attempt to send one message, by the way of the route's kind. Never throws: what went wrong is an outcome.
import { createTransport } from 'nodemailer';
import { Webhook } from 'standardwebhooks';
import type { MailConfig } from '../../../platform/config/config.ts';
import { UnsealError } from '../../../platform/crypto/seal.ts';
import { type Outbound, OutboundRefused } from '../../../platform/http/outbound.ts';
import type { Claim } from './delivery-store.ts';
import type { Words } from './messages.ts';
import { retryAfterSeconds } from './schedule.ts';
import type { RouteSecrets } from './secrets.ts';

export type Outcome =
  | { is: 'delivered'; status: number | null; note: string | null }
  | {
      is: 'failed';
      status: number | null;
      error: string;
      /** Seconds that the target asked to wait. */
      wished: number | null;
      /** The target will never take anything again. */
      gone: boolean;
      /** Recipients that are left; null: all. */
      recipientsLeft: string[] | null;
    };

export interface SendDeps {
  secrets: RouteSecrets;
  outbound: Outbound;
  mail: MailConfig | null;
}

const ATTEMPT_MS = 15_000;

export async function send(
  deps: SendDeps,
  claim: Claim,
  words: Words,
  stopped: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(ATTEMPT_MS)]);
  try {
    if (claim.kind === 'email') return await sendMail(deps, claim, words, signal);
    return await post(deps, claim, words, signal);
  } catch (error) {
    return failed({ error: stopped.aborted ? 'the hub was stopped' : wordsOf(error) });
  }
}

async function post(
  { secrets, outbound }: SendDeps,
  claim: Claim,
  words: Words,
  signal: AbortSignal,
): Promise<Outcome> {
  const place = { tenantId: claim.tenant_id, routeId: claim.route_id };
  const url = secrets.unseal(claim.url_sealed ?? '', place, 'url');
  const body = claim.kind === 'chat' ? words.chat() : words.webhook();
  const signed = claim.kind === 'webhook' ? signature(secrets, claim, body) : {};
  const answer = await outbound.post(url, {
    headers: { 'content-type': 'application/json', 'user-agent': 'Gatewarden', ...signed },
    body,
    signal,
  });
  const { status } = answer;
  if (status >= 200 && status < 300) return { is: 'delivered', status, note: null };
  return failed({
    status,
    error:
      status >= 300 && status < 400
        ? `answered ${status}; redirects are not followed`
        : `answered ${status}`,
    wished: retryAfterSeconds(answer.retryAfter, new Date()),
    gone: status === 410,
  });
}

/** While a rotation runs, both secrets sign, so that the receiver may change when it likes. */
function signature(secrets: RouteSecrets, claim: Claim, body: string): Record<string, string> {
  const place = { tenantId: claim.tenant_id, routeId: claim.route_id };
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

async function sendMail(
  { mail }: SendDeps,
  claim: Claim,
  words: Words,
  signal: AbortSignal,
): Promise<Outcome> {
  if (mail === null) return failed({ error: 'the hub has no mail server any more' });
  const all = claim.recipients ?? [];
  const to = all.filter((one) => claim.recipients_left?.includes(one) ?? true);
  // Who was left is no longer a recipient of the route.
  if (to.length === 0) return { is: 'delivered', status: null, note: null };
  const transport = createTransport({
    host: mail.host,
    port: mail.port,
    secure: mail.security === 'tls',
    requireTLS: mail.security === 'starttls',
    ignoreTLS: mail.security === 'none',
    ...(mail.auth === null ? {} : { auth: mail.auth }),
    connectionTimeout: ATTEMPT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = await transport.sendMail({
      from: mail.from,
      to,
      ...words.mail(),
      // The same for every attempt: mail systems that know it already drop the repetition.
      messageId: `<${claim.delivery_id}@gatewarden>`,
      headers: { 'auto-submitted': 'auto-generated' },
      signal,
    });
    const status = Number(/^\d{3}/.exec(sent.response)?.[0] ?? 250);
    if (sent.rejected.length === 0) return { is: 'delivered', status, note: null };
    // Those who have it must not get it again.
    return failed({
      status,
      error: `the mail server refused ${sent.rejected.length} of ${to.length} recipients`,
      recipientsLeft: sent.rejected,
    });
  } catch (error) {
    const { responseCode } = error as { responseCode?: number };
    return failed({
      status: responseCode ?? null,
      error: wordsOf(error),
      recipientsLeft: claim.recipients_left,
    });
  } finally {
    transport.close();
  }
}

function failed(failure: { error: string } & Partial<Extract<Outcome, { is: 'failed' }>>): Outcome {
  return {
    is: 'failed',
    status: null,
    wished: null,
    gone: false,
    recipientsLeft: null,
    ...failure,
  };
}

const CODES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  EDNS: 'the name could not be looked up',
  ETIMEDOUT: `no answer within ${ATTEMPT_MS / 1000} s`,
  EABORT: `no answer within ${ATTEMPT_MS / 1000} s`,
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  EAUTH: 'the mail server refused the login',
  EENVELOPE: 'the mail server refused sender or recipients',
  ETLS: 'no TLS with the mail server',
};

/** For people who look after the route: what went wrong, without the URL and without what the other side wrote. */
function wordsOf(error: unknown): string {
  if (error instanceof OutboundRefused) return `not sent: the URL ${error.message}`;
  if (error instanceof UnsealError) return 'not sent: the master key does not open what is stored';
  if (!(error instanceof Error)) return 'it could not be sent';
  if (error.cause instanceof OutboundRefused) return wordsOf(error.cause);
  if (error.name === 'TimeoutError') return `no answer within ${ATTEMPT_MS / 1000} s`;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'it could not be sent';
  return CODES[code] ?? `it could not be sent (${code.slice(0, 60)})`;
}
