// The consent page between the authorization request and the code.
import type { FastifyReply } from 'fastify';
import { cspSource, escapeHtml, sendHtmlPage } from '../../../platform/http/server/html-page.ts';
import type { Asked } from './store.ts';

interface Shown {
  asked: Asked;
  request: string;
  csrf: string;
}

const hidden = ({
  request,
  csrf,
}: Shown) => `<input type="hidden" name="request" value="${escapeHtml(request)}">
<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">`;

/** Returns the target of the redirect in readable form. */
export function hostOf({ redirectUri }: Pick<Asked, 'redirectUri'>): string {
  const url = new URL(redirectUri);
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? url.hostname
    : `the app ${url.protocol}`;
}

export function sendConsentPage(
  reply: FastifyReply,
  shown: Shown & { resourceName: string; tenantName: string | null; loginSource: string | null },
): FastifyReply {
  const { asked, resourceName, tenantName, loginSource } = shown;
  return sendHtmlPage(reply, {
    status: 200,
    title: 'Allow this app?',
    formTargets: [
      cspSource(new URL(asked.redirectUri)),
      ...(loginSource === null ? [] : [loginSource]),
    ],
    body: `<dl><dt>App</dt><dd>${escapeHtml(asked.clientName ?? 'Unnamed app')}</dd>
<dt>Redirects to</dt><dd><strong>${escapeHtml(hostOf(asked))}</strong></dd>
<dt>Access</dt><dd>use ${escapeHtml(resourceName)} as you, and see your name and e-mail address</dd>
<dt>Organization</dt><dd>${escapeHtml(tenantName ?? 'you choose after you sign in')}</dd></dl>
<p class="note">The app chose this name itself; it isn’t verified. Continue only if you just started this sign-in.</p>
<form method="post" action="/oauth/consent">${hidden(shown)}
<button type="submit" name="decision" value="approve">Allow and sign in</button>
<button type="submit" name="decision" value="refuse" class="plain">Deny</button></form>`,
  });
}

export function sendTenantPage(
  reply: FastifyReply,
  shown: Shown & { email: string; tenants: readonly { tenant_id: string; name: string }[] },
): FastifyReply {
  const options = shown.tenants
    .map(
      (tenant) =>
        `<option value="${escapeHtml(tenant.tenant_id)}">${escapeHtml(tenant.name)}</option>`,
    )
    .join('');
  return sendHtmlPage(reply, {
    status: 200,
    title: 'Choose an organization',
    formTargets: [cspSource(new URL(shown.asked.redirectUri))],
    body: `<p>You are signed in as ${escapeHtml(shown.email)}.</p>
<form method="post" action="/oauth/choose">${hidden(shown)}
<label for="tenant_id">Organization</label><select id="tenant_id" name="tenant_id">${options}</select>
<button type="submit">Continue</button></form>`,
  });
}

/** For what must not be sent anywhere. */
export function sendUntrustedPage(
  reply: FastifyReply,
  status: number,
  problem: string,
): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title: 'Request failed',
    body: `<p class="problem" role="alert">${escapeHtml(problem)}</p>
<p class="note">Go back to your app and try again. If the problem continues, show this page to your admin.</p>`,
  });
}
