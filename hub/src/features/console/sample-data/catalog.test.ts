// The products of the sample data: each is a single product on all of its platforms.
import { entityId } from '@gatewarden/shared/identity.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { expect, it } from 'vitest';
import { productKey } from '../../devices/product-identity/index.ts';
import { SAMPLE_PRODUCTS } from './catalog.ts';

it('identifies each product of the sample data as the same product on every platform', () => {
  const keys = SAMPLE_PRODUCTS.map(({ kind, publisher, installs }) => {
    const ids = PLATFORMS.flatMap((platform) => {
      const install = installs[platform];
      if (install === undefined) return [];
      const { source, name, path, details } = install;
      const id = entityId(platform, kind, source, name);
      const common = { entity_id: id, kind, publisher, source, name };
      return [productKey({ ...common, install_path: path, details })];
    });
    return [...new Set(ids)];
  });
  expect(keys.filter((ids) => ids.length !== 1)).toEqual([]);
});
