// Runs the edit worker: a short process for each request, without the agent's environment, bounded in time and
// output.
import { execFile } from 'node:child_process';
import { killWorker } from '../../discovery/scan/worker/abandoned-workers.ts';
import { EDIT_WORKER } from '../../runtime/program-paths.ts';
import { type EditAnswer, type EditJob, readAnswer } from './edit-protocol.ts';

const PATIENCE_MS = 20_000;
const MAX_ANSWER = 64 * 1024 * 1024;

export type EditClient = <Op extends EditJob['op']>(
  job: Extract<EditJob, { op: Op }>,
) => Promise<EditAnswer<Op>>;

/** An editor. Its failures are answers, too. */
export function openEditClient(codeCache: string | null): EditClient {
  return <Op extends EditJob['op']>(job: Extract<EditJob, { op: Op }>) =>
    new Promise<EditAnswer<Op>>((resolve) => {
      const env = {
        ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
        ...(codeCache === null ? {} : { NODE_COMPILE_CACHE: codeCache }),
      };
      const child = execFile(
        process.execPath,
        ['--max-semi-space-size=2', EDIT_WORKER],
        { cwd: '/', env, maxBuffer: MAX_ANSWER },
        (_error, stdout) => {
          clearTimeout(timer);
          resolve(readAnswer<Op>(job.op as Op, stdout));
        },
      );
      // On a dead file system it cannot even be ended: it is not waited for.
      const timer = setTimeout(() => {
        killWorker(child);
        resolve(readAnswer<Op>(job.op as Op, ''));
      }, PATIENCE_MS);
      // The worker may end before it has read all input: its answer, or the lack of it, shows that.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(JSON.stringify(job));
    });
}
