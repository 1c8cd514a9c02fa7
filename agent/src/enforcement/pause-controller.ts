// Pauses of enforcement over the stored state: who may request them, and what is reported to the hub.
import type { PauseState } from '@gatewarden/shared/wire/local/service.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import { PlainError } from '../runtime/errors.ts';
import type { State } from '../store/state-store.ts';
import { beginPause, endPause, isPaused, pauseState } from './pause-rules.ts';

export interface PauseController {
  state(): PauseState;
  /** Returns whether enforcement is paused now. */
  isPaused(): boolean;
  /** Throws a `PlainError` where no pause is allowed, and for an unknown key. */
  begin(key: string | null, minutes: number): PauseState;
  end(key: string | null): PauseState;
}

/** `report` sends a message to the hub. */
export function createPauseController(parts: {
  state: State;
  people: Pick<UserKeys, 'uidOf'>;
  hubNow: () => number;
  report: (message: string) => void;
}): PauseController {
  const { state, hubNow } = parts;
  const allowed = () => state.get('tray')?.pause_minutes ?? 0;
  const current = () => pauseState(state.get('pause'), allowed(), hubNow());
  const paused = () => isPaused(state.get('pause'), allowed(), hubNow());
  const personOf = (key: string | null) => {
    const uid = parts.people.uidOf(key);
    if (uid === null) throw new PlainError('only a person of this device may do this');
    return uid;
  };
  return {
    state: current,
    isPaused: paused,
    begin(key, minutes) {
      const uid = personOf(key);
      state.set('pause', beginPause(state.get('pause'), allowed(), minutes, hubNow()));
      parts.report(
        `Enforcement is paused for ${minutes} minutes by the person with user id ${uid}`,
      );
      return current();
    },
    end(key) {
      const uid = personOf(key);
      const record = state.get('pause');
      if (record !== null && paused()) {
        state.set('pause', endPause(record, hubNow()));
        parts.report(`The pause was ended by the person with user id ${uid}`);
      }
      return current();
    },
  };
}
