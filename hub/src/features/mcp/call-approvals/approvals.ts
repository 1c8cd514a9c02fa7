// Approvals of single calls: pending requests, and approvals that let a call through once.
import { createHash, randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { redact } from '@gatewarden/shared/redaction/redact.ts';
import canonicalize from 'canonicalize';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import {
  hasLosslessNumbers,
  stringifyLossless,
  withTextNumbers,
} from '../../../platform/http/json/lossless-numbers.ts';
import {
  type CallKey,
  countPending,
  insertApproval,
  SEALED_APPROVALS,
  selectPending,
  useGrant,
} from './store.ts';

const PENDING_MINUTES = 24 * 60;
/** Pending requests per user, so that a client cannot fill the list. */
const PENDING_MAX = 100;
const SHOWN_MAX_CHARS = 16 * 1024;

export interface ApprovalCall {
  tenantId: string;
  ruleId: string;
  backendId: string;
  tool: string;
  email: string;
  arguments: unknown;
  byReviewer: boolean;
}

export interface Approvals {
  /** Uses an approval of this call, and returns its id, or null. */
  use(call: ApprovalCall): Promise<string | null>;
  /** Returns the id of the pending request for this call; null: too many are pending. */
  request(call: ApprovalCall): Promise<string | null>;
  /** Records the caller's own decision. Returns false if `approvalId` was decided before. */
  recordDecision(call: ApprovalCall, approvalId: string, isGranted: boolean): Promise<boolean>;
}

export function createApprovals(db: Db, sealer: Sealer): Approvals {
  const sealedFor = (call: ApprovalCall, approvalId: string) => {
    const shown = JSON.stringify(redact(withTextNumbers(call.arguments ?? {})));
    const text = shown.length > SHOWN_MAX_CHARS ? JSON.stringify('too long to be shown') : shown;
    return sealer.seal(text, locationOf(SEALED_APPROVALS, [call.tenantId, approvalId]));
  };
  const make = (
    call: ApprovalCall,
    approvalId: string,
    more: { state: 'pending' | 'used' | 'denied'; minutes: number; decidedBy: string | null },
  ) =>
    insertApproval(db, callKey(call), {
      approvalId,
      email: call.email,
      sealedArguments: sealedFor(call, approvalId),
      byReviewer: call.byReviewer,
      ...more,
    });
  return {
    use: async (call) => (await useGrant(db, callKey(call)))?.approval_id ?? null,
    async request(call) {
      const key = callKey(call);
      const known = await selectPending(db, key);
      if (known !== null) return known.approval_id;
      if ((await countPending(db, call.tenantId, key.emailFolded)) >= PENDING_MAX) return null;
      const approvalId = randomUUID();
      await make(call, approvalId, { state: 'pending', minutes: PENDING_MINUTES, decidedBy: null });
      await notify(db, { kind: 'page', tenant: call.tenantId, topic: 'mcp' });
      return approvalId;
    },
    recordDecision: (call, approvalId, isGranted) =>
      make(call, approvalId, {
        state: isGranted ? 'used' : 'denied',
        minutes: PENDING_MINUTES,
        decidedBy: call.email,
      }),
  };
}

function callKey(call: ApprovalCall): CallKey {
  const sent = call.arguments ?? {};
  // The approval covers the exact digits of numbers, in any order of members.
  const text = hasLosslessNumbers(sent) ? stringifyLossless(sent) : (canonicalize(sent) ?? '');
  return {
    tenantId: call.tenantId,
    ruleId: call.ruleId,
    backendId: call.backendId,
    tool: call.tool,
    emailFolded: foldName(call.email),
    digest: createHash('sha256').update(text).digest(),
  };
}
