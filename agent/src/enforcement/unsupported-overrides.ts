// Overrides of a newer hub that this agent does not understand: stored, never carried out, and reported once each.
// The console would take them for enforced otherwise, because the device confirms to have them.
import type { Log } from '../runtime/log.ts';
import type { State } from '../store/state-store.ts';
import type { RawOverride } from '../sync/hub-responses.ts';

const MAX_NAMED = 5;
/** Bound of remembered reports; beyond it nothing more is reported. */
const MAX_REMEMBERED = 1000;

interface NotUnderstoodParts {
  state: State;
  overrides: { notUnderstood(): RawOverride[] };
  alertAboutAgent(code: string, severity: 'medium', message: string): void;
}

/** Has looked already. */
export function createUnsupportedOverrides(
  { state, overrides, alertAboutAgent }: NotUnderstoodParts,
  log: Pick<Log, 'warn'>,
) {
  let count = 0;
  const look = () => {
    const found = overrides.notUnderstood();
    count = found.length;
    const keys = found.map(({ override_id: id, revision }) => `${id}:${revision}`);
    const before = state.get('unsupported_reported') ?? [];
    const reported = new Set(before);
    // Beyond the bound nothing is reported, because an override that is not remembered would be reported each time.
    const isFull = before.length === MAX_REMEMBERED && found.length >= MAX_REMEMBERED;
    const fresh = isFull ? [] : found.filter((_, at) => !reported.has(keys[at] ?? ''));
    if (fresh.length > 0) {
      const named = fresh.slice(0, MAX_NAMED).map((override) => override.override_id);
      const more = fresh.length > MAX_NAMED ? ', …' : '';
      const message = `${fresh.length} decision${fresh.length === 1 ? ' is' : 's are'} newer than this agent understands, and not carried out until it is updated: ${named.join(', ')}${more}`;
      log.warn(message);
      alertAboutAgent('override_not_understood', 'medium', message);
    }
    if (fresh.length > 0 || keys.length < before.length) {
      state.set('unsupported_reported', keys.length === 0 ? null : keys.slice(0, MAX_REMEMBERED));
    }
  };
  look();
  return {
    /** Checks for new unsupported overrides; callers call it whenever the overrides change. */
    look,
    count: () => count,
  };
}
