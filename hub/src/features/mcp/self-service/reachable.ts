// Whether a person reaches a server through the gateway, and under which address.
import { foldName } from '@gatewarden/shared/names.ts';
import type { Policy } from '../access-policies/index.ts';
import { type BackendFinder, type BackendRow, isAnonymous } from '../backends/index.ts';

/** The server as a whole, or one of its tools at least. */
export const hasPart = (
  policy: Policy,
  email: string,
  { backend_id: backendId, auth }: Pick<BackendRow, 'backend_id' | 'auth'>,
): boolean => policy.reaches(backendId, isAnonymous(auth) ? null : foldName(email));

/** What stands in its URL: a slug that another company uses too leads nowhere; the id does. */
export async function addressOf(
  finder: BackendFinder,
  { slug, backend_id: backendId }: Pick<BackendRow, 'slug' | 'backend_id'>,
): Promise<string> {
  return (await finder.find(slug)) === null ? backendId : slug;
}
