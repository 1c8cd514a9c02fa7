// Runs an option parser; an error is a single line without a stack trace.
export function orEnd<T>(read: () => T, code = 1): T {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(code);
  }
}
