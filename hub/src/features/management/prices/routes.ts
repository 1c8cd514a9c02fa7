// C/llm/prices: reads the price list, and replaces the prices of the organization.
import { PricesAnswer, PricesInput } from '@gatewarden/shared/wire/console/llm-prices.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import type { PriceOverrides } from './find-price.ts';
import { LIST_DATE, PRICE_LIST } from './price-list.ts';
import { selectPrices, storePrices } from './store.ts';

/** Registers the prices. */
export function registerPrices(app: App, { db }: { db: Db }): void {
  app.get(
    '/llm/prices',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['gateway'],
        summary: 'Get list prices of models and the prices of the organization',
        response: { 200: PricesAnswer },
      },
    },
    async (request, reply) => {
      const stored = await selectPrices(db, personOf(request).tenantId);
      reply.header('etag', etagOf(stored.version));
      return { ...describePrices(stored), request_id: request.id };
    },
  );

  app.put(
    '/llm/prices',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['gateway'],
        summary: 'Replace the prices of the organization',
        headers: IfMatch,
        body: PricesInput,
        response: { 200: PricesAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { overrides } = request.body;
      const after = await transact(db, async (tx) => {
        const before = await selectPrices(tx, tenantId);
        requireMatch(request.headers['if-match'], before.version);
        const stored = await storePrices(tx, tenantId, before.version, overrides);
        if (stored === null) throw new HubError('precondition_failed');
        await recordByPerson(tx, request, {
          operation: 'llm_prices.update',
          resource: { kind: 'tenant', id: tenantId },
          detail: { before: before.overrides, after: overrides },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'gateway' });
        return stored;
      });
      reply.header('etag', etagOf(after.version));
      return { ...describePrices(after), request_id: request.id };
    },
  );
}

function describePrices({ overrides, version }: { overrides: PriceOverrides; version: number }) {
  return {
    list_date: LIST_DATE,
    list: [...PRICE_LIST],
    overrides: { ...overrides },
    version: etagOf(version),
  };
}
