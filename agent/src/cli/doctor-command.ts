// `doctor`: looks for the usual mistakes, in configuration, data folder, tokens, service, hub, clock and sources.
import { messageOf, PlainError } from '../runtime/errors.ts';
import { openContext, print, singleLine } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { type Check, runChecks } from './doctor-checks.ts';

/** Runs all checks; exits with 1 where a check fails, and names the failed checks. */
export async function doctor(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const checks = await check(options, env);
  print(options.json === true, { checks }, () =>
    checks.map((c) => `${c.ok ? 'ok  ' : 'BAD '} ${c.check.padEnd(14)} ${singleLine(c.detail)}`),
  );
  const bad = checks.filter((c) => !c.ok);
  if (bad.length > 0) {
    throw new PlainError(
      `${bad.length} of ${checks.length} checks failed: ${bad.map((c) => c.check).join(', ')}`,
    );
  }
}

/** Without a configuration that can be read nothing else can be looked at. */
async function check(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<Check[]> {
  let context: ReturnType<typeof openContext>;
  try {
    context = openContext(options, env);
  } catch (error) {
    return [{ check: 'configuration', ok: false, detail: messageOf(error) }];
  }
  return runChecks(context);
}
