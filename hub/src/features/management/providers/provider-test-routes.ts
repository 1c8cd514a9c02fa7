// C/llm/provider-tests: the last test of each provider, for the list of providers in the console.
import { LastProviderTestsAnswer } from '@gatewarden/shared/wire/console/provider-tests.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectProviderTests } from './provider-test-store.ts';

/** Registers the last tests of providers. */
export function registerProviderTests(app: App, { db }: { db: Db }): void {
  app.get(
    '/llm/provider-tests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['gateway'],
        summary: 'List the last test of each provider',
        response: { 200: LastProviderTestsAnswer },
      },
    },
    async (request) => {
      const tests = await selectProviderTests(db, personOf(request).tenantId);
      const items = tests.map(({ is_current: isCurrent, completed_at: completedAt, ...test }) => ({
        ...test,
        completed_at: completedAt.toISOString(),
        state: isCurrent ? ('current' as const) : ('outdated' as const),
      }));
      return { items, request_id: request.id };
    },
  );
}
