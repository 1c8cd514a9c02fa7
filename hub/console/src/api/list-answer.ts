// The answer of every list, with the items' type as its argument.
export interface ListAnswer<Item> {
  items: Item[];
  next_cursor: string | null;
  /** So many rows the whole list has; null or left out where the hub does not count them. */
  total?: number | null;
  request_id: string;
}
