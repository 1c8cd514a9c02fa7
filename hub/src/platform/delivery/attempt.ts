// An attempt to deliver a message, by POST or e-mail. It never throws: an error becomes an outcome with a message for the
// administrators of the target, without the URL and without the content of the response.
import { createTransport } from 'nodemailer';
import type { MailConfig } from '../config/config.ts';
import { UnsealError } from '../crypto/seal.ts';
import { type Outbound, OutboundRefused } from '../http/outbound/outbound.ts';
import { JobEvictedError } from '../jobs/fair-share.ts';
import type { SharedSetting } from '../peers.ts';
import { retryAfterSeconds } from './retry-schedule.ts';

/** A healthy endpoint answers faster. A longer attempt hangs: it releases its job slot. */
export const HANGING_AFTER_MS = 1_500;

export type Outcome =
  | { is: 'delivered'; status: number | null; note: string | null }
  | {
      is: 'failed';
      status: number | null;
      error: string;
      /** Delay in seconds that the target requested. */
      retryAfterSeconds: number | null;
      /** The target is permanently gone (410). */
      gone: boolean;
      /** Recipients without the message; null: all. */
      recipientsLeft: string[] | null;
      /** The setting of this hub that forbids the attempt; another hub may have another value. */
      forbiddenBy: SharedSetting | null;
    };

/** Runs `work` with a timeout in milliseconds. */
export async function attempt(
  ms: number,
  stopped: AbortSignal,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work(AbortSignal.any([stopped, AbortSignal.timeout(ms)]));
  } catch (error) {
    if (stopped.aborted) return failed({ error: describeStop(stopped) });
    return failed({ error: describeError(error, ms), forbiddenBy: findForbiddingSetting(error) });
  }
}

/** Posts a JSON message. Redirects are not followed. */
export async function postMessage(
  outbound: Outbound,
  url: string,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<Outcome> {
  const response = await outbound.post(url, {
    headers: { 'content-type': 'application/json', 'user-agent': 'Gatewarden', ...message.headers },
    body: message.body,
    signal,
  });
  const { status } = response;
  if (status >= 200 && status < 300) return { is: 'delivered', status, note: null };
  return failed({
    status,
    error:
      status >= 300 && status < 400
        ? `responded with ${status}; redirects aren't followed`
        : `answered ${status}`,
    retryAfterSeconds: retryAfterSeconds(response.retryAfter, new Date()),
    gone: status === 410,
  });
}

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  /** Message id, equal for every attempt, so that mail systems drop duplicates. */
  id: string;
}

const MAIL_MS = 15_000;

/** Sends an e-mail by SMTP. */
export async function sendMail(
  config: MailConfig,
  { to, subject, text, id }: Mail,
  signal: AbortSignal,
): Promise<Outcome> {
  const transport = createTransport({
    host: config.host,
    port: config.port,
    secure: config.security === 'tls',
    requireTLS: config.security === 'starttls',
    ignoreTLS: config.security === 'none',
    ...(config.auth === null ? {} : { auth: config.auth }),
    connectionTimeout: MAIL_MS,
    greetingTimeout: MAIL_MS,
    socketTimeout: MAIL_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = await transport.sendMail({
      from: config.from,
      to: [...to],
      subject,
      text,
      messageId: `<${id}@gatewarden>`,
      headers: { 'auto-submitted': 'auto-generated' },
      signal,
    });
    const status = Number(/^\d{3}/.exec(sent.response)?.[0] ?? 250);
    if (sent.rejected.length === 0) return { is: 'delivered', status, note: null };
    // Accepted recipients must not receive the message again.
    return failed({
      status,
      error: `the mail server rejected ${sent.rejected.length} of ${to.length} recipients`,
      recipientsLeft: selectRejected(to, sent.envelope.to, sent.rejected),
    });
  } catch (error) {
    const { responseCode } = error as { responseCode?: number };
    return failed({
      status: responseCode ?? null,
      error: describeError(error, MAIL_MS),
      recipientsLeft: [...to],
    });
  } finally {
    transport.close();
  }
}

/**
 * Returns the rejected recipients in the target's spelling. `written` are the addresses as they were sent, in the same order
 * (domains in lower case or ASCII). If addresses were merged, the order is unknown and all recipients remain: a duplicate is
 * better than a lost message.
 */
function selectRejected(
  to: readonly string[],
  written: readonly string[],
  rejected: readonly string[],
): string[] {
  if (written.length !== to.length) return [...to];
  return to.filter((_, i) => rejected.includes(written[i] ?? ''));
}

/** Returns a failed outcome with defaults. */
export function failed(
  failure: { error: string } & Partial<Extract<Outcome, { is: 'failed' }>>,
): Outcome {
  return {
    is: 'failed',
    status: null,
    retryAfterSeconds: null,
    gone: false,
    recipientsLeft: null,
    forbiddenBy: null,
    ...failure,
  };
}

function findForbiddingSetting(error: unknown): SharedSetting | null {
  const refused =
    error instanceof Error && error.cause instanceof OutboundRefused ? error.cause : error;
  if (!(refused instanceof OutboundRefused)) return null;
  const isNetwork = refused.refusal === 'not_public' || refused.refusal === 'http_not_private';
  return isNetwork ? 'HUB_ALLOWED_PRIVATE_NETWORKS' : null;
}

const CODES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  EDNS: 'host name lookup failed',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out after 10 s',
  EAUTH: 'the mail server rejected the login',
  EENVELOPE: 'the mail server rejected the sender or recipients',
  ETLS: 'TLS with the mail server failed',
};

function describeStop({ reason }: AbortSignal): string {
  return reason instanceof JobEvictedError
    ? 'no response in the remaining time'
    : 'the server was stopped';
}

function describeError(error: unknown, ms: number): string {
  if (error instanceof OutboundRefused) return `not sent: the URL ${error.message}`;
  if (error instanceof UnsealError) return "not sent: the stored secret can't be decrypted";
  if (!(error instanceof Error)) return "couldn't be sent";
  if (error.cause instanceof OutboundRefused) return describeError(error.cause, ms);
  const { code } = error as { code?: unknown };
  if (error.name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'EABORT') {
    return `no response within ${ms / 1000} s`;
  }
  if (typeof code !== 'string') return "couldn't be sent";
  return CODES[code] ?? `couldn't be sent (${code.slice(0, 60)})`;
}
