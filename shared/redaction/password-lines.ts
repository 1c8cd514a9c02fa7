// Redacts plain words as passwords on lines of their own: `Password: swordfish`, `Passphrase: correct horse battery
// staple`. Known phrases of forms and messages are excluded.
import { compilePattern } from './regular-expressions.ts';
import { DESCRIPTIONS, NO_PASSWORD, REDACTED, VALUE } from './rules.ts';

const BEGIN =
  '(?:^|[\\r\\n]|\\\\n)[ \\t]{0,8}(?:[-*\u2022] )?(?:(?:[Tt]he|[Mm]y|[Yy]our|[Oo]ur|[Nn]ew|[Rr]oot|[Aa]dmin|[Ww]i-?[Ff]i) )?';
const END = '(?=[ \\t]{0,8}(?:[\\r\\n]|\\\\[nr]|$))';
const NAME =
  '(?:[Pp]assword|[Pp]asswort|[Kk]ennwort|[Pp]asscode|[Cc]ontrase\u00f1a|[Ss]enha|[Mm]ot de passe)';
const LETTER = '[a-z\u00df-\u00ff]';
const WORD = compilePattern(
  `(${BEGIN}${NAME}[ \\t]?:[ \\t]{1,4})${VALUE}(${LETTER}{4,32})${END}`,
  'g',
);
const PHRASE = compilePattern(
  `(${BEGIN}[Pp]assphrase[ \\t]?:[ \\t]{1,4})(${LETTER}{3,12}(?:[ -]${LETTER}{3,12}){3,9})${END}`,
  'g',
);
const SIGN = /(?:word|wort|code|ase\u00f1a|enha|passe|phrase)[ \t]?:[ \t]/;

/** Words on a form: buttons, links and hints beside the field. */
const DOINGS =
  'change|reset|login|logon|show|hide|edit|copy|forgot|confirm|enter|create|update|manage|submit|save|cancel|choose|type|retype|repeat|please|policy|field|input|keychain|vault|sso|ldap|oauth|kerberos|pass|same|next|continue|length|minimum|strength|success|error|failure|match|matches|mismatch|present|exists|wiki|see|ask|contact|rotate|prompt|stdin|file|env|n\u00e4chste|\u00e4ndern|anzeigen|vergessen|zur\u00fccksetzen|eingeben|oubli\u00e9|requis|obligatoire|incorrecto|requerido|obligatorio|olvidada|esquecida|obrigat\u00f3ria';
const DESCRIPTION = compilePattern(
  `^(?:${NO_PASSWORD}|${DESCRIPTIONS.join('|')}|${DOINGS}|.*(?:ed|ing|able|ible|less|ful|ive|ly|ous|ert|bar|lich|word|wort|phrase))$`,
);
/** Prose words that nearly every sentence contains and no generated phrase does. */
const FILLERS =
  /^(?:and|or|for|you|your|are|from|must|should|which|has|have|was|were|with|its|but|the|them|they|these|this|that|will|words?|characters?|letters?|than|more|least|not|never|always|choose|use|enter|keep|please|then|here|what|when|where|how|can|cannot|may|only)$/;

/** Redacts plain-word passwords on lines of their own. Returns the same text if it contains none. */
export function redactPasswordLines(text: string): string {
  if (!SIGN.test(text)) return text;
  return text
    .replace(WORD, (whole, before: string, word: string) =>
      DESCRIPTION.test(word) ? whole : before + REDACTED,
    )
    .replace(PHRASE, (whole, before: string, words: string) =>
      words.split(/[ -]/).some((word) => FILLERS.test(word)) ? whole : before + REDACTED,
    );
}
