// What the launcher of a package says to the agent that it starts (installers/linux/gatewarden).

export interface Launched {
  /** What starts the newest version: it is started in our place. */
  launcher: string;
  folder: string;
  /** For so many seconds this version is on trial; null where it is not. */
  trialSeconds: number | null;
}

/** What the launcher told us; null where there is none, and so no updates. */
export function launchedBy(env: NodeJS.ProcessEnv): Launched | null {
  const { GATEWARDEN_LAUNCHER: launcher, GATEWARDEN_VERSIONS: folder } = env;
  if (!launcher || !folder) return null;
  const seconds = Number(env.GATEWARDEN_TRIAL_SECONDS ?? '');
  return { launcher, folder, trialSeconds: seconds > 0 ? seconds : null };
}
