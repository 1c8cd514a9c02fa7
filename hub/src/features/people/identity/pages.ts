// The embedded provider's sign-in form, and what went wrong with a sign-in.
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendPage } from '../../../platform/http/pages.ts';

/** The form posts to its own address. `problem` is shown above it and read out. */
export function sendLoginPage(
  reply: FastifyReply,
  page: { status: number; email: string; problem: string | null; leadsTo: readonly string[] },
): FastifyReply {
  const problem =
    page.problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`;
  return sendPage(reply, {
    status: page.status,
    title: 'Sign in to Gatewarden',
    leadsTo: page.leadsTo,
    body: `${problem}<form method="post">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${escapeHtml(page.email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button></form>`,
  });
}

export function sendProblemPage(
  reply: FastifyReply,
  status: number,
  problem: string,
): FastifyReply {
  return sendPage(reply, {
    status,
    title: 'Sign-in did not work',
    body: `<p class="problem" role="alert">${escapeHtml(problem)}</p><p><a href="/console/sign-in">Try again</a></p>`,
  });
}
