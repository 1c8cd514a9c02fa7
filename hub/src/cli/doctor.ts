// `doctor`: checks the installation and, with `--prove`, that a backup of it can be restored.

import { describeCertificateError } from '@gatewarden/shared/certificates.ts';
import { createSignIn } from '../features/people/identity/index.ts';
import { ConfigError, type LoginConfig, UsageError } from '../platform/config/config.ts';
import { describeUnknownVariable, unknownVariables } from '../platform/config/env.ts';
import { type Context, openContext } from '../platform/context.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import { type Check, checkInstallation } from './checks.ts';
import type { CommandRun } from './operator-commands.ts';
import { reportPath, writeReport } from './proof-report.ts';
import { type ProofSeams, prove, type Step } from './prove.ts';
import { findTenantNamed } from './tenants.ts';

export interface DoctorOptions {
  prove?: boolean;
  report?: string;
  alerts?: string;
}

export interface DoctorAnswer {
  ok: boolean;
  checks: Check[];
}

/** The command as it is typed. Throws ConfigError where its options do not fit together. */
export async function runDoctorCommand(run: CommandRun, options: DoctorOptions): Promise<object> {
  const { prove: wantsProof = false, report, alerts } = options;
  if (report !== undefined && !wantsProof) throw new UsageError('--report is for --prove');
  if (alerts !== undefined && !wantsProof) throw new UsageError('--alerts is for --prove');
  return wantsProof
    ? untilStopped((stopped) => runProof(run, { report, alerts, stopped }, progressOf(run)))
    : runDoctor(run);
}

/** Shows the current step of a proof. */
function progressOf({ progress }: CommandRun): ProofSeams {
  return { begins: async (step) => progress?.report(`proof: ${step}`) };
}

export function runDoctor(run: CommandRun): Promise<DoctorAnswer> {
  return withChecks(run, async ({ sealer }, own) => {
    const { login } = run.config;
    const provider = login === null ? [] : [await checkLoginProvider(login, sealer)];
    const checks = [...own, ...provider, checkEnvironment()];
    return { ok: areGood(checks), checks };
  });
}

/** Returns a check that never fails: an unknown variable is a warning, because it may belong to another program. */
export function checkEnvironment(source?: NodeJS.ProcessEnv): Check {
  const unknown = unknownVariables(source).map(describeUnknownVariable);
  const detail = unknown.length === 0 ? 'no unknown variables' : `warning: ${unknown.join('; ')}`;
  return { name: 'environment', ok: true, detail };
}

const LOGIN_WAIT_MS = 10_000;

/** No part of a proof: a backup is good whoever lets people in. */
async function checkLoginProvider(login: LoginConfig, sealer: Sealer): Promise<Check> {
  const name = 'login provider';
  try {
    const { origin } = new URL(login.issuer);
    const keysAt = await createSignIn({ origin, login, localUrl: origin, sealer }).jwksUri();
    const answer = await fetch(keysAt, { signal: AbortSignal.timeout(LOGIN_WAIT_MS) });
    const body: unknown = await answer.json().catch(() => null);
    const { keys } = (body ?? {}) as { keys?: unknown };
    if (!answer.ok || !Array.isArray(keys) || keys.length === 0) {
      throw new ConfigError(`${keysAt} gives no keys (${answer.status})`);
    }
    return {
      name,
      ok: true,
      detail: `${login.issuer} publishes ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
    };
  } catch (error) {
    const { message, cause } = error as Error;
    const plain = cause instanceof Error ? `${message}: ${cause.message}` : message;
    const why = describeCertificateError(error) ?? plain;
    return { name, ok: false, detail: `${login.issuer} (LOGIN_ISSUER): ${why}` };
  }
}

/** Throws ConfigError where a proof cannot begin, and the signal's reason where it is stopped. */
export async function runProof(
  run: CommandRun,
  options: { report?: string | undefined; alerts?: string | undefined; stopped: AbortSignal },
  seams: ProofSeams = {},
): Promise<DoctorAnswer & { steps: Step[]; report: string }> {
  const { report = '.', alerts = 'all', stopped } = options;
  const path = reportPath(report, new Date());
  return withChecks(run, async (context, checks) => {
    const { config, log } = run;
    const whose =
      alerts === 'all' || alerts === 'none'
        ? alerts
        : { tenantId: (await findTenantNamed(context.database.db, alerts)).tenant_id };
    const proof = await prove({ context, config, log, checks, seams, stopped, alerts: whose });
    writeReport(path, proof.text);
    return { ok: proof.proved, checks, steps: proof.steps, report: path };
  });
}

/** Ctrl-C and a service manager's stop end the work, which then clears up; a second Ctrl-C ends the process. */
async function untilStopped<T>(work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new ConfigError('stopped: nothing is proved'));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const areGood = (checks: readonly Check[]) => checks.every((check) => check.ok);

async function withChecks<T>(
  run: CommandRun,
  work: (context: Context, checks: Check[]) => Promise<T>,
): Promise<T> {
  const context = await openContext(run.config, run.log);
  try {
    return await work(context, await checkInstallation(context));
  } finally {
    await context.close();
  }
}
