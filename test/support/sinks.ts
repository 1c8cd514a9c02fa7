// Receivers of alerts in tests: a real HTTP server and a real SMTP server that store all deliveries.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { SMTPServer } from 'smtp-server';
import { isStray } from './stray-requests.ts';

export const LOOPBACK = '127.0.0.0/8,::1/128';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // Tests look into bodies of several kinds.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface HttpSink {
  url: string;
  received: Received[];
  at(path: string): Received[];
  /** Answers the requests from now on; it may also delay an answer. */
  answer: (response: ServerResponse, path: string) => void;
  close(): Promise<void>;
}

export async function openHttpSink(): Promise<HttpSink> {
  const server = createServer(async (request, response) => {
    if (isStray(request, response)) return;
    const raw = await text(request);
    const path = request.url ?? '';
    sink.received.push({ path, headers: request.headers, raw, body: JSON.parse(raw) });
    sink.answer(response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: HttpSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    at: (path) => sink.received.filter((request) => request.path === path),
    answer: (response) => response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return sink;
}

export interface Mail {
  from: string;
  to: string[];
  text: string;
}

export interface SmtpSink {
  port: number;
  mails: Mail[];
  /** Addresses that it refuses, as if there were no such mailbox. */
  refused: Set<string>;
  close(): Promise<void>;
}

export async function openSmtpSink(): Promise<SmtpSink> {
  const sink = { port: 0, mails: [] as Mail[], refused: new Set<string>() };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(address, _session, done) {
      if (!sink.refused.has(address.address)) return done();
      done(Object.assign(new Error('no such mailbox'), { responseCode: 450 }));
    },
    onData(stream, session, done) {
      text(stream).then((content) => {
        const { mailFrom, rcptTo } = session.envelope;
        sink.mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((address) => address.address),
          text: content,
        });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  sink.port = (server.server.address() as AddressInfo).port;
  return Object.assign(sink, {
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

/** A hub that may call this machine, and sends mail where `smtp` is given. */
export function reaching(config: Config, smtp: SmtpSink | null = null): Config {
  const { allowedPrivateNetworks, mail } = readConfig({
    HUB_ALLOWED_PRIVATE_NETWORKS: LOOPBACK,
    ...(smtp === null
      ? {}
      : {
          HUB_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
          HUB_MAIL_FROM: 'Gatewarden <hub@example.com>',
        }),
  });
  return { ...config, allowedPrivateNetworks, mail };
}
