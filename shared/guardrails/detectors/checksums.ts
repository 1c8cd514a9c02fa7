// Checksums of identifiers. Each function takes text with separators and returns whether its check digits are right.
import { createHash } from 'node:crypto';

const onlyDigits = (text: string) => text.replace(/\D/g, '');
const digitAt = (digits: string, index: number) => digits.charCodeAt(index) - 48;

/** Lengths of the card schemes by their first digits (ISO/IEC 7812-1). */
const CARD_SCHEMES =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|(?:50|5[6-8]|6\d)\d{14,17})$/;

/** Validates a payment card number: the length of its scheme, and the Luhn algorithm. */
export function isCardNumber(text: string): boolean {
  const digits = onlyDigits(text);
  return CARD_SCHEMES.test(digits) && isLuhn(digits);
}

/** Validates check digits by the Luhn algorithm. */
export function isLuhn(text: string): boolean {
  const digits = onlyDigits(text);
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digitAt(digits, digits.length - 1 - i);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** Lengths of the countries in the IBAN registry (SWIFT, ISO 13616). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'NO15 BE16 DK18 FI18 FO18 GL18 NL18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 CH21 HR21 LI21 LV21 BG22',
    'BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 AE23 GI23 IL23 IQ23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24',
    'SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28',
    'LB28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 MT31 SC31 LC32',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Returns the length of an IBAN from its country, or undefined for another text. */
export function ibanLength(text: string): number | undefined {
  return IBAN_LENGTHS[text.slice(0, 2).toUpperCase()];
}

/** Validates an IBAN: the length of its country and ISO 7064 MOD 97-10. */
export function isIban(text: string): boolean {
  const iban = text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  if (ibanLength(iban) !== iban.length) return false;
  const rearranged = iban.slice(4) + iban.slice(0, 4);
  return (
    remainder97(rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) === 1
  );
}

function remainder97(digits: string): number {
  let remainder = 0;
  for (let i = 0; i < digits.length; i++) remainder = (remainder * 10 + digitAt(digits, i)) % 97;
  return remainder;
}

/** Validates a US bank routing number (ABA). */
export function isAbaNumber(text: string): boolean {
  const digits = onlyDigits(text);
  if (!/^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(digits)) return false;
  const weights = [3, 7, 1];
  const sum = [...digits].reduce(
    (total, digit, i) => total + Number(digit) * (weights[i % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

/** Validates a US social security number: no area 000, 666 or 9xx, no group 00, no serial 0000. */
export function isSocialSecurityNumber(text: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(onlyDigits(text));
}

/** Validates a German tax id (11 digits, ISO 7064 MOD 11,10); of its first ten digits, some digit repeats. */
export function isGermanTaxId(text: string): boolean {
  const digits = onlyDigits(text);
  if (!/^[1-9]\d{10}$/.test(digits) || new Set(digits.slice(0, 10)).size > 9) return false;
  let product = 10;
  for (let i = 0; i < 10; i++) {
    const sum = (digitAt(digits, i) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digitAt(digits, 10);
}

/** Validates a French social security number (NIR): its key is 97 minus the number modulo 97. */
export function isFrenchNir(text: string): boolean {
  const nir = text.replace(/\s/g, '').toUpperCase();
  if (!/^[12]\d{4}(?:\d{2}|2[AB])\d{8}$/.test(nir)) return false;
  const number = nir.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - remainder97(number) === Number(nir.slice(13));
}

/** Validates a Spanish DNI or NIE: the letter is the number modulo 23. */
export function isSpanishDni(text: string): boolean {
  const dni = text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  const number = dni.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === dni.at(-1);
}

/** Validates a Polish PESEL: weights 1, 3, 7, 9, and a month that exists in its century. */
export function isPesel(text: string): boolean {
  const digits = onlyDigits(text);
  if (!/^\d{2}[02468][1-9]|^\d{2}[13579][0-2]/.test(digits) || digits.length !== 11) return false;
  const weights = [1, 3, 7, 9];
  const sum = [...digits.slice(0, 10)].reduce(
    (total, digit, i) => total + Number(digit) * (weights[i % 4] ?? 0),
    0,
  );
  return (10 - (sum % 10)) % 10 === digitAt(digits, 10);
}

/** Validates a Swiss social security number (AHV): EAN-13. */
export function isSwissAhv(text: string): boolean {
  const digits = onlyDigits(text);
  const sum = [...digits].reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return digits.length === 13 && sum % 10 === 0;
}

const VERHOEFF = ['0123456789', '1234067895', '2340178956', '3401289567', '4012395678'].concat([
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]);
const VERHOEFF_TURNS = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
].concat(['4286573901', '2793806415', '7046913258']);

/** Validates an Indian Aadhaar number: 12 digits, Verhoeff's algorithm. */
export function isAadhaar(text: string): boolean {
  const digits = onlyDigits(text);
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    const turned = Number(VERHOEFF_TURNS[i % 8]?.[digitAt(digits, digits.length - 1 - i)]);
    check = Number(VERHOEFF[check]?.[turned]);
  }
  return /^[2-9]\d{11}$/.test(digits) && check === 0;
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Validates a Base58Check address of 25 bytes, as Bitcoin uses. */
export function isBase58Address(text: string): boolean {
  let number = 0n;
  for (const character of text) number = number * 58n + BigInt(BASE58.indexOf(character));
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex');
  if (bytes.length !== 25) return false;
  const hash = (data: Buffer) => createHash('sha256').update(data).digest();
  return hash(hash(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}
