// Whether a person reaches a server through the gateway, and under which address.
import { foldName } from '@gatewarden/shared/names.ts';
import type { BackendFinder, BackendRow } from '../backends/index.ts';
import type { ToolPins } from '../pins/index.ts';
import type { Policy } from '../rules/index.ts';

/** The server as a whole, or one of its tools at least. */
export async function hasPart(
  { pins }: { pins: ToolPins },
  policy: Policy,
  { tenantId, email }: { tenantId: string; email: string },
  backendId: string,
): Promise<boolean> {
  const folded = foldName(email);
  if (policy.decide(backendId, null, folded).allowed) return true;
  const tools = await pins.known({ tenantId, backendId });
  return [...tools.keys()].some((tool) => policy.decide(backendId, tool, folded).allowed);
}

/** What stands in its URL: a slug that another company uses too leads nowhere; the id does. */
export async function addressOf(
  finder: BackendFinder,
  { slug, backend_id: backendId }: Pick<BackendRow, 'slug' | 'backend_id'>,
): Promise<string> {
  return (await finder.find(slug)) === null ? backendId : slug;
}
