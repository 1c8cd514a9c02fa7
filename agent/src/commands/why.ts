// `why`: the chain of a decision, from the process over the application to the override, with the ids that the console knows.

import { foldName } from '@gatewarden/shared/names.ts';
import type {
  AgentStatus,
  HeldDecision,
  ListedProcess,
  LocalAnswer,
  Notice,
} from '@gatewarden/shared/wire/local/service.ts';
import { askService } from '../control/client.ts';
import { PlainError } from '../errors.ts';
import { readOwnKey } from '../people.ts';
import { oneLine, openContextForAnybody, print } from './context.ts';
import { askForProcesses } from './inspect.ts';
import type { GlobalOptions } from './locate.ts';

interface Why {
  /** What the service may do right now. */
  enforcement: AgentStatus['enforcement'];
  processes: (ListedProcess & { override: HeldDecision | null })[];
  /** What happened to such processes of the asker, the newest last. */
  notices: (Notice & { override: HeldDecision | null })[];
  /** Decisions about something of this name of which nothing runs. */
  decisions: HeldDecision[];
}

/** Answers for a process id, the name of a process or application, or an override's id. Asks the running service. */
export async function why(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  [asked = '']: readonly string[],
): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const key = readOwnKey(dataDir);
  const ask = <T>(path: string) => askService<T>(dataDir, 'status', 'GET', path, key);
  const status = await ask<AgentStatus>('/status');
  const running = await askForProcesses(dataDir);
  const held = await ask<LocalAnswer<'decisions'>>('/decisions');
  const told = await ask<LocalAnswer<'notices'>>('/notices');
  if (status === null || running === null || held === null || told === null) {
    throw new PlainError(`no agent runs on ${dataDir}`);
  }
  const found = chainOf(asked, {
    enforcement: status.enforcement,
    processes: running.processes,
    decisions: held.decisions,
    notices: told.notices,
  });
  if (found.processes.length + found.notices.length + found.decisions.length === 0) {
    throw new PlainError(
      `nothing of yours is called ${oneLine(asked)}, and nothing is decided about it`,
    );
  }
  print(json, found, () => describe(found));
}

/** What belongs to the name or id that was asked for. Pure. */
export function chainOf(
  asked: string,
  known: Pick<Why, 'enforcement'> & {
    processes: readonly ListedProcess[];
    decisions: readonly HeldDecision[];
    notices: readonly Notice[];
  },
): Why {
  const wanted = foldName(asked);
  const isMeant = (...names: (string | null | undefined)[]) =>
    names.some((name) => name != null && foldName(name) === wanted);
  const withOverride = <T extends { override_id: string | null }>(one: T) => ({
    ...one,
    override: known.decisions.find((d) => d.override_id === one.override_id) ?? null,
  });
  const processes = known.processes
    .filter((p) =>
      isMeant(
        String(p.pid),
        p.name,
        p.application_name,
        p.entity_id,
        p.override_id,
        p.executable_path,
      ),
    )
    .map(withOverride);
  const notices = known.notices
    .filter((n) => isMeant(n.process_name, n.application_name, n.entity_id, n.override_id))
    .map(withOverride);
  const shown = new Set([...processes, ...notices].map((one) => one.override_id));
  const decisions = known.decisions.filter(
    (d) =>
      !shown.has(d.override_id) &&
      isMeant(d.override_id, d.entity_name, d.match.name, d.match.entity_id),
  );
  return { enforcement: known.enforcement, processes, notices, decisions };
}

function describe({ enforcement, processes, notices, decisions }: Why): string[] {
  return [
    ...processes.flatMap((p) => [
      `${oneLine(p.name)} (pid ${p.pid}) ${oneLine(p.executable_path)}`,
      ...line('belongs to', p.application_name, p.entity_id),
      ...(p.override_id === null
        ? ['  decided      nothing matches it: allowed']
        : [
            ...describeDecision(p.decision, p.override_id, p.override),
            ...line('protected by', p.protected),
            ...(enforcement === 'enforce' ? [] : line('carried out', `not now: ${enforcement}`)),
          ]),
    ]),
    ...notices.flatMap((n) => [
      `${n.at} ${oneLine(n.process_name)}: ${n.kind}`,
      ...line('belongs to', n.application_name, n.entity_id),
      ...describeDecision(n.override?.execution_policy ?? null, n.override_id, n.override),
      ...(n.override === null ? line('reason', n.reason) : []),
    ]),
    ...decisions.flatMap((d) => [
      `Nothing runs of ${oneLine(d.entity_name ?? d.match.name ?? 'it')}`,
      ...describeDecision(d.execution_policy, d.override_id, d),
    ]),
  ];
}

function describeDecision(
  policy: string | null,
  overrideId: string,
  override: HeldDecision | null,
): string[] {
  const match = Object.entries(override?.match ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    ...line('decided', [policy, `by ${overrideId}`].filter((part) => part !== null).join(', ')),
    ...(override === null
      ? line('', 'that decision is not held here any more, or not about anything of yours')
      : [
          ...line('matches', match.join(', ')),
          ...line('scope', override.scope_kind),
          ...line('status', override.approval_status),
          ...line('reason', override.reason),
          ...line('from', override.effective_at),
          ...line('until', override.expires_at),
          ...(override.in_force ? [] : line('in force', 'no')),
        ]),
  ];
}

function line(name: string, ...values: (string | null)[]): string[] {
  const text = values.filter((value) => value !== null).join(', ');
  return text === '' ? [] : [`  ${name.padEnd(12)} ${oneLine(text)}`];
}
