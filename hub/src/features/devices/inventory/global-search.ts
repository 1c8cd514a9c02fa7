// Devices and products for the console's search box: the first rows of the lists that pages show.
import type { SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import type { Db } from '../../../platform/db/database.ts';
import { selectProducts } from './product-read-store.ts';
import { selectDevices } from './read-store.ts';

/** Returns devices with this piece of text in their host name, their user or their id, by host name. */
export async function searchDevices(
  db: Db,
  tenantId: string,
  query: string,
  limit: number,
): Promise<SearchAnswer['devices']> {
  const devices = await selectDevices(db, tenantId, { query }, undefined, limit);
  return devices.map(({ device_id, hostname, subscriber_id }) => ({
    device_id,
    hostname,
    subscriber_id,
  }));
}

/** Returns products with each word of the query in their name, publisher or source, by name; files are not searched. */
export async function searchProducts(
  db: Db,
  tenantId: string,
  query: string,
  limit: number,
): Promise<SearchAnswer['apps']> {
  const pieces = query.replace(/[\\/]/g, ' ');
  if (pieces.trim() === '') return [];
  const page = { after: undefined, limit };
  const products = await selectProducts(db, tenantId, { query: pieces }, [], page);
  return products.map(({ entity_id, name, kind, platform }) => ({
    entity_id,
    name,
    kind,
    platform,
  }));
}
