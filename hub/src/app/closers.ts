/** Closes what was opened, in reverse order: after a failed start as after a stop. */
export interface Closers {
  add(close: () => Promise<unknown>): void;
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close) => closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
