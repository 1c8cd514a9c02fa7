// Headers that let somebody in or prove who speaks, beside `Authorization` and `Cookie`: in running text, and in a list that has
// names and values in turns, as servers keep what came in. Linear: each value is read once, to the end of its line or string.
import { regExpOf } from './patterns.ts';
import { REDACTED } from './rules.ts';

const NAMES =
  'x-(?:session-id|auth|cookie|sentry-auth|honeycomb-team|jfrog-art-api|license-key|insert-key|goog-iap-jwt-assertion|amzn-oidc-data|ms-authorization-auxiliary|postmark-(?:server|account)-token|(?:hub|slack|twilio|hubspot|line|zm|shopify-hmac|vercel|paystack|gitea|gogs|razorpay)?-?signature(?:-(?:sha)?[0-9]{1,3}|-v[0-9])?)|(?:proxy-)?authorization(?=\\\\{0,8}["\']\\s{0,4}(?:,|:\\s{0,4}\\[))|(?:stripe|svix|paddle|webhook)-signature';
const HEADER = regExpOf(
  `((?<![A-Za-z0-9-])(?:${NAMES})\\\\{0,8}["']?(?:[ \\t]{0,4}[:=][ \\t]{0,4}\\[?|\\s{0,4},\\s{0,4}(?:\\\\{0,8}["'][Vv]alue\\\\{0,8}["']\\s{0,4}:\\s{0,4})?(?=\\\\{0,8}["']))\\\\{0,8}["']?)(?!\\[REDACTED)(?=[^\\s0-9]{0,64}[0-9])(?:(?<=["'])|(?=\\S{8}))[^\\r\\n"'\\\\]{8,}`,
  'gi',
);
/** What a text must hold for it to be tried; it begins with a sign. */
export const HEADER_SIGN =
  '-(?:[Ss]ignature|(?<=[Xx]-)(?:[Ss]ession-[Ii]d|[Aa]uth|[Cc]ookie|[Ss]entry|[Hh]oneycomb|[Jj][Ff]rog|[Ll]icense|[Ii]nsert|[Gg]oog-[Ii]ap|[Aa]mzn-[Oo]idc|[Mm]s-[Aa]uth|[Pp]ostmark))';
const SIGN = regExpOf(`${HEADER_SIGN}|uthorization\\\\{0,8}["']\\s{0,4}(?:,|:\\s{0,4}\\[)`);

/** The text without what such a header says. */
export const withoutHeaders = (text: string): string =>
  SIGN.test(text) ? text.replace(HEADER, `$1${REDACTED}`) : text;

const PAIRS_MAX = 200;
const NAME = /^[A-Za-z][A-Za-z0-9-]{1,60}$/;
/** What may as well be the name of another one, or a word. */
const A_NAME = /^[A-Za-z]{1,20}(?:[-_ ][A-Za-z]{1,20}){0,6}$/;

/** Of `["Accept", "*", "X-Api-Key", "…"]`: the places of values whose name `namesCredential`; none where it is another list. */
export function heldInTurns(
  list: readonly unknown[],
  namesCredential: (name: string) => boolean,
): readonly number[] {
  if (list.length < 2 || list.length % 2 === 1 || list.length > 2 * PAIRS_MAX) return [];
  const held: number[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [list[i], list[i + 1]];
    if (typeof name !== 'string' || typeof value !== 'string' || !NAME.test(name)) return [];
    if (value !== REDACTED && !A_NAME.test(value) && namesCredential(name)) held.push(i + 1);
  }
  return held;
}
