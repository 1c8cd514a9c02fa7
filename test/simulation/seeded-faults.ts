// Faults in agent and hub that a check must find: a check that cannot fail is none.
import type { Invariant } from './invariant-checker.ts';
import type { Plants } from './testbed.ts';

interface Planted {
  fault: string;
  breaks: Invariant;
  plants: Plants;
}

const inStatement = (from: string, to: string): Plants => ({
  agent: { statement: (sql) => sql.replace(from, to) },
});

export const PLANTED: readonly Planted[] = [
  {
    fault: 'a hub that acknowledges alerts which it did not store',
    breaks: 'no lost ack',
    plants: { hub: { acknowledgesUnstored: true } },
  },
  {
    fault: 'a hub that treats a repeated batch as new',
    breaks: 'no lost ack',
    plants: { hub: { forgetsBatchIds: true } },
  },
  {
    fault: 'an agent that takes alerts from its queue when they were tried',
    breaks: 'no lost ack',
    plants: inStatement('UPDATE alerts SET attempts = attempts + 1', 'DELETE FROM alerts'),
  },
  {
    fault: 'a hub that forgets the ids of alerts with its process',
    breaks: 'no double notify',
    plants: { hub: { forgetsAlertIds: true } },
  },
  {
    fault: 'a hub whose cursor is ahead of what it sent',
    breaks: 'cursor never skips',
    plants: { hub: { cursorRunsAhead: true } },
  },
  {
    fault: 'an agent that moves its cursor before it has stored the page',
    breaks: 'cursor never skips',
    plants: { agent: { isTorn: true } },
  },
  {
    fault: 'an agent that does not hear that its decisions changed',
    breaks: 'last policy wins',
    plants: { agent: { isDeaf: true } },
  },
  {
    fault: 'an agent that obeys nothing new while its disk is full',
    breaks: 'last policy wins',
    plants: { agent: { trustsDiskAlone: true } },
  },
  {
    fault: 'an agent that goes by the wall clock',
    breaks: 'last policy wins',
    plants: { agent: { trustsWallClock: true } },
  },
  {
    fault: 'an agent that takes a policy it does not know for the strictest',
    breaks: 'last policy wins',
    plants: { agent: { guessesPolicy: true } },
  },
  {
    fault: 'an agent whose queue takes more than it may',
    breaks: 'queue bound',
    plants: { agent: { moreAlerts: 3 } },
  },
  {
    fault: 'an agent that drops the most severe alerts first',
    breaks: 'queue bound',
    plants: inStatement('ORDER BY severity DESC', 'ORDER BY severity ASC'),
  },
  {
    fault: 'an agent that enforces against the emergency stop',
    breaks: 'fail-open',
    plants: { agent: { ignoresCeiling: true } },
  },
];
