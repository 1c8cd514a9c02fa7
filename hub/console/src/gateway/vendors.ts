// Vendor names of provider types, in this file only: the wire names vendors by letters.
import { visible } from '../ui/visible.ts';

/** Names by the vendor's prefix on the wire. Other letters show as "Vendor D" until an operator names them. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  vendorA: 'OpenAI',
  vendorB: 'Microsoft Azure',
  vendorC: 'Anthropic',
  vendorE: 'Google',
  vendorF: 'Oracle',
  vendorG: 'AWS',
  vendorK: 'Sarvam',
  vendorL: 'Slack',
};

/** The services of provider types besides chat, by the part of the wire name that marks them. */
const PART_NAMES: Readonly<Record<string, string>> = {
  ai: 'AI',
  assistants: 'Assistants',
  chatcompletions: 'Chat Completions',
  embeddings: 'Embeddings',
  messages: 'Messages',
  realtime: 'Realtime',
  rerank: 'Rerank',
  responses: 'Responses',
  studio: 'Studio',
};

const OWN_NAMES: Readonly<Record<string, string>> = {
  general: 'OpenAI-compatible',
  general_rerank: 'Rerank-compatible',
  gw_ai: 'Gatewarden AI',
};

/** Names that the operator of the hub gave other vendors, as the session has them. */
let operatorNames: Readonly<Record<string, string>> = {};

/** Sets the names of vendors by letter, `{ D: 'Acme' }`, from now on. Built-in names stay. */
export function setVendorNames(byLetter: Readonly<Record<string, string>>): void {
  operatorNames = Object.fromEntries(
    Object.entries(byLetter).map(([letter, name]) => [`vendor${letter}`, visible(name)]),
  );
}

const vendorName = (part: string): string =>
  VENDOR_NAMES[part] ?? operatorNames[part] ?? part.replace(/^vendor([A-Z])$/, 'Vendor $1');

/**
 * Returns the label of a provider type or mode of the wire: `Anthropic Messages on AWS` for
 * `vendorC_messages_vendorG`. Unknown parts keep their wire name.
 */
export function providerTypeLabel(type: string): string {
  const own = OWN_NAMES[type];
  if (own !== undefined) return own;
  const parts = type.split('_');
  const isVendor = (part: string) => /^vendor[A-Z]$/.test(part);
  const [vendor = '', ...hosts] = parts.filter(isVendor);
  // The first of two vendors without a word between them hosts the other: `vendorB_vendorA`.
  const isHostFirst = isVendor(parts[0] ?? '') && isVendor(parts[1] ?? '');
  const maker = isHostFirst ? (hosts[0] ?? vendor) : vendor;
  const host = isHostFirst ? vendor : hosts[0];
  const offers = parts.filter((part) => !isVendor(part)).map((part) => PART_NAMES[part] ?? part);
  const name = [vendorName(maker), ...offers].filter((part) => part !== '').join(' ');
  return host === undefined ? name : `${name} on ${vendorName(host)}`;
}

/** Returns true if neither this file nor an operator names a vendor of the provider type. */
export const isOfUnnamedVendor = (type: string): boolean =>
  /^Vendor [A-Z]|on Vendor [A-Z]$/.test(providerTypeLabel(type));

/** Replaces the vendor letters in a wire name with vendor names: `AWS region` for `vendorG_region`. */
export function withVendorNames(words: string): string {
  return words.replace(/\bvendor[A-Z]\b/gi, (part) =>
    vendorName(`vendor${part.at(-1)?.toUpperCase() ?? ''}`),
  );
}
