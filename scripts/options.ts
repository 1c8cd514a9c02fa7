// Options of a script: an error in them is a line and no trace.
export function orEnd<T>(read: () => T, code = 1): T {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(code);
  }
}
