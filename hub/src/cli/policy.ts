// Commands about policies.
import type { ListedOverride } from '@gatewarden/shared/wire/console/overrides.ts';
import type { ProductPolicy } from '@gatewarden/shared/wire/console/product-policies.ts';
import { PRODUCT_CATEGORIES } from '@gatewarden/shared/wire/console/products.ts';
import { EXECUTION_POLICIES, PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Command, Option } from 'commander';
import { addCommand, destructive, displayTable, ofTenant, paged } from './command.ts';
import type {
  ListedPolicies,
  ListPoliciesOptions,
  RemoveOptions,
  SetPolicyOptions,
} from './policy-actions.ts';
import { describeMatch } from './policy-text.ts';

/** A row of the list: a policy for a product, or for apps and processes by their match. */
type ListedPolicy = ProductPolicy | ListedOverride;

const COLUMNS = {
  policy: (row: ListedPolicy) => ('policy_id' in row ? row.policy_id : row.override_id),
  for: (row: ListedPolicy) => ('product_name' in row ? row.product_name : describeMatch(row.match)),
  action: (row: ListedPolicy) => row.execution_policy,
  platform: (row: ListedPolicy) => ('platform' in row ? row.platform : row.match.platform) ?? 'all',
  scope: (row: ListedPolicy) => scopeText(row.scope),
  apps: (row: ListedPolicy) => ('entity_ids' in row ? row.entity_ids.length : undefined),
  expires: (row: ListedPolicy) => row.expires_at?.slice(0, 16),
  reason: (row: ListedPolicy) => row.reason,
};

const actions = () => import('./policy-actions.ts');

/** Adds `policy list|set|remove`. */
export function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('List, set and remove policies');
  addCommand<ListPoliciesOptions>(policy, {
    name: 'list',
    summary: 'List the policies of a tenant for products, apps and processes',
    examples: ['policy list', "policy list --name 'Slack' --json"],
    configure: (command) =>
      paged(ofTenant(command)).option('--name <product>', 'only this product, by name or id'),
    display: displayPolicies,
    load: async () => (await actions()).runPolicyList,
  });
  addCommand<SetPolicyOptions>(policy, {
    name: 'set',
    summary: 'Set the policy for a product, or change the policy it has in the same scope',
    examples: [
      "policy set --name 'Slack' --action block --dry-run",
      "policy set --name 'Slack' --action warn --group Contractors --reason 'Use Teams'",
      'policy set --name ollama --action allow --device laptop-ada --expires-in 7d',
    ],
    configure: setOptions,
    display: displaySet,
    load: async () => (await actions()).runPolicySet,
  });
  addCommand<RemoveOptions>(policy, {
    name: 'remove <policy-id>',
    argument: 'id of the policy',
    summary: 'Remove a policy',
    examples: ['policy remove ID --dry-run', 'policy remove ID --yes'],
    configure: (command) => destructive(ofTenant(command)),
    load: async () => (await actions()).runPolicyRemove,
  });
}

/** Returns the list as a table: policies for products first. */
export async function displayPolicies(answer: object): Promise<string> {
  const { policies, app_policies, truncated } = answer as ListedPolicies;
  const rows: ListedPolicy[] = [...policies, ...app_policies];
  return displayTable('rows', COLUMNS, 'No policies.')({ rows, truncated });
}

function setOptions(command: Command): Command {
  const scopes = ['device', 'user', 'group'];
  const scope = (flags: string, name: string, description: string) =>
    new Option(flags, description).conflicts(scopes.filter((other) => other !== name));
  return ofTenant(command)
    .requiredOption('--name <product>', 'product by name or id')
    .addOption(
      new Option('--action <action>', 'what agents do')
        .choices(EXECUTION_POLICIES)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--category <category>', 'category, if several products have the name').choices(
        PRODUCT_CATEGORIES,
      ),
    )
    .addOption(
      new Option('--platform <platform>', 'only this platform (default: all)').choices(PLATFORMS),
    )
    .addOption(scope('--device <device>', 'device', 'only this device, by host name or id'))
    .addOption(scope('--user <user>', 'user', 'only the devices of this user'))
    .addOption(scope('--group <group>', 'group', 'only this device group, by name or id'))
    .option('--expires-in <duration>', 'end of the policy, such as 7d, 12h or 45m (default: none)')
    .option('--reason <text>', 'reason, shown to users')
    .option('--dry-run', 'show what the policy would affect, and set nothing');
}

interface Affected {
  devices: { count: number; items: { hostname: string }[] };
  people: { count: number };
  processes: { count: number; ended?: number };
}

function displaySet(answer: object): string {
  const { policy, preview } = answer as { policy?: ProductPolicy; preview?: Affected };
  if (preview !== undefined) {
    const { devices, people, processes } = preview;
    const names = devices.items.slice(0, 10).map((device) => device.hostname);
    return [
      `Devices:    ${devices.count}${names.length === 0 ? '' : ` (${names.join(', ')}${devices.count > names.length ? ', …' : ''})`}`,
      `Users:      ${people.count}`,
      `Processes:  ${processes.count} running, ${processes.ended ?? 0} would be ended`,
      'Dry run: no policy was set.',
    ].join('\n');
  }
  if (policy === undefined) return '';
  const { product_name, execution_policy, scope, policy_id } = policy;
  return `${product_name}: ${execution_policy} for ${scopeText(scope)} (policy ${policy_id})`;
}

function scopeText(scope: ProductPolicy['scope']): string {
  switch (scope.kind) {
    case 'device':
      return `device ${scope.device_id}`;
    case 'group':
      return `group ${scope.group_id}`;
    case 'subscriber':
      return `user ${scope.subscriber_id}`;
    default:
      return 'all devices';
  }
}
