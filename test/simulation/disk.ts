// The agent's database as the machine keeps it: a crash comes before or after any statement, what was committed stays.

import { MIGRATIONS } from '@gatewarden/agent/src/store/migrations.ts';
import { migrate } from '@gatewarden/agent/src/store/schema-version.ts';
import type { Db } from '@gatewarden/agent/src/store/store-database.ts';
import Database, { type Statement } from 'better-sqlite3';

/** The process ended here: nothing after it happens. */
export class Crashed extends Error {}

/** Faults that a test plants in the client, as changed statements to its store. */
export interface DiskPlants {
  /** Returns a faulty statement to run instead. */
  statement?(sql: string): string;
  /** Commits each statement of a transaction by itself. */
  isTorn?: boolean;
}

const file = new Database(':memory:');
migrate(file, MIGRATIONS);
const WIPE = file
  .prepare<[], { name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'readable_from'",
  )
  .all()
  .map(({ name }) => `DELETE FROM ${name};`)
  .join('');

/** Empties the file of this version and returns it. All runs share the file, because opening it costs more than a run. */
export function emptyFile(): Db {
  file.exec(WIPE);
  return file;
}

const prepared = new Map<string, Statement>();

/** A statement, planned once for all runs. */
export function query<Row>(sql: string): Statement<unknown[], Row> {
  const known = prepared.get(sql) ?? file.prepare(sql);
  prepared.set(sql, known);
  return known as Statement<unknown[], Row>;
}

/** A run's handle of the file: the handle ends with the run, the file does not. */
export class Disk {
  readonly db: Db;
  /** After so many statements the process ends. */
  crashIn = Number.POSITIVE_INFINITY;
  isFull = false;
  isGone = false;
  private readonly crashed: () => void;

  constructor(crashed: () => void, plants: DiskPlants = {}) {
    this.crashed = crashed;
    const rewritten = plants.statement ?? ((sql: string) => sql);
    const guarded = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
      return (...args: Args): Result => {
        this.step();
        return work(...args);
      };
    };
    const view = {
      get inTransaction() {
        return file.inTransaction;
      },
      prepare: (sql: string) => {
        const statement = query(rewritten(sql));
        const isWrite = /^\s*(INSERT|UPDATE)/.test(sql);
        return {
          run: guarded((...args: unknown[]) => {
            if (isWrite) this.needRoom();
            return statement.run(...args);
          }),
          get: guarded((...args: unknown[]) => statement.get(...args)),
          all: guarded((...args: unknown[]) => statement.all(...args)),
          iterate: guarded((...args: unknown[]) => statement.iterate(...args)),
        };
      },
      exec: guarded((sql: string) => {
        if (/^\s*(INSERT|UPDATE)/m.test(sql)) this.needRoom();
        return file.exec(rewritten(sql));
      }),
      transaction: (work: () => unknown) => {
        if (plants.isTorn) return Object.assign(() => work(), { immediate: () => work() });
        const whole = file.transaction(work);
        const run = guarded(() => {
          const result = whole.immediate();
          // Committed, and then the end.
          this.step();
          return result;
        });
        return Object.assign(run, { immediate: run });
      },
    };
    // The agent's stores use only these members of the library's handle.
    this.db = view as unknown as Db;
  }

  /** Runs a query of the invariant checker, which does not count as a statement of the agent. */
  aside<Result>(work: () => Result): Result {
    const { crashIn } = this;
    this.crashIn = Number.POSITIVE_INFINITY;
    try {
      return work();
    } finally {
      this.crashIn = crashIn;
    }
  }

  private step(): void {
    if (this.isGone) throw new Crashed('this run of the agent is over');
    if (--this.crashIn > 0) return;
    this.crashed();
    throw new Crashed('the agent ends here');
  }

  private needRoom(): void {
    if (this.isFull) throw Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' });
  }
}
