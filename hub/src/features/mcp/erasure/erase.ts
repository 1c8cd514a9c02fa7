// Erasure of a user's data by e-mail address. The account itself remains: only the operator can delete it.
import { foldName } from '@gatewarden/shared/names.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { eraseMember } from '../../people/groups/index.ts';
import { deleteProfile, selectMemberId } from '../../people/identity/index.ts';
import { type AccessPolicies, eraseRulesFor } from '../access-policies/index.ts';
import { eraseOAuthTokens, type TokenCheck } from '../access-tokens/index.ts';
import { eraseApprovals } from '../call-approvals/index.ts';
import { eraseCodes } from '../oauth/index.ts';
import {
  eraseGrants,
  eraseSecrets,
  forgetSecretEverywhere,
  type OAuthConnections,
} from '../upstream-auth/index.ts';

export interface McpErasure {
  oauthConnections: OAuthConnections;
  tokenCheck: TokenCheck;
  accessPolicies: AccessPolicies;
}

/** Erases the rows, and returns their number. Caches are invalidated in every process when the transaction commits. */
export async function eraseUser(
  tx: Tx,
  deps: McpErasure,
  tenantId: string,
  email: string,
): Promise<number> {
  const { oauthConnections, tokenCheck, accessPolicies } = deps;
  const folded = foldName(email);
  await eraseCodes(tx, tenantId, folded);
  let erased = await eraseApprovals(tx, tenantId, folded);
  for (const hash of await eraseOAuthTokens(tx, tenantId, folded)) {
    await tokenCheck.invalidateEverywhere(tx, hash);
    erased++;
  }
  const policies = await eraseRulesFor(tx, tenantId, folded);
  const memberships = (await eraseMember(tx, tenantId, folded)).length;
  if (policies + memberships > 0) await accessPolicies.forgetEverywhere(tx, tenantId);
  erased += policies + memberships;
  const member = await selectMemberId(tx, tenantId, folded);
  if (member === null) return erased;
  const { user_id: userId } = member;
  if (await deleteProfile(tx, tenantId, userId)) erased++;
  for (const backendId of await eraseGrants(tx, tenantId, userId)) {
    await oauthConnections.invalidateEverywhere(tx, { tenantId, backendId, userId });
    erased++;
  }
  for (const backendId of await eraseSecrets(tx, tenantId, userId)) {
    await forgetSecretEverywhere(tx, { tenantId, backendId, userId });
    erased++;
  }
  return erased;
}
