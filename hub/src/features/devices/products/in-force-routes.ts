// C/discovered-apps/{entity_id}/policies: the policies in force for an application, each with where it comes from.
import { Sha256Hex } from '@gatewarden/shared/wire/common.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { ApplicationPoliciesAnswer } from '@gatewarden/shared/wire/console/products.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectProduct } from '../inventory/index.ts';
import { loadPoliciesInForce } from '../overrides/index.ts';
import type { ProductPagesDeps } from './deps.ts';

/** Registers the route; `db` and `snapshots` are the tenant's inventory and governance. */
export function registerPoliciesInForce(
  app: App,
  deps: Pick<ProductPagesDeps, 'db' | 'snapshots'>,
): void {
  app.get(
    '/discovered-apps/:entity_id/policies',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['applications'],
        summary: 'List the policies in force for a discovered app',
        params: Type.Object({ tenant_id: Type.String(), entity_id: Sha256Hex }),
        querystring: NoQuery,
        response: { 200: ApplicationPoliciesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const application = await selectProduct(deps.db, tenantId, request.params.entity_id, []);
      if (application === null) throw new HubError('not_found');
      const policies = await loadPoliciesInForce(deps, tenantId, [application]);
      return { policies, request_id: request.id };
    },
  );
}
