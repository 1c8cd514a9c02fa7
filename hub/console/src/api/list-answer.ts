// The answer of every list, with the items' type as its argument.
export interface ListAnswer<Item> {
  items: Item[];
  next_cursor: string | null;
  request_id: string;
}
