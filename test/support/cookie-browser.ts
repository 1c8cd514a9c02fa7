// A browser as far as signing in needs one: it keeps cookies, follows redirects and fills in the provider's form.
import { randomUUID } from 'node:crypto';
import { createUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { TestHub } from './hub.ts';

export type CookieBrowser = ReturnType<typeof aBrowser>;

export function aBrowser(hub: Pick<TestHub, 'url'>) {
  const jar = new Map<string, string>();
  const request = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(url, hub.url), {
      ...init,
      redirect: 'manual',
      headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; '), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const follow = async (url: string, init?: RequestInit) => {
    let response = await request(url, init);
    let at = url;
    for (let i = 0; i < 10 && response.headers.has('location'); i++) {
      at = new URL(response.headers.get('location') ?? '', new URL(at, hub.url)).href;
      response = await request(at);
    }
    return { response, at };
  };
  return { jar, request, follow };
}

export interface Person {
  email: string;
  password: string;
  userId: string;
}

/** A person of the embedded login provider. */
export async function aPerson(
  hub: Pick<TestHub, 'tenantId' | 'context'>,
  role: Role = 'Admin',
  tenantId = hub.tenantId,
): Promise<Person> {
  const login = {
    email: `${role.toLowerCase()}-${randomUUID()}@example.com`,
    password: 'a long enough password',
  };
  const user = { tenantId, role, ...login };
  const { user_id: userId } = await createUser(hub.context.database.db, user);
  return { ...login, userId };
}

/** The login form, filled in. */
export const loginForm = ({ email, password }: Pick<Person, 'email' | 'password'>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ email, password }).toString(),
});

/** The login form's requests, without its pages. */
export async function signInAs(
  hub: Pick<TestHub, 'url'>,
  { email, password }: Pick<Person, 'email' | 'password'>,
  returnTo = '/console/',
) {
  const browser = aBrowser(hub);
  const form = await browser.follow(`/console/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  const end = await browser.follow(form.at, loginForm({ email, password }));
  return { browser, ...end };
}

/** The CSRF token of who is signed in. */
export async function csrfOf(browser: CookieBrowser): Promise<string> {
  const session = (await (
    await browser.request('/console/api/v1/session')
  ).json()) as SessionAnswer;
  return session.csrf_token;
}
