// Decides the enforcement mode: the strictest of configuration, hub ceiling, kill switch, breaker, crash loop, pause and
// platform. `observe` compares it with the last mode, and reports each
// change of the kill switch to the hub once.
import type { PauseState } from '@gatewarden/shared/wire/local/service.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { AgentConfig, EnforcementMode } from '../config/agent-config.ts';
import { type CrashLoop, detectCrashLoop } from '../enforcement/crash-loop-detector.ts';
import {
  effectiveMode,
  type Limits,
  limitedBy,
  openKillSwitch,
} from '../enforcement/enforcement-mode.ts';
import { createKillBreaker, type KillBreaker } from '../enforcement/kill-breaker.ts';
import { createPauseController, type PauseController } from '../enforcement/pause-controller.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import type { Log } from '../runtime/log.ts';
import type { Backend } from '../sync/backend.ts';

export interface ModeController {
  mode(): EnforcementMode;
  /** The mode without passing limits (breaker, crash loop, pause): these release nothing from quarantine. */
  lastingMode(): EnforcementMode;
  /** The limits that keep the mode below `enforce`. */
  limitedBy(): ReturnType<typeof limitedBy>;
  /** Logs and reports a change since the last call; returns whether the mode changed. */
  observe(): boolean;
  /** The mode at the last `observe`, which costs no file access. */
  observed(): EnforcementMode;
  breaker: KillBreaker;
  pauses: PauseController;
  pause(): PauseState;
  turnOff(): void;
  turnOn(): void;
  /** Records a regular end of this run. */
  end(): void;
}

interface ModeParts {
  config: Pick<
    AgentConfig,
    'enforcement' | 'killsPerMinute' | 'crashLimit' | 'allowUntestedPlatform'
  >;
  dataDir: string;
  platform: Platform;
  backend: Backend;
  userKeys: UserKeys;
  log: Log;
}

/** Creates the controller, and counts this start towards a crash loop. */
export function createModeController(parts: ModeParts): ModeController {
  const { config, platform, backend, log } = parts;
  const { state } = backend;
  const killSwitch = openKillSwitch(parts.dataDir);
  const breaker = openBreaker(parts);
  const crashLoop = openCrashLoop(parts);
  const pauses = createPauseController({
    state,
    people: parts.userKeys,
    hubNow: backend.clock.now,
    report: (message) => {
      log.warn(message);
      backend.alertAboutAgent('pause', 'medium', message);
    },
  });
  const limits = (): Limits => ({
    configured: config.enforcement,
    ceiling: state.get('enforcement_ceiling') ?? 'enforce',
    killSwitch: killSwitch.isOff(),
    breaker: breaker.state(),
    crashLoop: crashLoop.isLooping(),
    paused: pauses.isPaused(),
    untested: platform !== 'linux' && !config.allowUntestedPlatform,
  });
  const mode = () => effectiveMode(limits());
  let lastMode = mode();
  const observe = (): boolean => {
    const now = mode();
    const isChanged = now !== lastMode;
    if (isChanged) log.warn({ from: lastMode, to: now }, 'enforcement changed');
    lastMode = now;
    reportKillSwitch(backend, killSwitch.isOff());
    return isChanged;
  };
  return {
    mode,
    lastingMode: () =>
      effectiveMode({ ...limits(), breaker: 'closed', crashLoop: false, paused: false }),
    limitedBy: () => limitedBy(limits()),
    observe,
    observed: () => lastMode,
    breaker,
    pauses,
    pause: pauses.state,
    turnOff: killSwitch.turnOff,
    turnOn() {
      killSwitch.turnOn();
      breaker.close();
    },
    end: crashLoop.end,
  };
}

function reportKillSwitch({ state, alertAboutAgent }: Backend, isOff: boolean): void {
  if (isOff === (state.get('kill_switch_reported') ?? false)) return;
  state.set('kill_switch_reported', isOff);
  const message = isOff
    ? 'Enforcement was turned off on the device by its kill switch'
    : 'Enforcement was turned on again on the device';
  alertAboutAgent('kill_switch', isOff ? 'high' : 'medium', message);
}

function openBreaker({ config, backend, log }: ModeParts): KillBreaker {
  return createKillBreaker({
    limit: config.killsPerMinute,
    state: backend.state,
    now: backend.clock.now,
    monotonicMs: () => performance.now(),
    opened: (message) => {
      log.error('the breaker is open');
      backend.alertAboutAgent('breaker_open', 'critical', message);
    },
  });
}

function openCrashLoop({ config, backend, log }: ModeParts): CrashLoop {
  return detectCrashLoop({
    state: backend.state,
    limit: config.crashLimit,
    now: Date.now,
    monotonicMs: () => performance.now(),
    loops: (message) => {
      log.error('the agent ended unexpectedly again and again: it only monitors for now');
      backend.alertAboutAgent('crash_loop', 'critical', message);
    },
  });
}
