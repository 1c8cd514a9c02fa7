// How the hub is reached: kept-alive connections, the proxies of the environment, the company's own authorities (named, or
// of the system's store), a pinned key.
import { createHash, X509Certificate } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isUnknownAuthorityCode } from '@gatewarden/shared/certificates.ts';
import { proxyAddress } from '../config/proxy-address.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import { codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { http, loadHttps } from '../runtime/http-modules.ts';
import { isExempt } from './no-proxy.ts';
import { openTunnelledAgent } from './proxy-tunnel.ts';

/** Configuration of the way to the hub. */
export interface TlsTrust {
  /** PEM certificates that are trusted besides those that Node brings. */
  caFile: string | null;
  /** SHA-256 of the public key (SPKI, DER) that the hub must show, in lower-case hex; of any of several, between commas. */
  pin: string | null;
  /** In place of those of the environment. */
  proxy: string | null;
}

export interface Connector {
  request(url: URL, options: RequestOptions): ClientRequest;
  /** Reads the system's store and the file of authorities again; returns false where they did not change. */
  widen(): boolean;
  close(): void;
}

const KEPT = { keepAlive: true, maxSockets: 4, timeout: 60_000 };

/** Opens a connector for one hub. Throws a `PlainError` where the file of authorities, or a proxy, is invalid. */
export function openConnector(base: URL, trust: TlsTrust, env: NodeJS.ProcessEnv): Connector {
  // Loopback only: everything else is TLS.
  if (base.protocol === 'http:') return connect(http, () => new http.Agent(KEPT), null);
  const proxy = proxyFor(base, trust.proxy, env);
  const https = loadHttps();
  const agentOf = (isWide: boolean) => {
    const options = { ...KEPT, ...tlsOptions(trust, isWide) };
    return proxy === null ? new https.Agent(options) : openTunnelledAgent(proxy, options);
  };
  return connect(https, agentOf, trust);
}

function connect(
  library: Pick<typeof http, 'request'>,
  agentOf: (isWide: boolean) => Agent,
  trust: TlsTrust | null,
): Connector {
  let isWide = trust === null;
  let stamp = stampOfAuthorities(trust);
  let agent = agentOf(false);
  return {
    request: (url, options) => library.request(url, { ...options, agent }),
    widen() {
      // A company's next authority comes by its file, while the service runs.
      const now = stampOfAuthorities(trust);
      if (isWide && now === stamp) return false;
      agent = agentOf(true);
      [isWide, stamp] = [true, now];
      return true;
    },
    close: () => agent.destroy(),
  };
}

function stampOfAuthorities(trust: TlsTrust | null): string | null {
  const found = trust?.caFile == null ? undefined : statOrNone(trust.caFile);
  return found === undefined ? null : [found.ino, found.size, found.mtimeMs].join(' ');
}

function statOrNone(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // A parent of the path is not a folder: the reader reports it.
    return undefined;
  }
}

/** True where the hub's certificate is of an authority that is not known. */
export const isUnknownAuthority = (error: unknown): boolean =>
  isUnknownAuthorityCode(codeOf(error));

/** The proxy that the hub is asked through, without name and password; null where there is none. */
export function proxyOnTheWay(
  base: URL,
  configured: string | null,
  env: NodeJS.ProcessEnv,
): string | null {
  return base.protocol === 'http:' ? null : (proxyFor(base, configured, env)?.host ?? null);
}

/** Loopback is never asked of a proxy: it would find its own. */
function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The lower-case variable precedes the upper-case variable, as for curl. */
function proxyFor(base: URL, configured: string | null, env: NodeJS.ProcessEnv): URL | null {
  if (isLoopback(base)) return null;
  if (configured !== null) return new URL(configured);
  if (isExempt(base, env.no_proxy || env.NO_PROXY || '')) return null;
  const name = ['https_proxy', 'HTTPS_PROXY'].find((variable) => env[variable]);
  return name === undefined ? null : new URL(proxyAddress(name, env[name] ?? ''));
}

/**
 * The system's store costs seven megabytes and is mostly the same authorities again: it is read where the hub's is not
 * among Node's own.
 */
function tlsOptions({ caFile, pin }: TlsTrust, isWide: boolean): AgentOptions {
  const tls = process.getBuiltinModule('node:tls');
  const options: AgentOptions = {};
  if (caFile !== null || isWide) {
    options.ca = [
      ...tls.getCACertificates('default'),
      ...(isWide ? tls.getCACertificates('system') : []),
      ...(caFile === null ? [] : [readAuthorities(caFile)]),
    ];
  }
  if (pin !== null) {
    const pins = pin.split(',');
    options.checkServerIdentity = (host, certificate) => {
      const key = new X509Certificate(certificate.raw).publicKey;
      const shown = createHash('sha256')
        .update(key.export({ type: 'spki', format: 'der' }))
        .digest('hex');
      if (pins.includes(shown)) return tls.checkServerIdentity(host, certificate);
      return new Error(`the hub shows another key than backend.pin_sha256 says (${shown})`);
    };
  }
  return options;
}

function readAuthorities(file: string): string {
  let text: string;
  try {
    text = readSettingsFile(file);
    for (const [pem] of text.matchAll(PEM)) new X509Certificate(pem);
  } catch (error) {
    throw new PlainError(
      `backend.ca_file cannot be used: ${messageOf(error)}: it must name a file with your authority's certificate (PEM), or be taken out`,
    );
  }
  if (text.match(PEM) === null) {
    throw new PlainError(
      `backend.ca_file contains no certificate: ${file}: it must be your authority's in PEM ("BEGIN CERTIFICATE")`,
    );
  }
  return text;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gs;
