// Tokens with which sample data is loaded into a tenant.
import {
  SAMPLE_TOKEN_NAME,
  type SampleDataDeps,
  type SampleTokens,
} from '../features/console/sample-data/index.ts';
import { createAgentToken, revokeAgentToken } from '../features/devices/enrollment/index.ts';
import { createNodeToken, revokeNodeToken } from '../features/nodes/tokens/index.ts';
import type { Db } from '../platform/db/database.ts';
import { forgetTenant } from './forget-tenant.ts';

const AGENT_TOKEN_LIFETIME_MS = 3_600_000;

/** Calls `work` with an agent token and a node token of the tenant; both are revoked after it. */
export async function withSampleTokens<T>(
  db: Db,
  tenantId: string,
  work: (tokens: SampleTokens) => Promise<T>,
): Promise<T> {
  const agent = await createAgentToken(db, {
    ...{ tenantId, name: SAMPLE_TOKEN_NAME, enrolOnly: true },
    expiresAt: new Date(Date.now() + AGENT_TOKEN_LIFETIME_MS),
  });
  const node = await createNodeToken(db, { name: SAMPLE_TOKEN_NAME, tenantId });
  try {
    return await work({ agentToken: agent.token, nodeToken: node.token });
  } finally {
    await revokeNodeToken(db, node.token_id);
    await revokeAgentToken(db, agent.token_id);
  }
}

/** Returns the dependencies of the console's routes of sample data. */
export const sampleDataDeps = (db: Db): SampleDataDeps => ({
  db,
  invalidate: forgetTenant,
  withTokens: (tenantId, work) => withSampleTokens(db, tenantId, work),
});
