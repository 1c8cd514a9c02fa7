// The step of the policy scale that covers an app everywhere, as SQL; `shared/policy-scale.ts` decides about each pair.
import { POLICY_STEPS, policyStep } from '@gatewarden/shared/policy-scale.ts';
import { APPROVAL_STATUSES, EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';

const PAIRS = APPROVAL_STATUSES.flatMap((approval) =>
  EXECUTION_POLICIES.map((policy) => ({ approval, policy, ...policyStep({ approval, policy }) })),
);

/** The columns of an app's tenant-wide override, and the time since which the app drifts; each is null without any. */
export interface DecidedColumns {
  driftedAt: RawBuilder<unknown>;
  approval: RawBuilder<unknown>;
  policy: RawBuilder<unknown>;
}

const isPairOf = ({ approval, policy }: DecidedColumns, pairs: typeof PAIRS) =>
  sql`(${approval}, ${policy}) IN (${sql.join(
    pairs.map((pair) => sql`(${sql.lit(pair.approval)}, ${sql.lit(pair.policy)})`),
  )})`;

/** Returns the SQL expression of the step; an app that drifted, or without an override, is unreviewed. */
export const appPolicyStep = (columns: DecidedColumns): RawBuilder<unknown> => sql`
  CASE WHEN ${columns.driftedAt} IS NOT NULL THEN 'unreviewed'
    ${sql.join(
      POLICY_STEPS.filter((step) => step !== 'unreviewed').map(
        (step) =>
          sql`WHEN ${isPairOf(
            columns,
            PAIRS.filter((pair) => pair.step === step),
          )} THEN ${sql.lit(step)}`,
      ),
      sql` `,
    )}
    ELSE 'unreviewed' END`;

/** Returns the SQL condition that the pair lies beside the five steps. */
export const isCustomPolicy = (columns: DecidedColumns): RawBuilder<boolean> => sql<boolean>`
  coalesce(${columns.driftedAt} IS NULL AND ${isPairOf(
    columns,
    PAIRS.filter((pair) => pair.isCustom),
  )}, false)`;
