// What `status` answers: the shape that the command line, the tray and scripts rely on.
import type { EnforcementMode } from './config/toml.ts';
import type { UpdateStatus } from './update/status.ts';

export interface AgentStatus {
  device_id: string;
  agent_version: string;
  /** What it may do right now: the least of configuration, hub, kill switch and breaker. */
  enforcement: EnforcementMode;
  hub: {
    url: string;
    reachable: boolean;
    last_contact_at: string | null;
    last_error: string | null;
  };
  cursor: string | null;
  overrides: number;
  alerts_queued: number;
  alerts_dropped: number;
  last_scan: { at: string; entities: number; duration_ms: number } | null;
  breaker: 'open' | 'closed';
  update: UpdateStatus;
}
