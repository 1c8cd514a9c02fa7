// Names and types of the agent's persistent state.

import type { PauseRecord } from '../enforcement/pause-rules.ts';
import type { PendingTermination } from '../enforcement/pending-termination.ts';
import type { SetUpRecord } from '../mcp-setup/setup-records.ts';

/** Every name, with the type of its value. */
export interface AgentState {
  /** Tenant and device whose data this file contains, as `tenant|device`. */
  belongs_to: string;
  cursor: string;
  /** True while the last page of the inbox has not arrived. */
  pull_unfinished: boolean;
  enforcement_ceiling: 'enforce' | 'monitor' | 'off';
  /** Discovery that the company allows. */
  discovery: { personal_homes?: boolean; browser_profiles?: boolean };
  /** Actions that users may take in the tray app, and their contact. */
  tray: { pause_minutes?: number; contact?: string | null };
  pause: PauseRecord;
  hub_clock: { hubMs: number; uptimeS: number; bootId: string | null };
  inventory_epoch: string;
  /** True from the request of a full scan until the hub has confirmed it completely. */
  full_scan_due: boolean;
  full_scan_confirmed_at: number;
  coverage_confirmed: string;
  scan_seq: number;
  process_map: { etag: string | null; version: number; mappings: unknown[] };
  /** Access requests that the hub does not have yet. */
  access_requests: WaitingRequest[];
  /** Entries written into users' MCP clients at their request. */
  mcp_setup: SetUpRecord[];
  alerts_dropped: number;
  /** Number of dropped alerts that were reported, or will be by a waiting alert. */
  alerts_dropped_reported: number;
  breaker_opened_at: number;
  /** Processes that are being ended right now. */
  endings: PendingTermination[];
  /** Id and revision of overrides that were reported as unsupported by this version. */
  unsupported_reported: string[];
  /** State of the kill switch that was reported last; a restart need not repeat it. */
  kill_switch_reported: boolean;
  /** When runs began that have not ended in order. */
  unended_starts: number[];
  /** True once the present crash loop was reported. */
  crash_loop_reported: boolean;
  update_asked_at: number;
  /** Versions that failed here and were reported. */
  updates_reported: string[];
  last_scan: { at: string; entities: number; duration_ms: number };
}

interface WaitingRequest {
  access_request_id: string;
  asked_at: string;
  entity_id: string | null;
  process_name: string | null;
  reason: string;
}
