// Reads the user's address from the claims of the customer's login provider (OpenID Connect Core 1.0, 5.1 and 5.3).
import { CLAIM_NAMES, type ClaimNames } from '../../../platform/config/config.ts';
import { resolvePointer } from '../../../platform/http/json/json-pointer.ts';
import { isEmail } from './email.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Tolerated difference between the clocks of provider and hub, for ID tokens and for access tokens alike. */
export const CLOCK_LEEWAY_SECONDS = 60;

export type PersonClaims = { email: string } | { problem: string };

/** Returns a claim by its name, which may look like a URL, or by JSON pointer. */
export function claimAt(claims: Claims, name: string): unknown {
  return name.startsWith('/') ? resolvePointer(claims, name) : claims[name];
}

/** Returns whether the claims lack the e-mail address, so that the userinfo endpoint is needed. */
export function lacksEmail(claims: Claims, names: ClaimNames): boolean {
  const value = claimAt(claims, names.email);
  return value === undefined || value === null || value === '';
}

/**
 * Returns the user's address, or the fault of the claim for the user and the log. `email_verified` refers to the claim
 * `email` only: a renamed claim is trusted as the provider assigns it.
 */
export function personOf(claims: Claims, names: ClaimNames): PersonClaims {
  const name = names.email;
  if (lacksEmail(claims, names)) {
    return { problem: `The login provider didn't send the claim "${name}".${hintFor(name)}` };
  }
  const value = claimAt(claims, name);
  if (typeof value !== 'string' || !isEmail(value.trim())) {
    return { problem: `The claim "${name}" of the login provider is not an e-mail address.` };
  }
  const isVerified = String(claims.email_verified ?? true).toLowerCase() !== 'false';
  if (name === CLAIM_NAMES.email && !isVerified) {
    return { problem: 'The login provider has not verified your e-mail address.' };
  }
  return { email: value.trim() };
}

/** Returns the fault of the time of issue; null if there is none. */
export function issueFault(issuedAt: unknown, nowSeconds: number): string | null {
  if (typeof issuedAt !== 'number' || issuedAt <= nowSeconds + CLOCK_LEEWAY_SECONDS) return null;
  return "The login provider's token was issued in the future. Check its clock.";
}

function hintFor(name: string): string {
  return name === CLAIM_NAMES.email
    ? ' If it uses another claim for the address, an admin needs to set LOGIN_CLAIMS.'
    : ' An admin should check LOGIN_CLAIMS.';
}
