// Marks queries as stale after a change, also if the change arrives before the response of a running request: the library keeps
// a first request running and would treat its result as current.
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
} from '@tanstack/react-query';

/** Repeats a request that was running when its query became stale. */
export class LiveQueries extends QueryClient {
  readonly #followed = new WeakSet<Query>();

  override async invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const isKept = ({ state }: Query) =>
      state.data === undefined || options.cancelRefetch === false;
    const underWay = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(isKept);
    await Promise.all([
      super.invalidateQueries(filters, options),
      ...underWay.map((query) => this.#follow(query)),
    ]);
  }

  async #follow(query: Query): Promise<void> {
    if (this.#followed.has(query)) return;
    this.#followed.add(query);
    // A failed request has no data that could be stale.
    const isRead = await query.promise?.then(
      () => true,
      () => false,
    );
    this.#followed.delete(query);
    if (isRead) await super.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}
