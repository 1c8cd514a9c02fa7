// The chain of a decision: what belongs to the name or id that somebody asks about, of what they may know.
import { foldName } from '@gatewarden/shared/names.ts';
import type {
  ListedProcess,
  Notice,
  OwnServer,
  PolicyDecision,
  Why,
} from '@gatewarden/shared/wire/local/service.ts';
import { PlainError } from '../runtime/errors.ts';

const ASKED_MAX = 4096;

/** Builds the chain of a decision about a name or id. Pure. */
export function chainOf(
  asked: string,
  known: Pick<Why, 'enforcement'> & {
    processes: readonly ListedProcess[];
    notices: readonly Notice[];
    servers: readonly OwnServer[];
    decisions: readonly PolicyDecision[];
  },
): Why {
  const wanted = foldName(asked);
  const isMeant = (...names: (string | null | undefined)[]) =>
    names.some((name) => name != null && foldName(name) === wanted);
  const withOverride = <T extends { override_id: string | null }>(t: T) => ({
    ...t,
    override: known.decisions.find((d) => d.override_id === t.override_id) ?? null,
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
  const running = new Set(processes.map((process) => process.entity_id));
  const servers = known.servers.filter(
    (s) =>
      !running.has(s.entity_id) &&
      isMeant(s.name, s.entity_id, s.override === null ? null : s.override.override_id),
  );
  const shown = new Set([
    ...[...processes, ...notices].map((process) => process.override_id),
    ...servers.map((server) => server.override?.override_id),
  ]);
  const decisions = known.decisions.filter(
    (d) =>
      !shown.has(d.override_id) &&
      isMeant(d.override_id, d.entity_name, d.match.name, d.match.entity_id),
  );
  return { enforcement: known.enforcement, processes, notices, servers, decisions };
}

/** Returns whether something that was found, runs or was stopped on this device has the name. Pure. */
export function isKnownHere(
  name: string,
  entities: readonly { wire: { name: string } }[],
  processes: readonly Pick<ListedProcess, 'name' | 'application_name'>[],
  notices: readonly Pick<Notice, 'process_name' | 'application_name'>[],
): boolean {
  const names = [
    ...entities.map((entity) => entity.wire.name),
    ...processes.flatMap((process) => [process.name, process.application_name]),
    ...notices.flatMap((notice) => [notice.process_name, notice.application_name]),
  ];
  return names.some((other) => other !== null && foldName(other) === foldName(name));
}

/** Checks what came in through the socket. */
export function readAskedWhy(text: string): string {
  let fields: { asked?: unknown };
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    throw new PlainError('this is no question');
  }
  const asked = fields?.asked;
  if (typeof asked !== 'string' || asked.trim() === '' || asked.length > ASKED_MAX) {
    throw new PlainError('name what it is about: a name, a process id or an id');
  }
  return asked;
}
