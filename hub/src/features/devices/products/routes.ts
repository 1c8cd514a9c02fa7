// C/products: products over platforms and sources, as a list, as a file and each by itself.
import { Sha256Hex } from '@gatewarden/shared/wire/common.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  ProductAnswer,
  type ProductRow,
  ProductsAnswer,
  ProductsDownloadQuery,
  ProductsQuery,
} from '@gatewarden/shared/wire/console/products.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import { fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { CoveredByName } from '../inventory/index.ts';
import type { ProductPagesDeps } from './deps.ts';
import { loadProduct } from './detail.ts';
import { registerPoliciesInForce } from './in-force-routes.ts';
import {
  countProducts,
  type ProductFilter,
  type ProductRecord,
  selectProductIdOf,
  selectProductPage,
} from './list-store.ts';
import { PRODUCT_FILE_COLUMNS, productRow } from './product-rows.ts';

const ProductParams = Type.Object({ tenant_id: Type.String(), product_id: Sha256Hex });

export function registerProductPages(app: App, deps: ProductPagesDeps): void {
  const { db, cursors } = deps;
  registerPoliciesInForce(app, deps);
  registerProductDetails(app, deps);
  const products = (
    filter: ProductFilter,
    coveredByName: CoveredByName,
  ): TenantList<ProductRecord, ProductRow> => ({
    cursors,
    list: 'products',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectProductPage(db, tenantId, filter, await coveredByName(tenantId), { after, limit }),
    keyOf: (product) => product.sort_key,
    item: productRow,
  });

  app.get(
    '/products',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['products'],
        summary: 'List products',
        querystring: ProductsQuery,
        response: { 200: ProductsAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const filter = extractFilter(request.query);
      const covered = await deps.coveredByName(tenantId);
      const [page, total] = await Promise.all([
        loadPage(
          request,
          products(filter, async () => covered),
        ),
        countProducts(db, tenantId, filter, covered),
      ]);
      return { ...page, total };
    },
  );

  app.get(
    '/products/download',
    fileRoute('Viewer', 'products', 'the products', ProductsAnswer, {
      querystring: ProductsDownloadQuery,
    }),
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const covered = await deps.coveredByName(personOf(request).tenantId);
      const list = products(filter, async () => covered);
      return sendTenantFile(request, reply, list, { format, columns: PRODUCT_FILE_COLUMNS });
    },
  );
}

function registerProductDetails(app: App, deps: ProductPagesDeps): void {
  const { db } = deps;
  app.get(
    '/discovered-apps/:entity_id/product',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['products'],
        summary: 'Get the product of a discovered app',
        params: Type.Object({ tenant_id: Type.String(), entity_id: Sha256Hex }),
        querystring: NoQuery,
        response: { 200: ProductAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const productId = await selectProductIdOf(db, tenantId, request.params.entity_id);
      if (productId === null) throw new HubError('not_found');
      const product = await loadProduct(deps, tenantId, productId);
      return { product, request_id: request.id };
    },
  );

  app.get(
    '/products/:product_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['products'],
        summary: 'Get a product with its apps and policies in force',
        params: ProductParams,
        response: { 200: ProductAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const product = await loadProduct(deps, tenantId, request.params.product_id);
      return { product, request_id: request.id };
    },
  );
}
