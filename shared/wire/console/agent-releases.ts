// GET C/agent-releases: the agent versions that devices are offered, run, and rolled back. Releases belong to the whole
// installation; only the hub's command line adds, widens and withdraws them.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';

const Count = Type.Integer({ minimum: 0 });

export const AgentRelease = Type.Object(
  {
    release_id: Uuid,
    version: Type.String(),
    channel: Type.String(),
    platform: OneOf(PLATFORMS),
    arch: Type.String(),
    /** The oldest version that can install this release directly. */
    minimum_version: Type.String(),
    ring_percent: Count,
    /** Device groups of the tenant that receive the release regardless of the percentage. */
    groups: Type.Array(Type.Object({ group_id: Uuid, name: Type.String() })),
    added_at: Type.String(),
    expires_at: Type.String(),
    withdrawn_at: Nullable(Type.String()),
    state: OneOf(['offered', 'expired', 'withdrawn'] as const),
  },
  { title: 'AgentRelease' },
);
export type AgentRelease = Static<typeof AgentRelease>;

export const AgentReleasesAnswer = Type.Object({
  /** Releases, newest first. */
  releases: Type.Array(AgentRelease),
  /** Versions on the tenant's devices without retired devices, most devices first, at most 100. */
  versions: Type.Array(
    Type.Object({
      version: Type.String(),
      platform: OneOf(PLATFORMS),
      arch: Type.String(),
      devices: Count,
      /** Devices seen in the last 24 hours. */
      seen_today: Count,
    }),
  ),
  /** Versions that a device installed and rolled back in the last 30 days, newest first, at most 100. */
  rolled_back: Type.Array(
    Type.Object({
      alert_id: Uuid,
      device_id: Uuid,
      hostname: Type.String(),
      message: Type.String(),
      received_at: Type.String(),
    }),
  ),
  request_id: Type.String(),
});
export type AgentReleasesAnswer = Static<typeof AgentReleasesAnswer>;
