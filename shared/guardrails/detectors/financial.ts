// Detectors of payment card data (pci) and financial data (pfi).
import type { ScannedText } from '../scanned-text.ts';
import type { Detector, Range } from '../types.ts';
import {
  ibanLength,
  isAbaNumber,
  isBase58Address,
  isCardNumber,
  isGermanTaxId,
  isIban,
} from './checksums.ts';
import { detectLabeled, detectPattern } from './patterns.ts';

const IBAN_START = /(?<!\w)[a-z]{2}\d{2}(?=[ -]?[a-z0-9])/gi;
const IBAN_CHARACTER = /[a-z0-9]/i;

/** Finds IBANs by the length of their country, because text may follow an IBAN in the same notation. */
function findIbans({ text }: ScannedText): Range[] {
  const ranges: Range[] = [];
  for (const { index: start } of text.matchAll(IBAN_START)) {
    const end = findIbanEnd(text, start);
    if (end !== null && isIban(text.slice(start, end))) ranges.push({ start, end });
  }
  return ranges;
}

/** Returns the end of the characters of an IBAN, which single blanks and hyphens may separate; null if it is too short. */
function findIbanEnd(text: string, start: number): number | null {
  let missing = ibanLength(text.slice(start, start + 2)) ?? 0;
  let end = start;
  for (let separators = 0; missing > 0 && separators < 2; end++) {
    const isCharacter = IBAN_CHARACTER.test(text[end] ?? '');
    if (!isCharacter && text[end] !== ' ' && text[end] !== '-') return null;
    separators = isCharacter ? 0 : separators + 1;
    if (isCharacter) missing--;
  }
  return missing === 0 && !/\w/.test(text[end] ?? '') ? end : null;
}

export const FINANCIAL_DETECTORS: readonly Detector[] = [
  detectPattern(
    'pci/card_number',
    /(?<![\w.-])(?<!\d{4} )(?:\d{4} \d{4} \d{4} \d{4}(?: \d{3})?|\d{4}-\d{4}-\d{4}-\d{4}|3\d{3}[ -]\d{6}[ -]\d{4,5}|\d{13,19})(?!\w|\.\d)/,
    { accepts: isCardNumber },
  ),
  detectLabeled(
    'pci/card_expiry',
    ['exp', 'expiry', 'expires', 'expiration', 'valid thru', 'valid until', 'gültig bis'],
    '(?:date[^a-z0-9\\n]{0,4})?(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?\\d{2}',
  ),
  detectLabeled(
    'pci/card_security_code',
    ['cvv2?', 'cvc2?', 'cid', 'security code', 'card verification', 'prüfziffer'],
    '\\d{3,4}',
  ),
  {
    name: 'iban',
    category: 'pfi',
    subcategory: 'iban',
    level: 'low',
    requires: { digits: true },
    find: findIbans,
  } satisfies Detector,
  detectLabeled(
    'pfi/bank_account_number',
    ['account', 'acct', 'bank account', 'kontonummer', 'konto', 'compte', 'cuenta'],
    '(?:no[^a-z0-9\\n]{0,3})?\\d(?:[ -]?\\d){6,16}',
  ),
  detectLabeled('pfi/routing_number', ['routing', 'aba', 'rtn', 'routing transit'], '\\d{9}', {
    accepts: isAbaNumber,
  }),
  detectLabeled(
    'pfi/routing_number',
    ['sort code', 'blz', 'bankleitzahl', 'bsb'],
    '\\d{2,3}[ -]?\\d{2,3}[ -]?\\d{2,3}',
    {
      name: 'routing_number_label_other',
    },
  ),
  detectPattern('pfi/routing_number', /(?<![\w.-])\d{9}(?![\w-])/, {
    name: 'routing_number_us',
    level: 'high',
    accepts: isAbaNumber,
  }),
  detectLabeled(
    'pfi/swift_code',
    ['swift', 'bic', 'swift/bic', 'bic/swift'],
    '[a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?',
  ),
  detectPattern(
    'pfi/swift_code',
    /(?<!\w)[A-Z]{4}(?:DE|FR|GB|US|CH|AT|IT|ES|NL|BE|LU|IE|PL|SE|DK|NO|FI|PT|JP|CN|SG|HK|AU|CA|IN)[A-Z0-9]{2}XXX(?!\w)/,
    {
      name: 'swift_code_head_office',
      level: 'medium',
    },
  ),
  detectLabeled(
    'pfi/tax_id',
    [
      'steuer-id',
      'steuerid',
      'steueridentifikationsnummer',
      'idnr',
      'tin',
      'tax identification',
      'tax id',
    ],
    '\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}',
    { name: 'tax_id_de_label', accepts: isGermanTaxId },
  ),
  detectPattern('pfi/tax_id', /(?<![\w.-])[1-9]\d(?: \d{3} \d{3} \d{3}|\d{9})(?![\w-])/, {
    name: 'tax_id_de',
    level: 'medium',
    accepts: isGermanTaxId,
  }),
  detectLabeled(
    'pfi/tax_id',
    ['ein', 'fein', 'tin', 'tax id', 'employer identification'],
    '\\d{2}-\\d{7}',
    {
      name: 'ein_us_label',
    },
  ),
  detectPattern(
    'pfi/tax_id',
    /(?<![\w-])9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}(?![\w-])/,
    {
      name: 'itin_us',
    },
  ),
  detectLabeled(
    'pfi/tax_id',
    ['vat', 'ust-id', 'ustid', 'ust-idnr', 'ustidnr', 'vat id', 'utr', 'nif', 'siret'],
    '(?:[a-z]{2} ?)?\\d{8,14}',
    {
      name: 'vat_label',
    },
  ),
  detectPattern(
    'pfi/tax_id',
    /(?<!\w)(?:DE\d{9}|ATU\d{8}|FR[A-Z0-9]{2}\d{9}|GB\d{9}|IT\d{11}|NL\d{9}B\d{2}|ES[A-Z]\d{7}[A-Z0-9])(?!\w)/,
    {
      name: 'vat_eu',
      level: 'medium',
    },
  ),
  detectPattern('pfi/crypto_wallet', /(?<!\w)(?:bc1|tb1)[ac-hj-np-z02-9]{25,62}(?!\w)/),
  detectPattern('pfi/crypto_wallet', /(?<!\w)0x[0-9a-fA-F]{40}(?!\w)/, { name: 'wallet_ethereum' }),
  detectPattern('pfi/crypto_wallet', /(?<!\w)[13][1-9A-HJ-NP-Za-km-z]{25,34}(?!\w)/, {
    name: 'wallet_base58',
    accepts: isBase58Address,
  }),
];
