// What is under way, in the order in which it came, where much comes and goes. Each time that a Map or Set makes room it
// leaves its old table, with what was in it then, pointing at the new one: once one of them has grown old, the collections
// of young objects keep them all. Here what has left points at nothing.

export interface LinkedList<T> extends Iterable<T> {
  /** Gives what takes it away, once. While they are gone through the one at hand may leave, or others, but not both. */
  add(value: T): () => void;
  /** How many are there. */
  size(): number;
}

interface Link<T> {
  value: T | null;
  before: Link<T> | null;
  after: Link<T> | null;
}

export function createLinkedList<T>(): LinkedList<T> {
  let first: Link<T> | null = null;
  let last: Link<T> | null = null;
  let size = 0;
  return {
    add(value) {
      const link: Link<T> = { value, before: last, after: null };
      if (last === null) first = link;
      else last.after = link;
      last = link;
      size++;
      return () => {
        if (link.value === null) return;
        const { before, after } = link;
        if (before === null) first = after;
        else before.after = after;
        if (after === null) last = before;
        else after.before = before;
        link.value = null;
        link.before = null;
        link.after = null;
        size--;
      };
    },
    size: () => size,
    *[Symbol.iterator]() {
      for (let at = first; at !== null; ) {
        const { value, after }: Link<T> = at;
        if (value !== null) yield value;
        at = at.value === null ? after : at.after;
      }
    },
  };
}
