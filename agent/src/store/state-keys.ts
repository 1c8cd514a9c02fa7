// What the agent remembers by name, and of what type each is.

import type { PauseRecord } from '../enforcement/pause-rules.ts';
import type { PendingTermination } from '../enforcement/pending-termination.ts';
import type { SetUpRecord } from '../mcp-setup/setup-records.ts';

/** Every name, with the type of its value. */
export interface RememberedState {
  /** `tenant|device`: whose data this file holds. */
  belongs_to: string;
  cursor: string;
  /** True while the last page of what the inbox holds is still to come. */
  pull_unfinished: boolean;
  enforcement_ceiling: 'enforce' | 'monitor' | 'off';
  /** What the company lets discovery look at. */
  discovery: { personal_homes?: boolean; browser_profiles?: boolean };
  /** What people may do in the tray app, and whom they are to ask. */
  tray: { pause_minutes?: number; contact?: string | null };
  pause: PauseRecord;
  hub_clock: { hubMs: number; uptimeS: number; bootId: string | null };
  inventory_epoch: string;
  /** True from the moment a full scan is wanted until the hub has confirmed all of one. */
  full_scan_due: boolean;
  full_scan_confirmed_at: number;
  coverage_confirmed: string;
  scan_seq: number;
  process_map: { etag: string | null; version: number; mappings: unknown[] };
  /** What people asked for and the hub has not yet. */
  access_requests: WaitingRequest[];
  /** What was put into people's MCP clients at their wish. */
  mcp_setup: SetUpRecord[];
  alerts_dropped: number;
  /** So many of them the hub was told of, or will be by what waits. */
  alerts_dropped_reported: number;
  breaker_opened_at: number;
  /** Of processes that are being ended right now. */
  endings: PendingTermination[];
  /** Decisions of which the hub was told that this version does not understand them: id and revision. */
  unsupported_reported: string[];
  /** That the kill switch is off-switched was told; a restart need not tell it again. */
  kill_switch_reported: boolean;
  /** When runs began that have not ended in order. */
  unended_starts: number[];
  /** The hub was told of the crash loop that lasts. */
  crash_loop_reported: boolean;
  update_asked_at: number;
  /** Versions that did not work here, and that the hub was told of. */
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
