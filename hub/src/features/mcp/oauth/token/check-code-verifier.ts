import { createHash, timingSafeEqual } from 'node:crypto';
import { type CodeExchange, invalidGrant } from './request.ts';

/** Requires the verifier of the code's challenge (RFC 7636 §4.6). A verifier without a challenge is a downgrade (RFC 9700 §2.1.1). */
export function checkCodeVerifier({ form, used, pkce }: CodeExchange): void {
  if (pkce === 'off') return;
  const { challenge } = used.asked;
  const { code_verifier: verifier } = form.fields;
  if (challenge === null) {
    if (verifier === undefined) return;
    throw invalidGrant('code_verifier was sent without a previous code_challenge.');
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing.');
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) {
    throw invalidGrant('code_verifier has an invalid format.');
  }
  if (!isChallengeOf(challenge, verifier)) throw invalidGrant("code_verifier doesn't match.");
}

function isChallengeOf(challenge: string, verifier: string): boolean {
  const actual = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
