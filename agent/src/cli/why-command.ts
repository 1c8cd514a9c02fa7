// `why`: the chain of a decision, from the process over the application to the override, with the ids that the console knows.

import type { PolicyDecision, Why } from '@gatewarden/shared/wire/local/service.ts';
import { askService, NotAllowed } from '../local-api/socket-client.ts';
import { readOwnKey } from '../local-api/user-keys.ts';
import { PlainError, Unreachable } from '../runtime/errors.ts';
import { openContextForAnybody, print, singleLine } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';

/** Answers for a process id, the name of a process or application, or an override's id. Asks the running service. */
export async function why(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  [asked = '']: readonly string[],
): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const found = await askWhy(dataDir, asked);
  if (found === null) throw new Unreachable(`no agent runs on ${dataDir}`);
  const { processes, notices, servers, decisions } = found;
  if ([processes, notices, servers, decisions].every((process) => process.length === 0)) {
    throw new PlainError(
      `nothing of yours is called ${singleLine(asked)}, and nothing is decided about it`,
    );
  }
  print(json, found, () => describe(found));
}

/**
 * Asks about all processes for the service's own account, and about the user's own for others. Null where no service
 * runs.
 */
async function askWhy(dataDir: string, asked: string): Promise<Why | null> {
  const ask = (kind: 'control' | 'status') =>
    askService<Why>(dataDir, kind, 'POST', '/why', readOwnKey(dataDir), JSON.stringify({ asked }));
  try {
    return await ask('control');
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return ask('status');
  }
}

function describe({ enforcement, processes, notices, servers, decisions }: Why): string[] {
  return [
    ...processes.flatMap((p) => [
      `${singleLine(p.name)} (pid ${p.pid}) ${singleLine(p.executable_path)}`,
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
      `${n.at} ${singleLine(n.process_name)}: ${n.kind}`,
      ...line('belongs to', n.application_name, n.entity_id),
      ...describeDecision(n.override?.execution_policy ?? null, n.override_id, n.override),
      ...(n.override === null ? line('reason', n.reason) : []),
    ]),
    ...servers.flatMap((s) => [
      `The MCP server ${singleLine(s.name)}${s.taken_out ? ', taken out of its configuration' : ''}`,
      ...line('set up in', s.clients.join(', ') || null),
      ...line('id', s.entity_id),
      ...(s.override === null
        ? ['  decided      nothing matches it: allowed']
        : describeDecision(s.decision, s.override.override_id, s.override)),
    ]),
    ...decisions.flatMap((d) => [
      `Nothing runs of ${singleLine(d.entity_name ?? d.match.name ?? 'it')}`,
      ...describeDecision(d.execution_policy, d.override_id, d),
    ]),
  ];
}

function describeDecision(
  policy: string | null,
  overrideId: string,
  override: PolicyDecision | null,
): string[] {
  const match = Object.entries(override?.match ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    ...line('decided', [policy, `by ${overrideId}`].filter((part) => part !== null).join(', ')),
    ...(override === null
      ? line('', 'that decision does not apply here any more, or is not about anything of yours')
      : [
          ...line('matches', match.join(', ')),
          ...line('revision', String(override.revision)),
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
  return text === '' ? [] : [`  ${name.padEnd(12)} ${singleLine(text)}`];
}
