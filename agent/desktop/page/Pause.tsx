// Lets a person make the agent only watch for a while, where the company allows it.
import type { PauseState } from '@gatewarden/shared/wire/local/service.ts';
import { useState } from 'react';
import type { HubResponse } from '../src/contract.ts';
import { texts } from '../texts.ts';
import { Problem, when } from './parts.tsx';

const t = texts.pause;
const OFFERED = [5, 15, 30, 60, 120, 240];

export function Pause({ pause, changed }: { pause: PauseState; changed: () => void }) {
  const { allowed_minutes: allowed, left_minutes: left, until } = pause;
  const offered = [...OFFERED.filter((minutes) => minutes < left), ...(left > 0 ? [left] : [])];
  const [chosen, setChosen] = useState<number | null>(null);
  const [problem, setProblem] = useState<Extract<HubResponse<unknown>, { ok: false }> | null>(null);
  const minutes = chosen !== null && offered.includes(chosen) ? chosen : (offered[0] ?? 0);
  const done = (answer: HubResponse<PauseState>) => {
    setProblem(answer.ok ? null : answer);
    changed();
  };
  const begin = async () => done(await window.gatewarden.ask('pause', { minutes }));
  const end = async () => done(await window.gatewarden.ask('resume', null));
  if (allowed === 0 && until === null) return null;
  return (
    <section data-testid="pause">
      <h2>{t.title}</h2>
      <p className="muted">{t.lead}</p>
      <p className="muted">{t.left(left)}</p>
      {problem === null ? null : <Problem of={problem} />}
      {until !== null ? (
        <>
          <p role="status">{t.until(when(until))}</p>
          <button type="button" onClick={() => void end()}>
            {t.end}
          </button>
        </>
      ) : null}
      {until === null && minutes > 0 ? (
        <form
          className="line"
          onSubmit={(event) => {
            event.preventDefault();
            void begin();
          }}
        >
          <label>
            {t.howLong}
            <select
              value={minutes}
              onChange={(event) => setChosen(Number(event.currentTarget.value))}
            >
              {offered.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {t.minutes(minutes)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit">{t.begin}</button>
        </form>
      ) : null}
    </section>
  );
}
