// Options of a script: what is wrong with them is one line and the code 2, for who mistyped one needs no trace of it.
export function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
