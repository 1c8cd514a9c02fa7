// Redacts credential and signature headers besides `Authorization` and `Cookie`: in text, and in lists that alternate
// names and values, as servers store raw headers. The scan is linear: each value is read once, to the end of its line
// or string.
import { compilePattern } from './regular-expressions.ts';
import { REDACTED } from './rules.ts';

const NAMES =
  'x-(?:session-id|auth|cookie|sentry-auth|honeycomb-team|jfrog-art-api|license-key|insert-key|goog-iap-jwt-assertion|amzn-oidc-data|ms-authorization-auxiliary|postmark-(?:server|account)-token|(?:hub|slack|twilio|hubspot|line|zm|shopify-hmac|vercel|paystack|gitea|gogs|razorpay)?-?signature(?:-(?:sha)?[0-9]{1,3}|-v[0-9])?)|(?:proxy-)?authorization(?=\\\\{0,8}["\']\\s{0,4}(?:,|:\\s{0,4}\\[))|(?:stripe|svix|paddle|webhook)-signature';
const HEADER = compilePattern(
  `((?<![A-Za-z0-9-])(?:${NAMES})\\\\{0,8}["']?(?:[ \\t]{0,4}[:=][ \\t]{0,4}\\[?|\\s{0,4},\\s{0,4}(?:\\\\{0,8}["'][Vv]alue\\\\{0,8}["']\\s{0,4}:\\s{0,4})?(?=\\\\{0,8}["']))\\\\{0,8}["']?)(?!\\[REDACTED)(?=[^\\s0-9]{0,64}[0-9])(?:(?<=["'])|(?=\\S{8}))[^\\r\\n"'\\\\]{8,}`,
  'gi',
);
/** The trigger of this rule; it begins with a punctuation character. */
export const HEADER_SIGN =
  '-(?:[Ss]ignature|(?<=[Xx]-)(?:[Ss]ession-[Ii]d|[Aa]uth|[Cc]ookie|[Ss]entry|[Hh]oneycomb|[Jj][Ff]rog|[Ll]icense|[Ii]nsert|[Gg]oog-[Ii]ap|[Aa]mzn-[Oo]idc|[Mm]s-[Aa]uth|[Pp]ostmark))';
const SIGN = compilePattern(`${HEADER_SIGN}|uthorization\\\\{0,8}["']\\s{0,4}(?:,|:\\s{0,4}\\[)`);

/** Redacts the values of credential headers. */
export const redactCredentialHeaders = (text: string): string =>
  SIGN.test(text) ? text.replace(HEADER, `$1${REDACTED}`) : text;

const PAIRS_MAX = 200;
const NAME = /^[A-Za-z][A-Za-z0-9-]{1,60}$/;
/** Values that are equally plausible as another header name or a word. */
const A_NAME = /^[A-Za-z]{1,20}(?:[-_ ][A-Za-z]{1,20}){0,6}$/;

/**
 * Returns the indexes of credential values in a list such as `["Accept", "*", "X-Api-Key", "…"]`, by the names that
 * satisfy `namesCredential`; returns none for any other list.
 */
export function findAlternatingCredentials(
  list: readonly unknown[],
  namesCredential: (name: string) => boolean,
): readonly number[] {
  if (list.length < 2 || list.length % 2 === 1 || list.length > 2 * PAIRS_MAX) return [];
  const indexes: number[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [list[i], list[i + 1]];
    if (typeof name !== 'string' || typeof value !== 'string' || !NAME.test(name)) return [];
    if (value !== REDACTED && !A_NAME.test(value) && namesCredential(name)) indexes.push(i + 1);
  }
  return indexes;
}
