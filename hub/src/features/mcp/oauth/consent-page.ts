// What a person sees between the client's request and the code.
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendPage, sourceOf } from '../../../platform/http/pages.ts';
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

/** Where the answer goes, as a person can read it. */
export function hostOf({ redirectUri }: Pick<Asked, 'redirectUri'>): string {
  const url = new URL(redirectUri);
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? url.hostname
    : `the application ${url.protocol}`;
}

export function sendConsentPage(
  reply: FastifyReply,
  shown: Shown & { what: string; tenantName: string | null; loginSource: string | null },
): FastifyReply {
  const { asked, what, tenantName, loginSource } = shown;
  return sendPage(reply, {
    status: 200,
    title: 'Allow this application?',
    leadsTo: [sourceOf(new URL(asked.redirectUri)), ...(loginSource === null ? [] : [loginSource])],
    body: `<dl><dt>Application</dt><dd>${escapeHtml(asked.clientName ?? 'It gives no name')}</dd>
<dt>Your answer goes to</dt><dd><strong>${escapeHtml(hostOf(asked))}</strong></dd>
<dt>It may then</dt><dd>use ${escapeHtml(what)} as you, and see your name and e-mail address</dd>
<dt>Company</dt><dd>${escapeHtml(tenantName ?? 'you choose after signing in')}</dd></dl>
<p class="note">The name is what the application says of itself; nobody checked it. Go on only if you have just begun this yourself.</p>
<form method="post" action="/oauth/consent">${hidden(shown)}
<button type="submit" name="decision" value="approve">Allow and sign in</button>
<button type="submit" name="decision" value="refuse" class="plain">Refuse</button></form>`,
  });
}

export function sendTenantPage(
  reply: FastifyReply,
  shown: Shown & { email: string; tenants: readonly { tenant_id: string; name: string }[] },
): FastifyReply {
  const options = shown.tenants
    .map((one) => `<option value="${escapeHtml(one.tenant_id)}">${escapeHtml(one.name)}</option>`)
    .join('');
  return sendPage(reply, {
    status: 200,
    title: 'For which company?',
    leadsTo: [sourceOf(new URL(shown.asked.redirectUri))],
    body: `<p>You are signed in as ${escapeHtml(shown.email)}.</p>
<form method="post" action="/oauth/choose">${hidden(shown)}
<label for="tenant_id">Company</label><select id="tenant_id" name="tenant_id">${options}</select>
<button type="submit">Continue</button></form>`,
  });
}

/** For what must not be sent anywhere. */
export function sendUntrustedPage(
  reply: FastifyReply,
  status: number,
  problem: string,
): FastifyReply {
  return sendPage(reply, {
    status,
    title: 'This request cannot be carried out',
    body: `<p class="problem" role="alert">${escapeHtml(problem)}</p>
<p class="note">Go back to your application and begin again. If it happens again, show this page to whoever looks after the gateway.</p>`,
  });
}
