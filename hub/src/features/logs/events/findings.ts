// What guardrails found, by the identifiers of their categories: an identifier is a key below an action. The counting
// rules read these bits; custom categories count by the marker in their identifier.

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
  /** Any identifier at all: a violation. */
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
const WHOLE = ['pii', 'phi', 'pci', 'pfi', 'edm'] as const;

/** The identifiers, redacted, lower-cased, once each and in order. */
export function categoriesOf(
  actions: Record<string, Record<string, unknown>>,
  redacted: (id: string) => string,
): string[] {
  const found = new Set<string>();
  for (const categories of Object.values(actions)) {
    for (const id of Object.keys(categories)) found.add(redacted(id).toLowerCase());
  }
  return [...found].sort();
}

export function findingsOf(categories: readonly string[]): number {
  let bits = categories.length === 0 ? 0 : FINDINGS.any;
  for (const category of categories) {
    const name = category.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
    for (const [marker, bit] of CONTAINED) if (name.includes(marker)) bits |= bit;
    const words = name.split('_');
    for (const word of WHOLE) if (words.includes(word)) bits |= FINDINGS[word];
  }
  return bits;
}
