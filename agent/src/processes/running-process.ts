// A process as the agent knows it, and its identity.

export interface RunningProcess {
  pid: number;
  ppid: number;
  uid: number | null;
  /** Security identifier of the user on Windows, where `uid` is null. */
  sid?: string;
  /** Base name of the resolved executable; the kernel's own name where there is none to see. */
  name: string;
  executablePath: string | null;
  /** In the system's own units, only to be compared: pids are used again, pid and start together are not. */
  startTicks: string;
  startedAt: Date | null;
  kernelThread: boolean;
}

/** Returns the key of a process and its program (exec keeps pid and start), distinct from every other. */
export function instanceKey(process: RunningProcess): string {
  return `${process.pid}:${process.startTicks}:${process.executablePath ?? ''}`;
}

/** Returns the user of a process as homes name their owners: the uid as text, on Windows the SID; null where unknown. */
export function ownerOf({ uid, sid }: Pick<RunningProcess, 'uid' | 'sid'>): string | null {
  return sid ?? (uid === null ? null : String(uid));
}
