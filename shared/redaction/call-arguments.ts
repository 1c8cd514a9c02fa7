// Redacts credentials in call arguments by their position: `new NetworkCredential("name", "password")`. Like all
// patterns of redaction, these are linear, because the text before the argument is bounded.

import { compilePattern } from './regular-expressions.ts';
import { REDACTED, VALUE } from './rules.ts';

const QUOTE = '[brf]?\\\\{0,8}["\']';
const BLANK = '\\s{0,20}';
const TEXT = `${QUOTE}[^"'\\\\\\r\\n]{0,200}\\\\{0,8}["']`;
/** An argument, evaluated or literal, and the comma after it. */
const ARGUMENT = `(?:${TEXT}|[^,"'(){}\\r\\n]{1,80}),${BLANK}`;
const NAME = `${QUOTE}[^"'\\\\\\r\\n]{1,100}\\\\{0,8}["'],${BLANK}`;
/** A literal object with nested objects. A repeated start opens a further brace, which limits repeated reading. */
const OBJECT = [1, 2].reduce((inner) => `\\{(?:[^{}]|${inner}){0,300}\\}`, '\\{[^{}]{0,300}\\}');
const VARIABLE = '[A-Za-z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|SALT)';

/** The beginning of each call, up to the quote that opens the credential. */
const CALLS: readonly string[] = [
  `(?i:(?:basic|digest)_?auth(?:entication)?)\\(${BLANK}${NAME}`,
  `[A-Z][A-Za-z]{1,40}Credentials?(?:\\.(?:create|basic|Create))?\\(${BLANK}${NAME}`,
  `(?<![A-Za-z])Credentials\\.basic\\(${BLANK}${NAME}`,
  `ClientSecretCredential\\(${BLANK}(?:${ARGUMENT}){2}`,
  `(?:Azure|Api|AzureNamed)KeyCredential\\(${BLANK}`,
  `(?:MySQLdb\\.connect|getConnection)\\(${BLANK}(?:${ARGUMENT}){2}`,
  `(?:cx_Oracle|oracledb)\\.connect\\(${BLANK}${NAME}`,
  `(?<![A-Za-z])(?:smtp|server|mail|mailer|imap|ftp|conn|session|client|s|m)\\.login\\(${BLANK}${NAME}`,
  `createHmac\\(${BLANK}${NAME}`,
  `(?<![A-Za-z])hmac\\.new\\(${BLANK}`,
  `HMAC(?:256|384|512)\\(${BLANK}`,
  `SignatureAlgorithm\\.HS(?:256|384|512),${BLANK}`,
  `(?<![A-Za-z])(?:Fernet|cookieParser)\\(${BLANK}`,
  `(?<![A-Za-z])(?:jwt|JWT)\\.(?:encode|decode|sign|verify)\\(${BLANK}(?:${OBJECT}|[^"'{},\\r\\n]{1,100}),${BLANK}`,
  `(?<![A-Za-z])Sequelize\\(${BLANK}(?:${ARGUMENT}){2}`,
  `SetEnvironmentVariable\\(${BLANK}${QUOTE}${VARIABLE}\\\\{0,8}["'],${BLANK}`,
  `(?<![A-Za-z])(?:redis|client|rdb|r)\\.auth\\(${BLANK}(?=[^)0-9\\r\\n]{1,64}[0-9])`,
];
const FORM = compilePattern(`((?:${CALLS.join('|')})${QUOTE})${VALUE}[^"'\\\\\\r\\n]+`, 'g');

/** The triggers of these rules; each begins with a punctuation character or a capital letter. */
export const CALL_SIGNS: readonly string[] = [
  '\\((?<=(?i:(?:basic|digest)_?auth(?:entication)?)\\()',
  '\\((?<=(?:redentials?(?:\\.(?:create|basic|Create))?|b\\.connect|acle\\.connect|getConnection|\\.login|Hmac|hmac\\.new|HMAC(?:256|384|512)|Fernet|ookieParser|EnvironmentVariable|equelize|\\.auth)\\()',
  'HS(?:256|384|512),|\\.(?<=(?:jwt|JWT)\\.)[a-z]',
];
const SIGN = compilePattern(CALL_SIGNS.join('|'));

/** Redacts credentials in call arguments. */
export function redactCallArguments(text: string): string {
  return SIGN.test(text) ? text.replace(FORM, `$1${REDACTED}`) : text;
}
