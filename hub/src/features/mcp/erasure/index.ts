// A person is forgotten: what the MCP gateway holds of them by their e-mail address. Their account itself stays: taking
// it away is the operator's.
import { foldName } from '@gatewarden/shared/names.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { eraseMember } from '../../people/groups/index.ts';
import { deleteProfile, selectMemberId } from '../../people/identity/index.ts';
import { eraseApprovals } from '../approvals/index.ts';
import { eraseSecrets, forgetSecretEverywhere } from '../connections/index.ts';
import { eraseGrants, type Grants } from '../grants/index.ts';
import { eraseCodes } from '../oauth/index.ts';
import { eraseRulesFor, type McpRules } from '../rules/index.ts';
import { eraseOAuthTokens, type TokenCheck } from '../tokens/index.ts';

export interface McpErasure {
  grants: Grants;
  check: TokenCheck;
  rules: McpRules;
}

/** Gives how many rows are gone. What was remembered of them is forgotten in every hub process with the transaction. */
export async function erasePersonsMcp(
  tx: Tx,
  deps: McpErasure,
  tenantId: string,
  email: string,
): Promise<number> {
  const folded = foldName(email);
  await eraseCodes(tx, tenantId, folded);
  let gone = await eraseApprovals(tx, tenantId, folded);
  for (const hash of await eraseOAuthTokens(tx, tenantId, folded)) {
    await deps.check.forgetEverywhere(tx, hash);
    gone++;
  }
  const ruled =
    (await eraseRulesFor(tx, tenantId, folded)) + (await eraseMember(tx, tenantId, folded)).length;
  if (ruled > 0) await deps.rules.forgetEverywhere(tx, tenantId);
  gone += ruled;
  const member = await selectMemberId(tx, tenantId, folded);
  if (member === null) return gone;
  const { user_id: userId } = member;
  if (await deleteProfile(tx, tenantId, userId)) gone++;
  for (const backendId of await eraseGrants(tx, tenantId, userId)) {
    await deps.grants.forgetEverywhere(tx, { tenantId, backendId, userId });
    gone++;
  }
  for (const backendId of await eraseSecrets(tx, tenantId, userId)) {
    await forgetSecretEverywhere(tx, { tenantId, backendId, userId });
    gone++;
  }
  return gone;
}
