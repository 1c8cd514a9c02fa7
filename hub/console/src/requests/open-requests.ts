// The open access requests that the navigation counts.
import type { AccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { useResource } from '../api/tenant.ts';

/** Enough to count to "99+"; the page reads the list itself. */
const COUNTED = 100;

type OpenRequests = ListAnswer<AccessRequest>;

export function useOpenRequests() {
  return useResource<OpenRequests>(
    'access-requests',
    '/access-requests',
    { state: 'open', limit: COUNTED },
    'aside',
  );
}

/** Returns the number beside "Access requests"; null where there is none to show. */
export function openRequestsText(open: OpenRequests | undefined): string | null {
  if (open === undefined || open.items.length === 0) return null;
  return open.items.length >= COUNTED ? `${COUNTED - 1}+` : String(open.items.length);
}
