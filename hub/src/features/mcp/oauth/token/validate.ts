// Validation of a code exchange (RFC 6749 §4.1.3), one check per file.
import { OAuthError } from '../errors.ts';
import { checkClientId } from './check-client-id.ts';
import { checkCodeVerifier } from './check-code-verifier.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkNamespace } from './check-namespace.ts';
import { checkRedirectUri } from './check-redirect-uri.ts';
import { checkResource } from './check-resource.ts';
import type { CodeExchange } from './request.ts';

const CHECKS: readonly ((exchange: CodeExchange) => void)[] = [
  checkExpiry,
  checkNamespace,
  checkClientId,
  checkRedirectUri,
  checkResource,
  checkCodeVerifier,
];

/** Returns the first error of an exchange; null: the code gives a token. */
export function validateExchange(exchange: CodeExchange): OAuthError | null {
  try {
    for (const check of CHECKS) check(exchange);
    return null;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}
