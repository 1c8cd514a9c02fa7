// npm runs a script in a shell that does not forward signals: SIGTERM ends npm and the shell, and orphans the program.

/** The scripts of package.json that run a program until it is terminated. */
const SCRIPTS = ['start', 'hub', 'agent'];
const CHECK_EVERY_MS = 500;

/**
 * Calls `onGone` once after the shell between npm and this program has ended; never if npm did not start the program.
 */
export function whenNpmEnds(onGone: () => void, env: NodeJS.ProcessEnv = process.env): void {
  if (!SCRIPTS.includes(env.npm_lifecycle_event ?? '')) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    onGone();
  }, CHECK_EVERY_MS);
  check.unref();
}
