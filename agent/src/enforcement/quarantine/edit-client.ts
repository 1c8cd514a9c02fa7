// Runs the edit worker: a short process for each request, without the agent's environment, bounded in time and
// output.
import { runKillable } from '../../runtime/killable-worker.ts';
import { EDIT_WORKER } from '../../runtime/program-paths.ts';
import { type EditAnswer, type EditJob, readAnswer } from './edit-protocol.ts';

const PATIENCE_MS = 20_000;
const MAX_ANSWER = 64 * 1024 * 1024;

export type EditClient = <Op extends EditJob['op']>(
  job: Extract<EditJob, { op: Op }>,
) => Promise<EditAnswer<Op>>;

/** An editor. Its failures are answers, too. */
export function openEditClient(codeCache: string | null): EditClient {
  return async <Op extends EditJob['op']>(job: Extract<EditJob, { op: Op }>) => {
    const result = await runKillable(process.execPath, ['--max-semi-space-size=2', EDIT_WORKER], {
      env: {
        ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
        ...(codeCache === null ? {} : { NODE_COMPILE_CACHE: codeCache }),
      },
      input: JSON.stringify(job),
      timeoutMs: PATIENCE_MS,
      maxOutput: MAX_ANSWER,
    });
    return readAnswer<Op>(job.op as Op, result?.output ?? '');
  };
}
