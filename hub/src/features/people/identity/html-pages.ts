// HTML pages of sign-in: the form of the embedded provider, invitations, and failures.
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
