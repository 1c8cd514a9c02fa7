// The testbed of a run: two hubs over the same records, a device, the network between them, and the invariant checker.
import type { Notice } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import {
  type AgentPlants,
  type AgentRun,
  type Machine,
  POLL_EVERY_MS,
  startAgent,
} from './agent.ts';
import { Crashed, type Disk, emptyFile } from './disk.ts';
import { type HubPlants, type HubProcess, startHub } from './hub.ts';
import { InvariantChecker } from './invariant-checker.ts';
import { Network } from './network.ts';
import { administer, weatherOf } from './plan.ts';
import { correlated, Installed, PROGRAMS, processOf } from './programs.ts';
import { Records, TENANT_ID } from './records.ts';
import { SeededRandom, SimulatedEnvironment } from './simulated-environment.ts';

export interface Plants {
  agent?: AgentPlants;
  hub?: HubPlants;
}

const START = Date.parse('2026-01-05T08:00:00.000Z');
const HUBS = 2;
const NOTICE_MAX_MS = 20_000;

export class Testbed {
  readonly world = new SimulatedEnvironment(START);
  readonly records = new Records();
  readonly machine: Machine;
  readonly installed: Installed;
  readonly judge: InvariantChecker;
  readonly network: Network;
  readonly history: string[] | null;
  agent: AgentRun | null = null;
  disk: Disk | null = null;
  /** An event reached the agent, so the invariants must be checked. */
  isChanged = false;
  /** All faults are over. */
  isQuiet = false;
  private readonly dice: SeededRandom;
  private readonly plants: Plants;
  private readonly hubs: HubProcess[] = [];
  private readonly pageLimit: number;
  private processes = 0;

  constructor(seed: number, plants: Plants, isTraced: boolean) {
    const dice = new SeededRandom(seed * 7 + 3);
    emptyFile();
    this.dice = dice;
    this.plants = plants;
    this.history = isTraced ? [] : null;
    this.pageLimit = dice.of([1, 2, 3, 200]);
    this.installed = new Installed(dice);
    this.machine = {
      wallOffMs: 0,
      bootedAt: START - dice.below(1_000_000),
      boots: 1,
      subscriberId: 'alice',
      pollEveryMs: POLL_EVERY_MS,
      tokens: new Map([['agent_token', 'token']]),
      scan: () => this.installed.scan(new Date(this.world.now)),
    };
    this.judge = new InvariantChecker(this.world, this.records, this.machine);
    for (let place = 0; place < HUBS; place++) this.startHub(place);
    this.network = new Network({
      ...{ world: this.world, dice, hubs: this.hubs },
      delivered: (asking, answered) => {
        this.judge.delivered(asking, answered, this.disk?.isFull === true);
        this.note(() => `  ${answered.status} ${answered.body.slice(0, 600)}`);
        this.isChanged = true;
      },
      note: (text) => this.note(text),
    });
    this.network.weather = weatherOf(dice);
    if (dice.isHit(0.3)) this.network.mostEntities = dice.between(1, 3);
    for (let writes = dice.between(0, 4); writes > 0; writes--) {
      administer(this.records, dice, START);
    }
    this.world.after(0, () => this.start());
  }

  note(text: () => string): void {
    this.history?.push(`+${((this.world.now - START) / 1000).toFixed(3)} ${text()}`);
  }

  // The hubs.

  startHub(place: number): void {
    const hub = startHub({
      ...{ world: this.world, records: this.records, pageLimit: this.pageLimit },
      plants: this.plants.hub ?? {},
      readMs: () => (this.dice.isHit(0.2) ? this.dice.between(1, 3_000) : 1),
      watched: {
        paged: (cursor, page) => this.judge.paged(cursor, page),
        acknowledged: (what, id, answer) => this.judge.recordAck(what, id, answer),
        notify: (notice) => this.notify(notice, hub),
      },
    });
    this.hubs[place] = hub;
  }

  /** Delivers a notice later to the processes that did not send it. */
  notify(notice: Notice, from: HubProcess | undefined): void {
    for (const other of this.hubs) {
      if (other === from) continue;
      const afterMs = this.dice.isHit(0.3) ? this.dice.between(1, NOTICE_MAX_MS) : 5;
      this.world.after(afterMs, () => other.hear(notice));
    }
  }

  /** An administrator writes at a random hub. */
  governed(dice: SeededRandom): void {
    const at = dice.of(this.hubs);
    const { n } = this.records.tenant;
    const notice: Notice = { kind: 'feed', tenant: TENANT_ID, topic: 'governance', n };
    at.hear(notice);
    this.notify(notice, at);
  }

  restartHub(dice: SeededRandom): void {
    this.startHub(dice.below(HUBS));
  }

  deafenHub(dice: SeededRandom): void {
    const hub = dice.of(this.hubs);
    hub.lose();
    this.world.after(dice.between(500, 120_000), () => hub.listenAgain());
  }

  listenAgain(): void {
    for (const hub of this.hubs) hub.listenAgain();
  }

  // The agent.

  async start(): Promise<void> {
    if (this.agent !== null) return;
    const { world, dice, machine, judge } = this;
    this.note(() => 'the agent starts');
    judge.started();
    try {
      const run = await startAgent({
        ...{ world, dice, machine },
        plants: this.plants.agent ?? {},
        exchange: (isAlive) => this.network.exchange(isAlive),
        begun: (disk) => {
          this.disk = disk;
        },
        crashed: () => this.crashed(),
        raising: (alert, raise) => {
          const { disk } = this;
          judge.raising(alert, raise, () => disk === null || disk.isFull || disk.isGone);
        },
        ended: (process) => {
          if (this.agent !== null) judge.ended(process, this.agent);
        },
        note: (text) => this.note(text),
      });
      if (run.disk.isGone) return;
      this.agent = run;
      this.isChanged = true;
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
    }
  }

  /** The process has crashed; the operating system starts it again. */
  crashed(): void {
    this.note(() => 'the agent ends');
    this.judge.crashed(this.disk?.isFull === true);
    if (this.disk !== null) this.disk.isGone = true;
    this.agent = null;
    this.disk = null;
    const afterMs = this.isQuiet ? 1_000 : this.dice.between(500, 180_000);
    this.world.after(afterMs, () => this.start());
  }

  reboot(): void {
    if (this.disk !== null) this.crashed();
    this.machine.boots++;
    this.machine.bootedAt = this.world.now;
  }

  /** The file is damaged: it is set aside, and a new file begins. */
  damage(): void {
    if (this.disk !== null) this.crashed();
    emptyFile();
    this.judge.storeReset();
  }

  async raise(alerts: number, severity: () => 'critical' | 'high' | 'medium' | 'low') {
    for (let i = 0; i < alerts && this.agent !== null; i++) {
      const { agent } = this;
      agent.raise({
        alert_id: agent.makeId(),
        occurred_at: new Date(agent.now()).toISOString(),
        severity: severity(),
        action: 'agent',
        code: 'test',
        application_name: null,
        process: null,
        override_id: null,
        outcome: null,
        message: 'raised by the plan',
      });
    }
  }

  /** Each program is started once more, and the agent looks. */
  async launch(): Promise<void> {
    const some = PROGRAMS.map((program) => correlated(processOf(program, ++this.processes)));
    try {
      await this.agent?.enforcer.consider(some);
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
    }
  }
}
