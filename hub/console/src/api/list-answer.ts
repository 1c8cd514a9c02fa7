// The response of a list, by the type of its items.
export interface ListAnswer<Item> {
  items: Item[];
  next_cursor: string | null;
  /** The number of rows of the whole list; null or absent if the hub does not count them. */
  total?: number | null;
  request_id: string;
}
