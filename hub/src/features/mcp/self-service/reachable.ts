// Whether a user reaches a server through the gateway, and its path segment.
import { foldName } from '@gatewarden/shared/names.ts';
import type { Policy } from '../access-policies/index.ts';
import { type BackendFinder, type BackendRow, isAnonymous } from '../backends/index.ts';

/** Returns whether the user may use the server or at least a tool. */
export const hasPart = (
  policy: Policy,
  email: string,
  { backend_id: backendId, auth }: Pick<BackendRow, 'backend_id' | 'auth'>,
): boolean => policy.reaches(backendId, isAnonymous(auth) ? null : foldName(email));

/** Returns the path segment of the URL: the slug, or the id if another tenant has the same slug. */
export async function addressOf(
  finder: BackendFinder,
  { slug, backend_id: backendId }: Pick<BackendRow, 'slug' | 'backend_id'>,
): Promise<string> {
  return (await finder.find(slug)) === null ? backendId : slug;
}
