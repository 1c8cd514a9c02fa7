// `device list|show|retire`, by the routes of the console.
import type { DeviceAnswer, DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import { type ListOptions, type TenantConsole, withConsole } from './console.ts';
import type { CommandRun } from './operator-commands.ts';
import { requireConsent } from './terminal.ts';

export interface ListDevicesOptions extends ListOptions {
  query?: string;
  platform?: string;
  state?: string;
}

export interface DeviceSelection {
  tenant?: string;
  /** Id or host name. */
  device: string;
}

export interface RetireOptions extends DeviceSelection {
  yes?: boolean;
  dryRun?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the devices of a tenant. */
export function runDeviceList(run: CommandRun, options: ListDevicesOptions): Promise<object> {
  const { query, platform, state } = options;
  return withConsole(run, options, async (console) => {
    const { items, truncated } = await console.list<DeviceRow>(
      '/devices',
      { query, platform, state },
      options,
    );
    return { devices: items, truncated };
  });
}

/** Returns a device. */
export function runDeviceShow(run: CommandRun, options: DeviceSelection): Promise<object> {
  return withConsole(run, options, async (console) => ({
    device: await findDevice(console, options.device),
  }));
}

/** Retires a device after consent. */
export function runDeviceRetire(run: CommandRun, options: RetireOptions): Promise<object> {
  return withConsole(run, options, async (console) => {
    const device = await findDevice(console, options.device);
    const { device_id, hostname, subscriber_id, entity_count } = device;
    if (options.dryRun === true) {
      return { dry_run: true, would_retire: { device_id, hostname, subscriber_id, entity_count } };
    }
    const question = `Retire ${hostname} of ${subscriber_id}? Its tokens end, and its inventory is removed.`;
    await requireConsent(run.terminal, options, question);
    await console.send('DELETE', `/devices/${device_id}`, { ifMatch: device.version });
    return { device_id, retired: true };
  });
}

/** Returns the device with this id or host name. Throws ConfigError if there is none or several. */
export async function findDevice(
  console: TenantConsole,
  wanted: string,
): Promise<DeviceAnswer['device']> {
  const deviceId = UUID.test(wanted) ? wanted : await idOfHost(console, wanted);
  return (await console.get<DeviceAnswer>(`/devices/${deviceId}`)).device;
}

async function idOfHost(console: TenantConsole, hostname: string): Promise<string> {
  const { items } = await console.list<DeviceRow>('/devices', { query: hostname }, { all: true });
  const named = items.filter((row) => row.hostname.toLowerCase() === hostname.toLowerCase());
  const [device, ...others] = named;
  if (device === undefined) throw new ConfigError(`there is no device ${hostname} in this tenant`);
  if (others.length > 0) {
    const ids = named.map((row) => row.device_id).join(', ');
    throw new UsageError(`several devices are called ${hostname}: use an id (${ids})`);
  }
  return device.device_id;
}
