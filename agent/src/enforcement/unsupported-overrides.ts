// Decisions that a newer hub made in words that this agent has not: held, never carried out, and told, once each. Without
// that the console would take what the device says it holds for what happens there.
import type { Log } from '../runtime/log.ts';
import type { State } from '../store/state-store.ts';
import type { RawOverride } from '../sync/hub-responses.ts';

const MAX_NAMED = 5;
/** So many are remembered as told; beyond them nothing is told any more. */
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
    // Of so many one more is no news, and those that are not remembered would be told each time.
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
    /** To be called whenever other decisions are held. */
    look,
    count: () => count,
  };
}
