// HTML pages of sign-in: the form of the embedded provider, invitations, and failures.
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendHtmlPage } from '../../../platform/http/server/html-page.ts';

/**
 * Sends the sign-in form, which posts to its own address. `problem` is shown above it and announced to screen readers.
 */
export function sendLoginPage(
  reply: FastifyReply,
  page: { status: number; email: string; problem: string | null; redirects: readonly string[] },
): FastifyReply {
  const problem =
    page.problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`;
  return sendHtmlPage(reply, {
    status: page.status,
    title: 'Sign in to Gatewarden',
    formTargets: page.redirects,
    body: `${problem}<form method="post">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${escapeHtml(page.email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button></form>`,
  });
}

/** Sends the page on which a person answers the invitations of tenants; nothing is preselected. */
export function sendInvitationsPage(
  reply: FastifyReply,
  page: {
    csrf: string;
    returnTo: string;
    invitations: readonly { tenant_id: string; name: string }[];
  },
): FastifyReply {
  const choices = page.invitations
    .map(
      ({ tenant_id: id, name }) =>
        `<label class="choice"><input type="checkbox" name="tenant" value="${escapeHtml(id)}"> ${escapeHtml(name)}</label>`,
    )
    .join('\n');
  return sendHtmlPage(reply, {
    status: 200,
    title: 'You were added to another organization',
    body: `<p>Choose the organizations to join. Their admins can see when you sign in.</p>
<form method="post"><input type="hidden" name="csrf" value="${escapeHtml(page.csrf)}">
<input type="hidden" name="return_to" value="${escapeHtml(page.returnTo)}">
${choices}
<button type="submit" name="answer" value="join">Join</button>
<button class="plain" type="submit" name="answer" value="later">Not now</button></form>`,
  });
}

/**
 * Sends the page of an invitation. `csrf`: of the invited user's session, who joins with a button; null without any. Then the user
 * sets a password if `setsPassword`, and signs in otherwise.
 */
export function sendInvitationPage(
  reply: FastifyReply,
  page: {
    email: string;
    tenant: string;
    role: string;
    problem: string | null;
    csrf: string | null;
    setsPassword: boolean;
    /** The path of the page itself. */
    returnTo: string;
  },
): FastifyReply {
  const problem =
    page.problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`;
  const facts = `<dl><dt>E-mail</dt><dd>${escapeHtml(page.email)}</dd>
<dt>Role</dt><dd>${escapeHtml(page.role)}</dd></dl>`;
  return sendHtmlPage(reply, {
    status: page.problem === null ? 200 : 400,
    title: `Join ${escapeHtml(page.tenant)}`,
    body: `${problem}${facts}${invitationForm(page)}`,
  });
}

function invitationForm(page: {
  email: string;
  csrf: string | null;
  setsPassword: boolean;
  returnTo: string;
}): string {
  if (page.csrf !== null) {
    return `<form method="post"><input type="hidden" name="csrf" value="${escapeHtml(page.csrf)}">
<button type="submit">Join</button></form>`;
  }
  if (page.setsPassword) {
    return `<form method="post">
<input type="hidden" name="email" autocomplete="username" value="${escapeHtml(page.email)}">
<label for="password">Choose a password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH.least}" required autofocus>
<button type="submit">Set password and join</button></form>`;
  }
  const signIn = `/console/sign-in?return_to=${encodeURIComponent(page.returnTo)}`;
  return `<p>Sign in with this e-mail address to accept the invitation.</p>
<p><a href="${escapeHtml(signIn)}">Sign in</a></p>`;
}

/** Sends a page that explains why a sign-in failed. */
export function sendProblemPage(
  reply: FastifyReply,
  status: number,
  problem: string,
): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title: 'Sign-in failed',
    body: `<p class="problem" role="alert">${escapeHtml(problem)}</p><p><a href="/console/sign-in">Try again</a></p>`,
  });
}
