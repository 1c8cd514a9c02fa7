// The six invariants, checked against the messages on the wire and the commits of the hubs.
// Each act has one of three outcomes: done (it must be there), not done (it must not), and unknown, which may be either.

import type { RunningProcess } from '@gatewarden/agent/src/processes/running-process.ts';
import type { NewAlert } from '@gatewarden/agent/src/store/alert-store.ts';
import type { HubRequest, HubResponse } from '@gatewarden/agent/src/sync/http-exchange.ts';
import type {
  DeltaCursor,
  DeltaPage,
} from '@gatewarden/hub/src/features/devices/sync/delta-cursor.ts';
import {
  audienceOf,
  overridesAppliedBy,
} from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import { decide, endsProcesses } from '@gatewarden/shared/policy.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import {
  type EnforcementCeiling,
  EXECUTION_POLICIES,
  SEVERITIES,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { type AgentRun, ALERT_LIMIT, type Machine } from './agent.ts';
import { Ceiling } from './enforcement-ceiling.ts';
import { nameOf, type Overrides, Unwritten, withPage } from './expected-overrides.ts';
import {
  confirmed,
  isUnfinished,
  type QueueRow,
  queueOf,
  readOverrideBodies,
  remembered,
  waitingChanges,
  waitingPages,
  waitingRows,
} from './file.ts';
import { correlated, factsOf, PROGRAMS, processOf } from './programs.ts';
import { DEVICE_ID, type Records } from './records.ts';
import type { SimulatedEnvironment } from './simulated-environment.ts';

export type Invariant =
  | 'no lost ack'
  | 'no double notify'
  | 'cursor never skips'
  | 'last policy wins'
  | 'queue bound'
  | 'fail-open';

