// C/discovery-scope: the parts of a device that the tenant permits discovery to scan.
import { type Static, Type } from 'typebox';

export const DiscoveryScopeInput = Type.Object(
  {
    /** False: discovery skips the homes of users, and earlier entities from homes are erased. */
    personal_homes: Type.Boolean(),
    /** False: discovery skips browser profiles, and earlier extensions from profiles are erased. */
    browser_profiles: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type DiscoveryScopeInput = Static<typeof DiscoveryScopeInput>;

export const DiscoveryScopeAnswer = Type.Object({
  personal_homes: Type.Boolean(),
  browser_profiles: Type.Boolean(),
  version: Type.String(),
  request_id: Type.String(),
});
export type DiscoveryScopeAnswer = Static<typeof DiscoveryScopeAnswer>;
