// Creates resources with an id that the client chose. A client that missed the response repeats its request, and the
// resource is created only once.
import { randomUUID } from 'node:crypto';
import { HubError } from '../errors/errors.ts';

/**
 * Creates a resource with the chosen id, or with a random id. `create` must use its own transaction. Throws
 * `already_exists` if the chosen id is taken.
 */
export async function createWithId<Resource>(
  chosen: string | undefined,
  create: (id: string) => Promise<Resource>,
): Promise<Resource> {
  if (chosen === undefined) return create(randomUUID());
  try {
    return await create(chosen.toLowerCase());
  } catch (error) {
    if (!isIdTaken(error)) throw error;
    throw new HubError('already_exists', 'A resource with this ID already exists.');
  }
}

/**
 * Returns whether an error is PostgreSQL's unique_violation of a primary key. A partition's key is named after the
 * partition. Citus names the key of the shard, only in the message, and omits the code when it copies rows to another
 * node.
 */
export function isIdTaken(error: unknown): boolean {
  const { code, constraint, message } = error as Partial<Record<string, unknown>>;
  return (
    (code === '23505' || code === 'XX000') &&
    /_pkey\d*(_\d+)?\b/.test(String(constraint ?? message))
  );
}