export class Violation extends Error {
  readonly invariant: Invariant;
  constructor(invariant: Invariant, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

/** `kept`: durable; `unknown`: the disk was full, or the agent ended in the midst of it; `dropped`: for want of room. */
type AlertOutcome = 'kept' | 'unknown' | 'dropped';

/** A request is given up after that; so far may the agent's idea of the hub's time be behind. */
const CLOCK_BEHIND_MS = 30_000;

export class InvariantChecker {
  violation: Violation | null = null;
  private readonly world: SimulatedEnvironment;
  private readonly records: Records;
  private readonly machine: Machine;
  private readonly pages = new Map<string, DeltaCursor>();
  /** Overrides that were sent to a device up to a cursor. */
  private readonly received = new Map<string, Overrides>();
  private expected: Overrides = new Map();
  private readonly unwritten = new Unwritten();
  /** Pages of a pull that is under way, which the disk did not take. */
  private untaken: { changes: WireOverride[]; next: string } | null = null;
  private stored: string | null = null;
  private readonly ceiling = new Ceiling();
  private readonly raised = new Map<string, { alert: NewAlert; outcome: AlertOutcome }>();
  private readonly acknowledged = new Set<string>();
  private readonly batches = new Map<string, string>();
  private dropped = 0;
  private isCountExact = true;
  /** A recreated store may count its scans from below: scan numbers prove nothing until the hub has marked them suspect. */
  private isScanTrusted = true;
  private clock = { boot: 0, now: 0 };

  constructor(world: SimulatedEnvironment, records: Records, machine: Machine) {
    this.world = world;
    this.records = records;
    this.machine = machine;
  }

  private check(isRight: boolean, invariant: Invariant, message: () => string): void {
    if (!isRight) this.violation ??= new Violation(invariant, message());
  }

  // Events of the hubs.

  paged(sealed: string, { cursor }: DeltaPage): void {
    this.pages.set(sealed, cursor);
  }

  recordAck(what: 'alert' | 'batch', id: string, answer: string): void {
    if (what === 'alert') {
      this.acknowledged.add(id);
      const times = this.records.notified.get(id) ?? 0;
      this.check(times <= 1, 'no double notify', () => `${id} was notified ${times} times`);
      return;
    }
    const before = this.batches.get(id) ?? answer;
    this.batches.set(id, before);
    this.check(before === answer, 'no lost ack', () => `batch ${id}: ${before}, then ${answer}`);
  }

  /** A page that reached the agent: defines the set it must have, once its cursor shows that it stored the page. */
  delivered(asking: HubRequest, answered: HubResponse, isDiskFull: boolean): void {
    const url = new URL(asking.pathAndQuery, 'http://hub');
    if (url.pathname !== SYNC_PATHS.delta || answered.status !== 200) return;
    if (!answered.body.startsWith('{')) return;
    const page = JSON.parse(answered.body) as {
      overrides: WireOverride[];
      next_cursor: string;
      has_more: boolean;
      enforcement_ceiling: EnforcementCeiling;
    };
    const cursor = url.searchParams.get('cursor');
    const from = this.received.get(cursor ?? '') ?? new Map();
    this.received.set(page.next_cursor, withPage(from, page.overrides));
    this.missed(cursor, page, isDiskFull);
    this.ceiling.heard(page.enforcement_ceiling, page.next_cursor);
  }

  /** Pages after the first that the full disk did not store apply from memory, once the last page is there. */
  private missed(
    cursor: string | null,
    page: { overrides: WireOverride[]; next_cursor: string; has_more: boolean },
    isDiskFull: boolean,
  ): void {
    const isStored = cursor === remembered('cursor');
    const before = isStored ? [] : this.untaken?.next === cursor ? this.untaken.changes : null;
    this.untaken = null;
    if (cursor === null || before === null || (isStored && !isDiskFull)) return;
    const changes = [...before, ...page.overrides];
    if (page.has_more) this.untaken = { changes, next: page.next_cursor };
    else this.unwritten.add([...waitingChanges(), ...changes]);
  }

  // Events of the agent.

  /** Before and after an alert is raised the queue is looked at: what it lost in between is known exactly. */
  raising(alert: NewAlert, raise: () => void, isDisturbed: () => boolean): void {
    const before = queueOf();
    raise();
    const after = queueOf();
    if (isDisturbed()) {
      this.raised.set(alert.alert_id, { alert, outcome: 'unknown' });
      this.isCountExact = false;
      return;
    }
    this.raised.set(alert.alert_id, { alert, outcome: 'kept' });
    const left = new Set(after.map((queueRow) => queueRow.alert_id));
    const rank = SEVERITIES.indexOf(alert.severity);
    const own = { alert_id: alert.alert_id, severity: rank, code: alert.code ?? null };
    const lost = [...before, own].filter(
      (queueRow) => !left.has(queueRow.alert_id) && !isWord(queueRow),
    );
    for (const queueRow of lost) this.drop(queueRow, after);
    this.check(
      after.length <= ALERT_LIMIT,
      'queue bound',
      () => `${after.length} alerts wait, at most ${ALERT_LIMIT} may`,
    );
  }

  private drop(queueRow: QueueRow, left: readonly QueueRow[]): void {
    const better = left.find((other) => other.severity > queueRow.severity);
    this.check(
      better === undefined,
      'queue bound',
      () => `${queueRow.alert_id} went, and ${better?.alert_id} is less severe and stayed`,
    );
    this.dropped++;
    const known = this.raised.get(queueRow.alert_id);
    if (known !== undefined) known.outcome = 'dropped';
  }

  /** A process is ended by a policy that is in force, and never against the emergency stop. */
  ended(process: RunningProcess, run: AgentRun): void {
    this.follow();
    const now = run.backend.clock.now();
    const { policy, override } = this.decision(process.name, now);
    this.check(
      endsProcesses(policy) && this.ceiling.allows('enforce'),
      'fail-open',
      () =>
        `${process.name} was ended; decided is ${policy} by ${override?.override_id}, the ceiling is ${this.ceiling.now}`,
    );
  }

  private decision(program: string, now: number) {
    const known = [...this.unwritten.over(this.expected).values()].filter((item) =>
      EXECUTION_POLICIES.includes(item.execution_policy),
    );
    return decide({ platform: 'linux' }, factsOf(program), known, now);
  }

  /** Changes that a full disk did not store end with the run. */
  crashed(isDiskFull: boolean): void {
    this.unwritten.clear();
    this.untaken = null;
    if (!isDiskFull) return;
    this.isCountExact = false;
    // The latest hub time may have been in memory only: the time before it is some seconds behind.
    this.clock.boot = -1;
  }

  /** A stop that was received but not stored before a crash is received again after it. */
  started(): void {
    this.ceiling.begins(remembered('enforcement_ceiling'));
  }

  /** The store was damaged and is begun anew. */
  storeReset(): void {
    this.expected = new Map();
    this.raised.clear();
    this.isScanTrusted = false;
    this.dropped = 0;
    this.ceiling.begins(null);
  }

  // The looks from outside, between two events.

  private follow(): void {
    const cursor = remembered('cursor');
    if (cursor === null) return;
    const known = this.received.get(cursor);
    this.check(known !== undefined, 'cursor never skips', () => 'no page gave its cursor');
    // The earlier set counts until the last page is there.
    if (isUnfinished()) return;
    this.expected = known ?? this.expected;
    if (cursor !== this.stored) this.unwritten.clear();
    this.stored = cursor;
  }

  async look(run: AgentRun): Promise<void> {
    // A full disk may keep it from being applied.
    if (waitingPages() === 0 || isUnfinished()) {
      this.follow();
      this.lookAtOverrides();
      await this.lookAtDecisions(run);
    }
    const mode = run.disk.aside(run.mode);
    this.check(
      this.ceiling.allows(mode),
      'fail-open',
      () => `it may ${mode}, and the hub allowed ${this.ceiling.now}`,
    );
    this.lookAtClock(run);
    this.lookAtAlerts();
    this.lookAtInventory();
  }

  private lookAtOverrides(): void {
    const bodies = readOverrideBodies();
    const expectedBodies = [...this.expected.values()]
      .sort((a, b) => (a.override_id < b.override_id ? -1 : 1))
      .map((item) => JSON.stringify(item));
    this.check(
      bodies.join() === expectedBodies.join(),
      'cursor never skips',
      () => `it has ${bodies.join('\n')}\nand was sent ${expectedBodies.join('\n')}`,
    );
    const cursor = remembered('cursor');
    const place = cursor === null ? undefined : this.pages.get(cursor);
    if (place === undefined || isUnfinished()) return;
    const { revision, subscriberId, resyncedAt } = place;
    const snapshot = this.records.history.get(revision);
    if (snapshot === undefined) return;
    const there = overridesAppliedBy(
      snapshot,
      audienceOf(snapshot, DEVICE_ID, subscriberId),
      resyncedAt,
    )
      .map(nameOf)
      .sort();
    const here = [...this.expected.values()].map(nameOf).sort();
    this.check(
      there.join() === here.join(),
      'cursor never skips',
      () => `it has [${here}], and revision number ${revision} the hub had [${there}]`,
    );
  }

  private async lookAtDecisions(run: AgentRun): Promise<void> {
    for (const program of PROGRAMS) {
      const here = await run.enforcer.preview(correlated(processOf(program, 0)));
      const there = this.decision(program, run.backend.clock.now());
      const [mine, right] = [here, there].map(
        ({ policy, override }) => `${policy} by ${override?.override_id}:${override?.revision}`,
      );
      this.check(
        mine === right,
        'last policy wins',
        () => `${program}: it decides ${mine}, and was sent ${right}`,
      );
    }
  }

  private lookAtClock(run: AgentRun): void {
    const now = run.backend.clock.now();
    const boot = this.machine.boots;
    const hubClock = remembered('hub_clock');
    const isHeard = hubClock?.bootId === `boot-${boot}`;
    const ahead = now - this.world.now;
    this.check(
      hubClock === null || (ahead <= 1 && (!isHeard || ahead >= -CLOCK_BEHIND_MS)),
      'last policy wins',
      () => `its idea of the hub's time is ${ahead} ms off`,
    );
    if (isHeard && this.clock.boot === boot) {
      this.check(now >= this.clock.now, 'last policy wins', () => "the hub's time ran backwards");
    }
    this.clock = { boot: isHeard ? boot : -1, now };
  }

  private lookAtAlerts(): void {
    for (const id of this.acknowledged) {
      this.check(this.records.alerts.has(id), 'no lost ack', () => `the hub has no alert ${id}`);
    }
    const queue = queueOf();
    const waiting = new Set(queue.map((queueRow) => queueRow.alert_id));
    const isAllCritical = queue.every((queueRow) => queueRow.severity === 0);
    const counted = remembered('alerts_dropped') ?? 0;
    for (const [id, known] of this.raised) {
      if (waiting.has(id)) known.outcome = 'kept';
      if (known.outcome !== 'kept' || waiting.has(id) || this.acknowledged.has(id)) continue;
      // Dropped alerts include those displaced by the report of a loss or by alerts from memory; both are counted.
      const mayGo = known.alert.severity !== 'critical' || isAllCritical;
      const isCounted = counted > this.dropped && mayGo;
      this.check(isCounted, 'no lost ack', () => `alert ${id} is gone, and the hub never had it`);
      this.dropped++;
      known.outcome = 'dropped';
    }
    this.check(
      !this.isCountExact || counted === this.dropped,
      'queue bound',
      () => `${this.dropped} alerts were dropped, counted are ${counted}`,
    );
  }

  private lookAtInventory(): void {
    if (!this.isScanTrusted) return;
    for (const name of confirmed()) {
      this.check(
        this.records.everStored.has(name),
        'no lost ack',
        () => `it takes ${name} for stored, and the hub never had it`,
      );
    }
  }

  /** Returns whether the device of this person was sent every current override. */
  hasPulled(owner: string): boolean {
    const place = this.pages.get(remembered('cursor') ?? '');
    return (
      place?.revision === this.records.tenant.n && place.subscriberId === owner && !isUnfinished()
    );
  }

  /** After the quiet: everything has come to where it belongs. */
  finish(installed: readonly string[], fresh: readonly WireOverride[]): void {
    const isOver = ({ expires_at: end }: WireOverride) =>
      end !== null && Date.parse(end) <= this.world.now;
    const here = [...this.expected.values()]
      .filter((item) => !isOver(item))
      .map(nameOf)
      .sort();
    const there = fresh
      .filter((item) => !isOver(item))
      .map(nameOf)
      .sort();
    this.check(
      here.join() === there.join(),
      'cursor never skips',
      () => `after the quiet it has [${here}], a fresh pull gives [${there}]`,
    );
    for (const [id, { outcome }] of this.raised) {
      this.check(
        outcome !== 'kept' || this.records.alerts.has(id),
        'no lost ack',
        () => `after the quiet the hub has no alert ${id}`,
      );
    }
    this.check(
      this.ceiling.now === this.records.tenant.ceiling,
      'fail-open',
      () =>
        `after the quiet it may ${this.ceiling.now}, the hub allows ${this.records.tenant.ceiling}`,
    );
    const stored = this.records.presentNames();
    const reported = confirmed();
    const installedNames = [...installed].sort();
    this.check(
      [stored, reported].every((some) => some.join() === installedNames.join()),
      'no lost ack',
      () =>
        `after the quiet [${installedNames}] is installed, the hub has [${stored}], the agent takes for stored [${reported}]`,
    );
    this.check(waitingRows() === 0, 'no lost ack', () => 'after the quiet something waits');
  }
}

/** The alert that reports dropped alerts appears and disappears with the loss that it reports. */
const isWord = (queueRow: QueueRow) => queueRow.code === 'alerts_dropped';
