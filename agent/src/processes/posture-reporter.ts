// Reports AI assistants that run without their safeguards: only known switches are searched for, and only these are
// reported.
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import { instanceKey, type RunningProcess } from './running-process.ts';

/** A new switch is a new row. */
const SWITCHES: readonly string[] = [
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--yolo',
  '--dangerously-bypass-approvals-and-sandbox',
  '--full-auto',
  '--yes-always',
];
/** Values that do the same, behind `--switch value` or `--switch=value`. */
const VALUES: readonly string[] = ['danger-full-access', 'bypassPermissions', 'approval-mode=yolo'];

/** The switches among a program's words that take an assistant's brakes off. */
export function unguardedSwitches(words: readonly string[]): string[] {
  const found = words.slice(1).flatMap((word, at) => {
    const [name = '', value] = word.split('=', 2);
    if (SWITCHES.includes(name) && value !== 'false') return [name];
    const before = words[at] ?? '';
    const setting = value ?? (before.startsWith('-') ? word : '');
    const pair = `${(value === undefined ? before : name).replace(/^-+/, '')}=${setting}`;
    return VALUES.filter((option) => option === setting || option === pair);
  });
  return [...new Set(found)];
}

interface Unguarded {
  process: RunningProcess;
  switches: readonly string[];
}

/** Reports each such process once, while it runs. */
export function createPostureReporter<P extends Unguarded>(
  send: (unguarded: P, outcome: ActivityEvent['outcome']) => Promise<void>,
): { report(processes: readonly P[]): Promise<void> } {
  let reported = new Set<string>();
  return {
    async report(processes) {
      const seen = new Set<string>();
      for (const unguarded of processes) {
        for (const found of unguarded.switches) {
          const key = `${instanceKey(unguarded.process)} ${found}`;
          seen.add(key);
          if (!reported.has(key)) await send(unguarded, `unguarded:${found}`);
        }
      }
      reported = seen;
    },
  };
}
