// Effects of each step of a plan on the testbed.
import { administer, type StepName, setCeiling, severityOf, weatherOf } from './plan.ts';
import type { SeededRandom } from './simulated-environment.ts';
import type { Testbed } from './testbed.ts';

const YEAR_MS = 365 * 86_400_000;
const MOST_STATEMENTS = 60;

export const DO: Record<StepName, (stage: Testbed, dice: SeededRandom) => void | Promise<void>> = {
  administer(stage, dice) {
    administer(stage.records, dice, stage.world.now);
    stage.governed(dice);
  },
  setCeiling(stage, dice) {
    setCeiling(stage.records, dice);
    stage.governed(dice);
  },
  // No process is notified of the pruning: the next reader learns of it.
  forget: (stage, dice) => stage.records.tenant.forget(dice.below(101)),
  raise: (stage, dice) => stage.raise(dice.between(1, 5), () => severityOf(dice)),
  install(stage, dice) {
    stage.installed.change(dice);
    stage.agent?.scan();
  },
  launch: (stage) => stage.launch(),
  weather(stage, dice) {
    stage.network.weather = weatherOf(dice);
    stage.note(() => `  ${stage.network.weather}`);
  },
  crash(stage) {
    if (stage.disk !== null) stage.crashed();
  },
  crashSoon(stage, dice) {
    if (stage.disk !== null) stage.disk.crashIn = dice.between(1, MOST_STATEMENTS);
  },
  reboot: (stage) => stage.reboot(),
  damage: (stage) => stage.damage(),
  fillDisk(stage, dice) {
    const { disk } = stage;
    if (disk === null) return;
    disk.isFull = true;
    stage.world.after(dice.between(1_000, 900_000), () => {
      disk.isFull = false;
    });
  },
  turnClock(stage, dice) {
    stage.machine.wallOffMs = dice.of([0, 90_000, -90_000, 2 * YEAR_MS, -2 * YEAR_MS]);
  },
  // The agent is set up anew for another person.
  move(stage, dice) {
    stage.machine.subscriberId = dice.of(['alice', 'bob']);
    if (stage.disk !== null) stage.crashed();
  },
  restartHub: (stage, dice) => stage.restartHub(dice),
  deafenHub: (stage, dice) => stage.deafenHub(dice),
};
