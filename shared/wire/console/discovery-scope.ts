// C/discovery-scope: what the tenant lets discovery look at on its devices.
import { type Static, Type } from 'typebox';

export const DiscoveryScopeInput = Type.Object(
  {
    /** False: people's homes are not looked into, and what was found there is erased. */
    personal_homes: Type.Boolean(),
    /** False: browser profiles are left alone, and the extensions found there are erased. */
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
