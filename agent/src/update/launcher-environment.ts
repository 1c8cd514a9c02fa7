// The contract between launcher and agent: variables that a package's launcher passes (installers/linux/gatewarden), and
// the message of a stop on Windows (windows-launcher.ts).

/** The message by which the agent requests a stop from the launcher of Windows. */
export const STOP_MESSAGE = 'stop';

export interface Launched {
  /** Path of the launcher, which starts the newest version in place of this version. */
  launcher: string;
  folder: string;
  /** For so many seconds this version is on trial; null where it is not. */
  trialSeconds: number | null;
}

/** Reads the launcher's variables; null without a launcher, and so without updates. */
export function launchedBy(env: NodeJS.ProcessEnv): Launched | null {
  const { GATEWARDEN_LAUNCHER: launcher, GATEWARDEN_VERSIONS: folder } = env;
  if (!launcher || !folder) return null;
  const seconds = Number(env.GATEWARDEN_TRIAL_SECONDS ?? '');
  return { launcher, folder, trialSeconds: seconds > 0 ? seconds : null };
}
