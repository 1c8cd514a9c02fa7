// Built-in detection categories of every tenant. Imported categories are added; the same id replaces a built-in category.
import {
  ACTIONS,
  type Action,
  DETECTION_SCOPES,
  type DetectionScope,
} from './wire/management/app-config.ts';

export interface Category {
  id: string;
  name: string;
  subcategories: readonly string[];
  actions: readonly Action[];
  scopes: readonly DetectionScope[];
}

/** An attack has no text span to redact. */
const ADVERSARIAL: readonly Action[] = ['monitor', 'block'];

const data = (id: string, name: string, subcategories: string[]): Category => ({
  id,
  name,
  subcategories,
  actions: ACTIONS,
  scopes: DETECTION_SCOPES,
});
const attack = (id: string, name: string, subcategories: string[]): Category => ({
  ...data(id, name, subcategories),
  actions: ADVERSARIAL,
});

export const BUILT_IN_CATEGORIES: readonly Category[] = [
  data('pii', 'Personal data', [
    'person_name',
    'email_address',
    'phone_number',
    'postal_address',
    'date_of_birth',
    'national_id',
    'passport_number',
    'driver_license',
    'ip_address',
  ]),
  data('phi', 'Health data', [
    'medical_record_number',
    'health_insurance_id',
    'diagnosis',
    'medication',
    'lab_result',
  ]),
  data('pci', 'Payment card data', ['card_number', 'card_expiry', 'card_security_code']),
  data('pfi', 'Financial data', [
    'bank_account_number',
    'iban',
    'routing_number',
    'swift_code',
    'tax_id',
    'crypto_wallet',
  ]),
  data('secrets', 'Credentials', [
    'api_key',
    'access_token',
    'password',
    'private_key',
    'connection_string',
  ]),
  attack('prompt_injection', 'Prompt injection', [
    'direct_injection',
    'indirect_injection',
    'system_prompt_leak',
  ]),
  attack('jailbreak', 'Jailbreak', ['role_play', 'obfuscation', 'policy_bypass']),
  attack('security_exploit', 'Security exploit', [
    'malicious_code',
    'sql_injection',
    'command_injection',
    'path_traversal',
  ]),
  data('toxicity', 'Toxic content', ['hate', 'harassment', 'violence', 'sexual', 'self_harm']),
];

/** Returns the categories of a tenant: built-in categories, replaced by imported ones with their id, then the imported. */
export function mergeCategories<T extends Pick<Category, 'id'>>(
  imported: readonly T[],
): (Category | T)[] {
  const replaced = new Set(imported.map(({ id }) => id));
  return [...BUILT_IN_CATEGORIES.filter(({ id }) => !replaced.has(id)), ...imported];
}
