// GET C/agent-releases: which versions of the agent devices are offered, run, and gave up. They are added, widened and
// withdrawn at the hub's command line alone: they are of the whole installation.
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
    /** Over which version it may be installed. */
    minimum_version: Type.String(),
    ring_percent: Count,
    /** Device groups of the tenant that have it whatever the percentage. */
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
  /** Newest first. */
  releases: Type.Array(AgentRelease),
  /** What the tenant's devices run; those that are retired do not count. Most devices first, at most 100. */
  versions: Type.Array(
    Type.Object({
      version: Type.String(),
      platform: OneOf(PLATFORMS),
      arch: Type.String(),
      devices: Count,
      /** Seen in the last day. */
      seen_today: Count,
    }),
  ),
  /** Versions that a device tried and gave up in the last 30 days; the newest 100. */
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
