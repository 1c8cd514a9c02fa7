// A difference as people read it in a terminal or a review.
import type { Difference } from './plan.ts';

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** One line for each resource, and one for each field that changes below it. */
export function differenceText({ changes, unmanaged, unset }: Difference): string {
  const lines = changes.flatMap(({ resource, action, fields, secrets }) => [
    `${SIGNS[action]} ${resource}${secrets > 0 ? ` (${counted(secrets)} sent along)` : ''}`,
    ...fields.map((one) => `    ${one.field}: ${short(one.before)} -> ${short(one.after)}`),
  ]);
  if (changes.length === 0) lines.push('Nothing differs.');
  lines.push(...unmanaged.map((one) => `  ${one} is not in the file and stays`));
  lines.push(...unset.map((one) => `  ${one} is not set: what it stands for stays`));
  return lines.join('\n');
}

const counted = (secrets: number) => (secrets === 1 ? 'a secret is' : `${secrets} secrets are`);

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
