// Text of a difference for a terminal or a review.
import type { Difference } from './plan.ts';

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** Returns a line for each resource, and a line below it for each changed field. */
export function differenceText({ changes, unmanaged, unset }: Difference): string {
  const lines = changes.flatMap(({ resource, action, fields, secrets }) => [
    `${SIGNS[action]} ${resource}${secrets > 0 ? ` (${counted(secrets)} sent along)` : ''}`,
    ...fields.map((field) => `    ${field.field}: ${short(field.before)} -> ${short(field.after)}`),
  ]);
  if (changes.length === 0) lines.push('Nothing differs.');
  lines.push(...unmanaged.map((resource) => `  ${resource} is not in the file and stays`));
  lines.push(...unset.map((variable) => `  ${variable} is not set: the secret stays unchanged`));
  return lines.join('\n');
}

const counted = (secrets: number) => (secrets === 1 ? 'a secret is' : `${secrets} secrets are`);

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
