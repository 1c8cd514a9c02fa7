// An MCP client and its person's browser, as far as signing in needs them: registration, consent, login, code, token.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { TestHub } from './hub.ts';

/** A browser: keeps cookies by path, follows redirects within the hub. */
export function aBrowser(origin: string) {
  const jar = new Map<string, { value: string; path: string }>();
  const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(url, origin);
    const sent = [...jar].filter(([, cookie]) => target.pathname.startsWith(cookie.path));
    const response = await fetch(target, {
      ...init,
      redirect: 'manual',
      headers: {
        cookie: sent.map(([k, cookie]) => `${k}=${cookie.value}`).join('; '),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, { value, path });
    }
    return response;
  };
  /** Follows redirects as long as they stay at the hub; gives the last answer and where it is. */
  const follow = async (url: string, init?: RequestInit) => {
    let response = await request(url, init);
    let at = new URL(url, origin).href;
    for (let i = 0; i < 12 && response.headers.has('location'); i++) {
      const next = new URL(response.headers.get('location') ?? '', at);
      at = next.href;
      if (next.origin !== origin) return { response, at };
      response = await request(at);
    }
    return { response, at };
  };
  const submit = (at: string, fields: Record<string, string>) =>
    follow(at, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams(fields).toString(),
    });
  return { jar, request, follow, submit };
}

export const PASSWORD = 'correct horse battery';

/** A person of the tenant with an account of the embedded login provider. */
export async function aPerson(
  hub: TestHub,
  role: Role = 'Member',
  tenantId = hub.tenantId,
  email = `${randomUUID()}@example.com`,
) {
  const { user_id: userId } = await createUser(hub.context.database.db, {
    tenantId,
    email,
    role,
    password: PASSWORD,
  });
  return { email, userId, tenantId };
}

/** The hidden fields of a form that the hub wrote. */
export function fieldsOf(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
}

export interface Flow {
  /** `/gwone`, `/gwone/{tenant}`, `/{backend}`, or nothing for the root. */
  prefix: string;
  redirectUri?: string;
  /** Sent with the authorization request besides the usual. */
  more?: Record<string, string>;
  pkce?: boolean;
}

export async function register(hub: TestHub, { prefix, redirectUri = REDIRECT }: Flow) {
  const response = await fetch(`${hub.url}${prefix}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test client', redirect_uris: [redirectUri] }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

export const REDIRECT = 'http://127.0.0.1:9999/callback';

/** Consent, login, and the tenant where there are several; gives where the browser was sent at last. */
async function throughPages(hub: TestHub, email: string, path: string) {
  const browser = aBrowser(hub.url);
  const consent = await browser.follow(path);
  const login = await browser.submit('/oauth/consent', {
    ...fieldsOf(await consent.response.text()),
    decision: 'approve',
  });
  let end = await browser.submit(login.at, { email, password: PASSWORD });
  if (end.at.startsWith(hub.url)) {
    const page = await end.response.text();
    if (page.includes('/oauth/choose')) {
      end = await browser.submit('/oauth/choose', {
        ...fieldsOf(page),
        tenant_id: hub.tenantId,
      });
    }
  }
  return { browser, end };
}

/** Signs in and consents, as a person does whom a waiting program sent to an authorization URL. */
export async function signIn(hub: TestHub, email: string, url: string): Promise<void> {
  const { end } = await throughPages(hub, email, url.slice(hub.url.length));
  await fetch(end.at);
}

/** The whole way to a code; gives where the browser was sent at last. */
export async function toCode(hub: TestHub, email: string, flow: Flow) {
  const { redirectUri = REDIRECT, prefix } = flow;
  const { body } = await register(hub, flow);
  const verifier = randomBytes(48).toString('base64url');
  const state = randomUUID();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: body.client_id ?? '',
    redirect_uri: redirectUri,
    state,
    scope: 'openid email',
    ...(flow.pkce === false
      ? {}
      : {
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }),
    ...flow.more,
  });
  const { browser, end } = await throughPages(hub, email, `${prefix}/oauth/authorize?${query}`);
  const answer = end.at.startsWith(hub.url) ? null : new URL(end.at).searchParams;
  return { browser, end, answer, state, verifier, clientId: String(body.client_id), redirectUri };
}

export async function exchange(hub: TestHub, prefix: string, form: Record<string, string>) {
  const response = await fetch(`${hub.url}${prefix}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'authorization_code', ...form }).toString(),
  });
  return {
    status: response.status,
    headers: response.headers,
    // biome-ignore lint/suspicious/noExplicitAny: an answer of an RFC, looked into by tests
    body: (await response.json()) as any,
  };
}

/** A token of the namespace, for this person. */
export async function aToken(hub: TestHub, email: string, flow: Flow): Promise<string> {
  const { answer, verifier, redirectUri, clientId } = await toCode(hub, email, flow);
  const code = answer?.get('code');
  if (code == null) throw new Error(`no code: ${answer}`);
  const { body } = await exchange(hub, flow.prefix, {
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    ...(flow.pkce === false ? {} : { code_verifier: verifier }),
  });
  return body.access_token;
}

/** A person in a browser of their own, signed in to the console, with the calls that its pages make. */
export async function signedInBrowser(hub: TestHub, email: string) {
  const browser = aBrowser(hub.url);
  const login = await browser.follow('/console/sign-in');
  await browser.submit(login.at, { email, password: PASSWORD });
  const session = (await (
    await browser.request('/console/api/v1/session')
  ).json()) as SessionAnswer;
  const console_ = async (method: string, path: string, body?: unknown) => {
    const response = await browser.request(`/console/api/v1/tenants/${hub.tenantId}${path}`, {
      method,
      headers: {
        'x-csrf-token': session.csrf_token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
    return { status: response.status, body: (await response.json()) as any };
  };
  return { ...browser, session, console: console_ };
}

/** Returns the state that the official client stores between its steps; `led` is the address to which it sends its person. */
export function aProvider(redirectUrl: string, clientName = 'Client of a test') {
  const saved: Record<string, unknown> = {};
  const led: URL[] = [];
  return {
    led,
    kept: saved,
    redirectUrl,
    clientMetadata: { client_name: clientName, redirect_uris: [redirectUrl] },
    clientInformation: () => saved.client as never,
    saveClientInformation: (item: unknown) => void Object.assign(saved, { client: item }),
    tokens: () => saved.tokens as never,
    saveTokens: (item: unknown) => void Object.assign(saved, { tokens: item }),
    redirectToAuthorization: (url: URL) => void led.push(url),
    saveCodeVerifier: (value: string) => void Object.assign(saved, { verifier: value }),
    codeVerifier: () => saved.verifier as string,
    saveDiscoveryState: (item: unknown) => void Object.assign(saved, { discovery: item }),
    discoveryState: () => saved.discovery as never,
  };
}
