// Doubly linked list of elements in flight, in insertion order, for collections with a high turnover. When a Map or Set
// grows, its old table keeps pointing at the new table. Once such a table is in the old generation, minor garbage
// collections retain every later element. A removed element of this list points at nothing.

export interface LinkedList<T> extends Iterable<T> {
  /**
   * Appends an element and returns a function that removes it once. During iteration either the current element or
   * another element may be removed in a step, but not both.
   */
  add(value: T): () => void;
  /** Returns the number of elements. */
  size(): number;
}

interface Link<T> {
  value: T | null;
  previous: Link<T> | null;
  next: Link<T> | null;
}

/** Returns an empty list. */
export function createLinkedList<T>(): LinkedList<T> {
  let first: Link<T> | null = null;
  let last: Link<T> | null = null;
  let size = 0;
  const remove = (link: Link<T>) => {
    if (link.value === null) return;
    const { previous, next } = link;
    if (previous === null) first = next;
    else previous.next = next;
    if (next === null) last = previous;
    else next.previous = previous;
    link.value = null;
    link.previous = null;
    link.next = null;
    size--;
  };
  return {
    add(value) {
      const link: Link<T> = { value, previous: last, next: null };
      if (last === null) first = link;
      else last.next = link;
      last = link;
      size++;
      return () => remove(link);
    },
    size: () => size,
    *[Symbol.iterator]() {
      for (let link = first; link !== null; ) {
        const { value, next }: Link<T> = link;
        if (value !== null) yield value;
        link = link.value === null ? next : link.next;
      }
    },
  };
}
