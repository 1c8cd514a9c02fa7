// Creations under an id of their maker's own: whoever never had the answer sends the same again, and nothing is made twice.
import { randomUUID } from 'node:crypto';
import { HubError } from './errors.ts';

/**
 * Creates under the chosen id, or under a new one. `create` stores in a transaction of its own. Throws `already_exists`
 * where the chosen id is taken.
 */
export async function createdUnder<Made>(
  chosen: string | undefined,
  create: (id: string) => Promise<Made>,
): Promise<Made> {
  if (chosen === undefined) return create(randomUUID());
  try {
    return await create(chosen.toLowerCase());
  } catch (error) {
    if (!isIdTaken(error)) throw error;
    throw new HubError('already_exists', 'A resource with this ID already exists.');
  }
}

/**
 * PostgreSQL's unique_violation, of a primary key: of a partition, it is called after that. Citus names it in the message
 * alone, as that of the shard, and without the code where it copies rows to another node.
 */
export function isIdTaken(error: unknown): boolean {
  const { code, constraint, message } = error as Partial<Record<string, unknown>>;
  return (
    (code === '23505' || code === 'XX000') &&
    /_pkey\d*(_\d+)?\b/.test(String(constraint ?? message))
  );
}
