// Detectors of personal data (pii) and health data (phi).
import { isIP } from 'node:net';
import {
  isAadhaar,
  isFrenchNir,
  isPesel,
  isSocialSecurityNumber,
  isSpanishDni,
  isSwissAhv,
} from './checksums.ts';
import { detectLabeled, detectPattern } from './patterns.ts';

const MIXED = '(?=[a-z0-9-]{0,20}\\d)[a-z0-9][a-z0-9-]{4,18}[a-z0-9]';
const DATE =
  '\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}|\\d{1,2}(?:st|nd|rd|th|\\.)? [a-zäéû]{3,10},? \\d{4}|[a-z]{3,9} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}';
const STREET_TYPES =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy';

export const PERSONAL_DETECTORS = [
  detectPattern(
    'pii/email_address',
    /(?<![\w.+%'-])[\w.+%'-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/i,
    { contains: '@' },
  ),
  detectPattern('pii/phone_number', /(?<![\w+])\+\d{1,3}(?:[ .()/-]{0,2}\d){7,13}(?!\d)/),
  detectPattern(
    'pii/phone_number',
    /(?<![\w.-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4}(?![\w-]|\.\d)/,
    { name: 'phone_number_us', level: 'medium' },
  ),
  detectPattern('pii/phone_number', /(?<![\w.,/-])0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5}(?![\w-])/, {
    name: 'phone_number_national',
    level: 'high',
  }),
  detectLabeled(
    'pii/phone_number',
    ['phone', 'telephone', 'tel', 'mobile', 'cell', 'fax', 'telefon', 'handy', 'whatsapp'],
    '[+(]?\\d(?:[ .()/-]{0,3}\\d){6,14}',
  ),
  detectPattern('pii/national_id', /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/, {
    name: 'ssn_us',
    accepts: isSocialSecurityNumber,
  }),
  detectLabeled('pii/national_id', ['ssn', 'social security'], '\\d{3}[ -]?\\d{2}[ -]?\\d{4}', {
    accepts: isSocialSecurityNumber,
  }),
  detectPattern(
    'pii/national_id',
    /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/,
    { name: 'nino_uk' },
  ),
  detectPattern(
    'pii/national_id',
    /(?<!\w)[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/,
    { name: 'nir_fr', accepts: isFrenchNir },
  ),
  detectPattern('pii/national_id', /(?<![\w-])(?:\d{8}|[XYZ]\d{7})-?[A-Z](?![\w-])/, {
    name: 'dni_es',
    accepts: isSpanishDni,
  }),
  detectPattern('pii/national_id', /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPR-T][0-7]\d[A-Z]\d{3}[A-Z](?!\w)/, {
    name: 'codice_fiscale_it',
  }),
  detectPattern('pii/national_id', /(?<!\w)756\.\d{4}\.\d{4}\.\d{2}(?!\w)/, {
    name: 'ahv_ch',
    accepts: isSwissAhv,
  }),
  detectPattern(
    'pii/national_id',
    /(?<!\d[ -])(?<!\w)[2-9]\d{3}(?: \d{4} |-\d{4}-)\d{4}(?!\w|[ -]\d)/,
    {
      name: 'aadhaar_in',
      level: 'medium',
      accepts: isAadhaar,
    },
  ),
  detectPattern('pii/national_id', /(?<![\w.-])\d{11}(?![\w-])/, {
    name: 'pesel_pl',
    level: 'high',
    accepts: isPesel,
  }),
  detectLabeled(
    'pii/national_id',
    [
      'national id',
      'identity card',
      'id card',
      'personalausweis',
      'pesel',
      'bsn',
      'aadhaar',
      'curp',
    ],
    MIXED,
  ),
  detectLabeled('pii/passport_number', ['passport', 'reisepass', 'passeport', 'pasaporte'], MIXED),
  detectLabeled(
    'pii/driver_license',
    ["driver'?s? licen[cs]e", 'driving licen[cs]e', 'dl', 'führerschein', 'permis de conduire'],
    MIXED,
  ),
  detectLabeled(
    'pii/date_of_birth',
    [
      'dob',
      'date of birth',
      'birth date',
      'birthdate',
      'birthday',
      'born(?: on)?',
      'geboren(?: am)?',
      'geburtsdatum',
    ],
    DATE,
  ),
  detectLabeled(
    'pii/date_of_birth',
    ['né le', 'née le', 'fecha de nacimiento', 'nacido el'],
    DATE,
    {
      name: 'date_of_birth_label_romance',
    },
  ),
  detectPattern('pii/ip_address', /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/, {
    level: 'medium',
    accepts: (value) => isIP(value) === 4,
  }),
  detectPattern('pii/ip_address', /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:.])/i, {
    name: 'ip_address_v6',
    level: 'medium',
    contains: ':',
    accepts: (value) => value.length > 4 && isIP(value) === 6,
  }),
  detectPattern(
    'pii/postal_address',
    new RegExp(
      `(?<![\\w-])\\d{1,6}[A-Za-z]? (?:[A-Z][\\w.'-]{0,30} ){1,4}(?:${STREET_TYPES})(?![\\w-])(?:[.,]{0,2} ?[A-Z][\\w .-]{1,40},? [A-Z]{2} \\d{5}(?:-\\d{4})?)?`,
    ),
    { name: 'postal_address_us', level: 'medium' },
  ),
  detectPattern(
    'pii/postal_address',
    /(?<![\w-])[A-ZÄÖÜ][\wäöüß-]{1,40}(?:straße|strasse|str\.|weg|gasse|platz|allee) \d{1,4} ?[a-z]?(?:, ?\d{5} [A-ZÄÖÜ][\wäöüß -]{1,40})?(?!\w)/,
    { name: 'postal_address_de', level: 'medium' },
  ),
  detectPattern('pii/postal_address', /(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)/, {
    name: 'postcode_uk',
    level: 'medium',
  }),
  // A name without a title or a label needs a model; unsupported.ts reports it.
  detectPattern(
    'pii/person_name',
    /(?<!\w)(?:(?:[Mm]y name is|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Prof\.?|Herr|Frau) (?=[A-ZÀ-Þ])|(?:[Nn]ame|[Pp]atient|[Cc]ustomer): (?=[A-ZÀ-Þ][\wà-ÿ'-]{1,30} [A-ZÀ-Þ]))([A-ZÀ-Þ][\wà-ÿ'-]{1,30}(?: [A-ZÀ-Þ][\wà-ÿ'-]{1,30}){0,3})(?!\w)/,
    { name: 'person_name_label', level: 'medium' },
  ),
  detectLabeled(
    'phi/medical_record_number',
    ['mrn', 'medical record', 'patient id', 'patient number', 'chart number', 'patientennummer'],
    MIXED,
  ),
  detectLabeled(
    'phi/health_insurance_id',
    [
      'member id',
      'insurance id',
      'health insurance',
      'policy id',
      'subscriber id',
      'nhs',
      'medicare',
    ],
    '(?=[a-z0-9 -]{0,20}\\d)[a-z0-9](?:[ -]?[a-z0-9]){5,15}',
  ),
  detectPattern(
    'phi/health_insurance_id',
    /(?<![\w-])[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}(?![\w-])/,
    { name: 'medicare_us' },
  ),
  detectLabeled(
    'phi/diagnosis',
    ['icd', 'icd-10', 'icd-10-cm', 'diagnosis', 'diagnosis code', 'dx'],
    '[a-tv-z]\\d[0-9ab](?:\\.[0-9a-z]{1,4})?',
  ),
  detectPattern(
    'phi/medication',
    /(?:cillin|statin|prazole|sartan|formin|olol|april|azepam|oxetine|mycin|cycline)(?!\w)/,
    { level: 'medium', isFolded: true, isSuffix: true },
  ),
  detectLabeled('phi/medication', ['ndc'], '\\d{4,5}-\\d{3,4}-\\d{1,2}'),
  detectPattern(
    'phi/lab_result',
    /(?<!\w)(?:hba1c|a1c|glucose|cholesterol|ldl|hdl|creatinine|h(?:a)?emoglobin|triglycerides|tsh|psa|wbc|rbc|platelets|inr|crp|egfr)(?!\w)[^\d\n]{0,20}\d{1,4}(?:\.\d{1,3})? ?(?:%|mg\/dl|mmol\/l|mmol\/mol|g\/dl|g\/l|u\/l|iu\/l|ng\/ml|µmol\/l|miu\/l|ml\/min|x?10)/,
    { isFolded: true },
  ),
];
