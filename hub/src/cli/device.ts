// Commands about devices.

import { DEVICE_STATES, type DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Command, Option } from 'commander';
import { addCommand, destructive, displayTable, ofTenant, paged } from './command.ts';
import type { DeviceSelection, ListDevicesOptions, RetireOptions } from './device-actions.ts';

const COLUMNS = {
  device: (row: DeviceRow) => row.device_id,
  hostname: (row: DeviceRow) => row.hostname,
  user: (row: DeviceRow) => row.subscriber_id,
  platform: (row: DeviceRow) => `${row.platform} ${row.os_version}`,
  agent: (row: DeviceRow) => row.agent_version,
  apps: (row: DeviceRow) => row.entity_count,
  policies: (row: DeviceRow) => row.governance.state,
  'last seen': (row: DeviceRow) => row.last_seen_at.slice(0, 16),
};

const actions = () => import('./device-actions.ts');

/** Adds `device list|show|retire`. */
export function addDeviceCommands(program: Command): void {
  const device = program.command('device').description('List and retire devices');
  addCommand<ListDevicesOptions>(device, {
    name: 'list',
    summary: 'List the devices of a tenant',
    examples: ['device list', 'device list --state stale', 'device list --query laptop --json'],
    configure: (command) =>
      paged(ofTenant(command))
        .option('--query <text>', 'part of the host name, the user or the id')
        .addOption(new Option('--platform <platform>', 'only this platform').choices(PLATFORMS))
        .addOption(
          new Option('--state <state>', 'only this state (default: all but retired)').choices(
            DEVICE_STATES,
          ),
        ),
    display: displayTable('devices', COLUMNS, 'No devices.'),
    load: async () => (await actions()).runDeviceList,
  });
  addCommand<DeviceSelection>(device, {
    name: 'show <device>',
    argument: 'id or name of the device',
    summary: 'Show a device, by id or host name',
    examples: ['device show laptop-ada', 'device show ID --json'],
    configure: ofTenant,
    display: displayDevice,
    load: async () => (await actions()).runDeviceShow,
  });
  addCommand<RetireOptions>(device, {
    name: 'retire <device>',
    argument: 'id or name of the device',
    summary: 'Retire a device: its tokens end, and its inventory is removed',
    examples: ['device retire laptop-ada --dry-run', 'device retire ID --yes'],
    configure: (command) => destructive(ofTenant(command)),
    load: async () => (await actions()).runDeviceRetire,
  });
}

function displayDevice(answer: object): string {
  const { device } = answer as { device: DeviceRow & { groups: { name: string }[] } };
  const fields: [string, string | null][] = [
    ['Device', device.device_id],
    ['Host name', device.hostname],
    ['User', device.subscriber_id],
    ['System', `${device.platform} ${device.os_version} ${device.arch}`],
    ['Agent', device.agent_version],
    ['Apps', String(device.entity_count)],
    ['Policies', device.governance.state],
    ['Groups', device.groups.map((group) => group.name).join(', ')],
    ['First seen', device.first_seen_at],
    ['Last seen', device.last_seen_at],
    ['Last scan', device.last_scan_at],
    ['Retired', device.retired_at],
  ];
  return fields.map(([label, value]) => `${label.padEnd(12)} ${value || '-'}`).join('\n');
}
