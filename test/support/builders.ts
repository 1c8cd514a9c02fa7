// Builders of what devices send; each is named for what it makes, and a test overrides what it is about.
import { randomUUID } from 'node:crypto';
import { entityId, processId } from '@gatewarden/shared/identity.ts';
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type {
  DiscoveredAppsRequest,
  WireEntity,
} from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import type { UnknownProcess } from '@gatewarden/shared/wire/sync/unknown-processes.ts';

const AT = '2026-11-20T10:00:00.000Z';

export function aDevice(over: Partial<WireDevice> = {}): WireDevice {
  return {
    device_id: randomUUID(),
    hostname: 'laptop-1',
    platform: 'linux',
    os_version: 'Debian 12',
    arch: 'x64',
    agent_version: '0.1.0',
    ...over,
  };
}

export function anEntity(name: string, over: Partial<WireEntity> = {}): WireEntity {
  return {
    entity_id: entityId('linux', 'package', 'dpkg', name),
    kind: 'package',
    source: 'dpkg',
    name,
    version: '1.0',
    publisher: 'Example',
    install_path: null,
    executables: [`/usr/bin/${name}`],
    installed_at: null,
    launch_hash: null,
    ...over,
  };
}

export function aBatch(
  device: WireDevice,
  entities: WireEntity[],
  scan: Partial<DiscoveredAppsRequest['scan']> = {},
): DiscoveredAppsRequest {
  return {
    batch_id: randomUUID(),
    device,
    scan: { scan_id: randomUUID(), started_at: AT, kind: 'full', batch: 0, batches: 1, ...scan },
    entities,
  };
}

export function anUnknownProcess(name: string, over: Partial<UnknownProcess> = {}): UnknownProcess {
  return {
    process_id: processId('linux', over.name ?? name, over.executable_path ?? `/opt/${name}`),
    name,
    executable_path: `/opt/${name}`,
    publisher: null,
    sha256: null,
    first_seen_at: AT,
    count: 1,
    ...over,
  };
}

export function aRunningProcess(name: string, over: Partial<RunningProcess> = {}): RunningProcess {
  return {
    process_id: processId('linux', over.name ?? name, over.executable_path ?? `/usr/bin/${name}`),
    name,
    executable_path: `/usr/bin/${name}`,
    application_name: null,
    entity_ids: [],
    count: 1,
    guard_rail: null,
    ...over,
  };
}

export function anAlert(over: Partial<WireAlert> = {}): WireAlert {
  return {
    alert_id: randomUUID(),
    occurred_at: AT,
    severity: 'high',
    action: 'block',
    code: null,
    application_name: 'Demo',
    process: { name: 'demo', executable_path: '/opt/demo', pid: 42, started_at: AT },
    override_id: null,
    outcome: 'terminated',
    message: 'demo was ended',
    queued: false,
    ...over,
  };
}

export function anActivity(over: Partial<ActivityEvent> = {}): ActivityEvent {
  return {
    activity_id: randomUUID(),
    decided_at: AT,
    process: { name: 'demo', executable_path: '/opt/demo', pid: 42, started_at: AT },
    application_name: null,
    entity_id: null,
    override_id: null,
    decision: 'block',
    enforced: true,
    outcome: 'terminated',
    ...over,
  };
}
