// Findings of guardrails as bits, by the identifiers of their categories: an identifier is a key below an action.
// Metrics count these bits; custom categories count by the marker in their identifier.

export const FINDINGS = {
  injection: 1,
  jailbreak: 2,
  exploit: 4,
  secrets: 8,
  pii: 16,
  phi: 32,
  pci: 64,
  pfi: 128,
  edm: 256,
  client: 512,
  /** Set for any identifier: a violation. */
  any: 1024,
} as const;

const CONTAINED: readonly [marker: string, bit: number][] = [
  ['prompt_injection', FINDINGS.injection],
  ['jailbreak', FINDINGS.jailbreak],
  ['exploit', FINDINGS.exploit],
  ['secret', FINDINGS.secrets],
  ['credential', FINDINGS.secrets],
  ['client_data', FINDINGS.client],
  ['customer_data', FINDINGS.client],
];
const EXACT = ['pii', 'phi', 'pci', 'pfi', 'edm'] as const;

/** Returns the identifiers: redacted, in lower case, unique and sorted. */
export function categoriesOf(
  actions: Record<string, Record<string, unknown>>,
  redactId: (id: string) => string,
): string[] {
  const ids = new Set<string>();
  for (const categories of Object.values(actions)) {
    for (const id of Object.keys(categories)) ids.add(redactId(id).toLowerCase());
  }
  return [...ids].sort();
}

/** Returns the bits of the categories. */
export function findingsOf(categories: readonly string[]): number {
  let bits = categories.length === 0 ? 0 : FINDINGS.any;
  for (const category of categories) {
    const name = category.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
    for (const [marker, bit] of CONTAINED) if (name.includes(marker)) bits |= bit;
    const words = name.split('_');
    for (const word of EXACT) if (words.includes(word)) bits |= FINDINGS[word];
  }
  return bits;
}
