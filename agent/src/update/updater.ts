// Purpose: updates the agent from its hub: asks about once an hour, downloads a signed release, hands over to the launcher.
// Main types: `Updater`, `Versions` (installed versions), `ReleaseManifest`.
// Invariants: only a release with the vendor's signature is installed; the launcher returns from a version that fails.
// Depends on: release-manifest (verification), update-download, installed-versions, sync/hub-client.
// Start reading at `startUpdater`; release-manifest.ts shows how a release is verified.
import type { KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdateStatus } from '@gatewarden/shared/wire/local/service.ts';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { jitter, type Loop, startLoop } from '../runtime/task-loop.ts';
import type { Backend } from '../sync/backend.ts';
import { isWorthRetrying, logLevelFor, UpdateRefused, waitAfter } from '../sync/backoff.ts';
import { readAnswer } from '../sync/hub-responses.ts';
import { AGENT_VERSION } from '../version.ts';
import { openVersions, type Versions } from './installed-versions.ts';
import type { Launched } from './launcher-environment.ts';
import { acceptManifest, parsePublicKey } from './release-manifest.ts';
import { downloadRelease } from './update-download.ts';
import { VENDOR_KEY } from './vendor-key.ts';

const ASK_EVERY_MS = 3_600_000;
const RETRY_MS = 60_000;
/** A fleet that boots together does not ask together. */
const FIRST_WITHIN_MS = 15 * 60_000;

export interface Updater {
  status(): UpdateStatus;
  /** Asks now. */
  look(): void;
  stop(): Promise<void>;
}

/** Starts asking. `staged` is called once, when a newer version is ready to be started. */
export function startUpdater(options: {
  config: AgentConfig;
  dataDir: string;
  launched: Launched | null;
  backend: Backend;
  log: Log;
  reportError: (error: unknown, message: string) => void;
  staged: (version: string) => void;
}): Updater {
  const { config, backend, launched, log } = options;
  const { channel } = config.update;
  const versions = launched === null ? null : openVersions(launched.folder);
  const publicKey = parsePublicKey(config.update.publicKey ?? VENDOR_KEY ?? '');
  const off = whyOff(config, options.dataDir, versions, publicKey);
  let refused: string | null = null;
  let next: string | null = null;
  const reported = new Set<string>();
  if (versions !== null) reportFailedVersions(versions, backend);

  const onTrial = launched !== null && launched.trialSeconds !== null;
  if (versions !== null && !onTrial) versions.clean(AGENT_VERSION);
  let failed: unknown = null;
  let attempts = 0;

  /** A version that has not passed its trial cannot be returned to: it accepts no successor. */
  const waitsForTrial = () => onTrial && versions?.isOnTrial(AGENT_VERSION) === true;

  const look = async () => {
    if (versions === null || publicKey === null || next !== null || waitsForTrial()) return;
    backend.state.set('update_asked_at', Date.now());
    const manifest = await ask(backend, { channel, publicKey, versions });
    refused = null;
    const folder = join(options.dataDir, 'updates');
    if (manifest === null) {
      // Half of a release that was withdrawn.
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    log.info({ version: manifest.version }, 'a newer version is offered');
    if (!versions.isStaged(manifest.version)) {
      const file = await downloadRelease(backend.client, manifest, folder);
      await versions.stage(file, manifest);
      rmSync(file, { force: true });
    }
    next = manifest.version;
    options.staged(next);
  };

  const checkAndReport = async () => {
    try {
      await look();
      failed = null;
      attempts = 0;
    } catch (error) {
      failed = error;
      log[logLevelFor(error, 'warn')]({ reason: messageOf(error) }, 'no update for now');
      if (!(error instanceof UpdateRefused)) return;
      refused = error.message;
      if (!error.forged || reported.has(refused)) return;
      reported.add(refused);
      backend.alertAboutAgent('update_refused', 'high', `An update was refused: ${refused}`);
    }
  };

  const loop: Loop | null =
    off !== null
      ? null
      : startLoop(checkAndReport, {
          firstMs: firstAfter(backend.state.get('update_asked_at'), onTrial),
          // An interrupted download continues sooner; without a failure the hub is asked at most once in an hour.
          nextMs: () =>
            isWorthRetrying(failed)
              ? RETRY_MS + waitAfter(failed, 4 + attempts++)
              : jitter(ASK_EVERY_MS * 1.1),
          failed: (error) => options.reportError(error, 'updating failed'),
        });
  return {
    status: () => ({
      ...{ channel, next, refused },
      failed: failed === null || failed instanceof UpdateRefused ? null : messageOf(failed),
      off: off ?? (waitsForTrial() ? `${AGENT_VERSION} is on trial` : null),
      last_asked_at: timeText(backend.state.get('update_asked_at')),
      bad: versions?.bad() ?? [],
    }),
    look: () => loop?.wake(),
    async stop() {
      await loop?.stop();
    },
  };
}

function whyOff(
  config: AgentConfig,
  dataDir: string,
  versions: Versions | null,
  publicKey: KeyObject | null,
): string | null {
  if (!config.update.enabled) return 'update.enabled is false';
  if (versions === null) return 'not started by the launcher of a package';
  if (versions.folder !== join(dataDir, 'versions')) return 'not the data folder of the package';
  return publicKey === null ? 'no public key of the vendor is known' : null;
}

/** Not sooner than an hour after the last time, whatever was started in between. */
function firstAfter(askedAt: number | null, onTrial: boolean): number {
  const sinceMs = askedAt === null ? ASK_EVERY_MS : Math.max(0, Date.now() - askedAt);
  const spread = Math.random() * FIRST_WITHIN_MS;
  return onTrial ? ASK_EVERY_MS : Math.max(0, ASK_EVERY_MS - sinceMs) + spread;
}

async function ask(
  backend: Backend,
  by: { channel: string; publicKey: KeyObject; versions: Versions },
): Promise<ReleaseManifest | null> {
  const { client } = backend;
  // The program's platform in Node's terms; the device is named as its system does.
  const { platform, arch } = process;
  const { value } = await client.get(
    'update',
    { platform, arch, version: AGENT_VERSION, channel: by.channel },
    null,
    (body) => readAnswer('update', body),
  );
  if (value === null) return null;
  return acceptManifest(value, {
    ...{ publicKey: by.publicKey, platform, arch, channel: by.channel, version: AGENT_VERSION },
    bad: by.versions.bad().map((failure) => failure.version),
    now: new Date(),
  });
}

/** Once for each version that the launcher gave up. */
function reportFailedVersions(versions: Versions, backend: Backend): void {
  const reported = new Set(backend.state.get('updates_reported') ?? []);
  for (const { version, reason } of versions.bad()) {
    if (reported.has(version)) continue;
    reported.add(version);
    backend.alertAboutAgent(
      'update_rolled_back',
      'high',
      `Version ${version} did not work here (${reason}); ${AGENT_VERSION} goes on`,
    );
  }
  backend.state.set('updates_reported', [...reported]);
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
