// The products of the sample data: each is a single product on all of its platforms.
import { entityId } from '@gatewarden/shared/identity.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { expect, it } from 'vitest';
import { describeProduct, productKey } from '../../devices/product-identity/index.ts';
import { SAMPLE_POLICIES, SAMPLE_PRODUCTS } from './catalog.ts';

type Product = (typeof SAMPLE_PRODUCTS)[number];

/** Returns the key of the product on each platform, and the name that the inventory shows for it. */
function identify({ kind, publisher, installs }: Product): { key: string; name: string }[] {
  return PLATFORMS.flatMap((platform) => {
    const install = installs[platform];
    if (install === undefined) return [];
    const { source, name, path, details } = install;
    const id = entityId(platform, kind, source, name);
    const common = { entity_id: id, kind, publisher, source, name };
    const key = productKey({ ...common, install_path: path, details });
    return [{ key, name: describeProduct(key).curated?.name ?? name }];
  });
}

it('identifies each product of the sample data as the same product on every platform', () => {
  const keys = SAMPLE_PRODUCTS.map((product) => new Set(identify(product).map(({ key }) => key)));
  expect(keys.filter((ids) => ids.size !== 1)).toEqual([]);
});

it('sets policies for products that the inventory shows by these names', () => {
  const known = new Set(SAMPLE_PRODUCTS.flatMap(identify).map(({ name }) => name));
  const named = SAMPLE_POLICIES.flatMap(({ names }): readonly string[] => names);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
