// Commands about versions of the agent that devices are offered.
import type { Command } from 'commander';
import { addCommand, displayTable } from './command.ts';
import type { ReleaseAddOptions, ReleaseRingOptions } from './release-commands.ts';

interface ListedRelease {
  release_id: string;
  version: string;
  channel: string;
  platform: string;
  arch: string;
  ring_percent: number;
  withdrawn_at: string | Date | null;
}

const COLUMNS = {
  release: (row: ListedRelease) => row.release_id,
  version: (row: ListedRelease) => row.version,
  channel: (row: ListedRelease) => row.channel,
  platform: (row: ListedRelease) => `${row.platform}-${row.arch}`,
  ring: (row: ListedRelease) => `${row.ring_percent}%`,
  state: (row: ListedRelease) => (row.withdrawn_at === null ? 'offered' : 'withdrawn'),
};

const RING = 'percentage of devices that are offered the release, 0 to 100';
const releases = () => import('./release-commands.ts');

/** Adds `release add|ring|list|withdraw`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description('Roll out versions of the agent');
  addCommand<ReleaseAddOptions & { file: string }>(release, {
    name: 'add <file>',
    argument: 'archive of the release',
    summary: 'Offer a signed release of the agent to devices',
    examples: [
      'release add agent.tar.gz --manifest manifest.json --signature manifest.json.sig --ring 5',
    ],
    configure: (command) =>
      command
        .requiredOption('--manifest <file>', 'manifest.json of the release')
        .requiredOption('--signature <file>', 'manifest.json.sig of the release')
        .requiredOption('--ring <percent>', RING)
        .option(
          '--public-key <file>',
          "verify with the vendor's public key (PEM) before devices do",
        ),
    load: async () => (await releases()).runReleaseAdd,
  });
  addCommand<ReleaseRingOptions & { releaseId: string }>(release, {
    name: 'ring <release-id>',
    argument: 'id of the release',
    summary: 'Offer a release to more devices, or to fewer',
    examples: ['release ring ID --ring 50', 'release ring ID --tenant ID --group ID'],
    configure: (command) =>
      command
        .option('--ring <percent>', RING)
        .option('--tenant <tenant>', 'tenant of --group, by id or name')
        .option('--group <id>', 'device group that is offered the release at any percentage'),
    load: async () => (await releases()).runReleaseRing,
  });
  addCommand(release, {
    name: 'list',
    summary: 'List the releases of the agent',
    examples: ['release list'],
    display: displayTable('releases', COLUMNS, 'No releases.'),
    load: async () => (await releases()).runReleaseList,
  });
  addCommand<{ releaseId: string }>(release, {
    name: 'withdraw <release-id>',
    argument: 'id of the release',
    summary: 'Stop offering a release; devices that have it keep it',
    examples: ['release withdraw ID'],
    load: async () => (await releases()).runReleaseWithdraw,
  });
}
