// What was read before a change is stale, also where the change is heard of before the answer has come: the library leaves
// a read under way that nothing is shown of yet, and then counts what it brings as fresh.
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
} from '@tanstack/react-query';

/** A read that is not begun anew when its query becomes stale is followed by another. */
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
    // A read that failed has told nothing that could be stale.
    const isRead = await query.promise?.then(
      () => true,
      () => false,
    );
    this.#followed.delete(query);
    if (isRead) await super.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}
