// The adoption of a server: who uses it through the gateway, and who reaches it without the gateway. Pure.
import type { Adoption } from '@gatewarden/shared/wire/console/mcp-server-health.ts';

/** Counts each user once: a user with direct use is direct, whether or not the user also calls through the gateway. */
export function countAdoption(
  gatewayUsers: Iterable<string>,
  directUsers: Iterable<string>,
): Adoption {
  const direct = new Set(directUsers);
  const gateway = new Set(gatewayUsers);
  return { gateway: [...gateway].filter((user) => !direct.has(user)).length, direct: direct.size };
}
