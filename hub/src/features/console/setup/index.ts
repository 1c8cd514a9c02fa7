// Setup: GET C/setup, the checklist of a new organization.
// Main types: the wire type `SetupAnswer`.
// Invariants: a step is done as soon as its object exists, whoever created it; nothing is stored.
// Depends on the tables of the wings, which it only reads.
// Start reading at `registerSetup`, then store.ts.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { SetupAnswer } from '@gatewarden/shared/wire/console/setup.ts';
import { SETUP_STEPS } from '@gatewarden/shared/wire/console/setup-steps.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectSetupState } from './store.ts';

/** Registers the setup checklist of the tenant. */
export function registerSetup(app: App, { db }: { db: Db }): void {
  app.get(
    '/setup',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['console'],
        summary: 'List the setup steps',
        querystring: NoQuery,
        response: { 200: SetupAnswer },
      },
    },
    async (request) => {
      const state = await selectSetupState(db, personOf(request).tenantId);
      const steps = SETUP_STEPS.map((step) => ({ step, is_done: state[step] }));
      return { steps, request_id: request.id };
    },
  );
}
