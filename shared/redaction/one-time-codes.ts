// Redacts one-time codes of a second factor, lists of recovery codes, wallet phrases, and session cookies. All patterns
// are linear.

import { compilePattern } from './regular-expressions.ts';
import { REDACTED, VALUE } from './rules.ts';

/** Names of numeric codes. */
const NAMES = [
  '(?:verification|confirmation|security|one[ -]time|two[ -]factor|2fa|mfa|otp|sms|login|sign[ -]?in|authenticat(?:or|ion)|activation|recovery|backup)[ -]?(?:pass)?code',
  'passcode|(?-i:T?OTP)|one[ -]time (?:password|pin)',
  '(?:best(?:\u00e4|ae)tigungs|sicherheits)code',
  'code de (?:v[\u00e9e]rification|confirmation|s[\u00e9e]curit[\u00e9e])',
  'c[\u00f3o]digo de (?:verifica(?:ci[\u00f3o]n|\u00e7\u00e3o)|seguridad|seguran\u00e7a|confirma(?:ci[\u00f3o]n|\u00e7\u00e3o))',
];
const MARKS = '["\'*_`]{0,3}';
const GAP = `${MARKS}(?: (?:is|was|lautet|ist|est|es|\u00e9))?[ \\t]?[:\uff1a=]?[ \\t\\r\\n]{0,3}${MARKS}`;
/** The digits must not be part of a longer number, a time or a length. */
const DIGITS =
  '(?:[0-9]{4,8}|[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4})(?![0-9]|[.,:%/-][0-9]|[ -]?(?:ms|seconds?|minutes?|hours?|characters?|digits?|lines?)(?![a-z]))';
const PIN =
  '(?:(?:your|my|the|card|sim|door) pin(?: code)?|(?<![A-Za-z0-9])(?-i:PIN))(?: is|:|=)[ ]?(?=[0-9]{4}(?![0-9]))';
const CODE_AFTER_NAME = compilePattern(
  `((?:${NAMES.join('|')})${GAP}|${PIN})(?<![0-9])${DIGITS}`,
  'gi',
);
/** Matches `482913 is your code`. */
const CODE_BEFORE_NAME = compilePattern(
  `(?<![0-9A-Za-z.,:/-])((?-i:G-)?)${DIGITS}(?= (?:is|as) (?:your|the|my) (?:[a-z0-9]{1,20} ){0,3}(?:${NAMES.join('|')}))`,
  'gi',
);

const CODE = '(?=[a-z-]{0,16}[0-9])[a-z0-9]{4,16}(?:-[a-z0-9]{3,16}){0,5}(?![a-z0-9])';
const LISTED = compilePattern(
  `((?:recovery|backup|scratch|emergency)[ _-]codes?${MARKS}(?: are| \\([^()\\r\\n]{0,40}\\))?:${MARKS})(?:[\\s,;*\u2022"'\`|-]{1,8}(?:[0-9]{1,2}[.)] ?)?${CODE}){1,24}`,
  'gi',
);

/** Prose words that no wallet phrase contains. */
const PROSE =
  '(?:the|and|for|you|your|are|not|never|from|must|should|which|has|have|was|were|with|its|but|that|them|they|these|will|always|store|words)';
const WORD = `(?!${PROSE}(?![a-z]))[a-z]{3,8}`;
const PHRASE = compilePattern(
  `((?:(?:seed|recovery|backup|wallet)[ _-]?(?:recovery[ _-]?)?phrase|mnemonic(?:[ _-]?phrase)?)${MARKS}(?: is| was)?[ \\t]?[:=]?[ \\t\\r\\n]{0,4}${MARKS})(?:(?:[0-9]{1,2}[.)] ?)?${WORD}[\\s,]{1,4}){11,23}(?:[0-9]{1,2}[.)] ?)?${WORD}(?![a-z])`,
  'gi',
);

/** Session cookies of common frameworks. */
const SESSION = compilePattern(
  `((?<![A-Za-z0-9_])(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{8}|ASP\\.NET_SessionId|connect\\.sid|laravel_session|csrftoken|sessionid)=)(?=[^\\s0-9]{0,64}[0-9])${VALUE}[^\\s"'\\\\;,<>&]{10,}`,
  'g',
);
/** Matches `"Cookie": "name=value"` and `document.cookie = "…"`. */
const COOKIE = compilePattern(
  `((?<![A-Za-z0-9_])(?:set-)?cookie\\\\{0,8}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,8}["'\`])(?=[^\\s=;"'\\\\]{1,64}=[^\\s;"'\\\\0-9]{0,64}[0-9])${VALUE}[^\\r\\n"'\\\\\`]{8,}`,
  'gi',
);

/** The triggers of these rules; each begins with a punctuation character, a digit or a capital letter. */
export const CODE_SIGNS: readonly string[] = [
  `[0-9](?=[0-9]{2})(?<=[\\s:="'*_\`\u0080-\uffff][0-9])(?<=(?:[Cc]ode|CODE|OTP|PIN|pin|word|ode de [a-z\u00e9]{8,12}|digo de [a-z\u00f3\u00e7\u00e3]{9,12})${GAP}[0-9])`,
  '[0-9] (?:is|as) (?:your|the|my) ',
  ':(?<=(?:very|kup|tch|ency)[ _-][Cc]odes?["\'*_`]{0,3}(?: are| \\([^()\\r\\n]{0,40}\\))?:)',
  '=(?<=(?:SESSIONID|SESSID|SessionId|t\\.sid|l_session|csrftoken|sessionid)=)|[:=](?<=ookie\\\\{0,8}["\']?\\s{0,4}[:=])',
  'MNEMONIC|_PHRASE',
];
/** Triggers that begin with a lower-case letter. */
export const CODE_TRIGGERS: readonly string[] = [
  'nemonic[ :="]|hrase(?<=(?:eed|overy|ckup|allet)[ _-]?[Pp]hrase)',
];
const SIGN = compilePattern([...CODE_SIGNS, ...CODE_TRIGGERS].join('|'));

/** Redacts one-time codes, recovery codes, wallet phrases and session cookies. */
export function redactOneTimeCodes(text: string): string {
  if (!SIGN.test(text)) return text;
  return text
    .replace(CODE_AFTER_NAME, `$1${REDACTED}`)
    .replace(CODE_BEFORE_NAME, `$1${REDACTED}`)
    .replace(LISTED, `$1 ${REDACTED}`)
    .replace(PHRASE, `$1${REDACTED}`)
    .replace(SESSION, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`);
}
