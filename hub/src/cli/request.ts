// Commands about access requests of users.
import {
  ACCESS_STATES,
  type AccessRequest,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { type Command, Option } from 'commander';
import { addCommand, displayTable, ofTenant, paged } from './command.ts';
import type { ApproveOptions, DenyOptions, ListRequestsOptions } from './request-actions.ts';

const COLUMNS = {
  request: (row: AccessRequest) => row.access_request_id,
  asked: (row: AccessRequest) => row.asked_at.slice(0, 16),
  user: (row: AccessRequest) => row.subscriber_id,
  device: (row: AccessRequest) => row.hostname,
  app: (row: AccessRequest) => row.application_name ?? row.process_name,
  state: (row: AccessRequest) => row.state,
  reason: (row: AccessRequest) => row.reason,
};

const actions = () => import('./request-actions.ts');

/** Adds `request list|approve|deny`. */
export function addRequestCommands(program: Command): void {
  const request = program.command('request').description('Answer access requests of users');
  addCommand<ListRequestsOptions>(request, {
    name: 'list',
    summary: 'List the open access requests of a tenant',
    examples: ['request list', 'request list --state granted --json'],
    configure: (command) =>
      paged(ofTenant(command)).addOption(
        new Option('--state <state>', 'state').choices(ACCESS_STATES).default('open'),
      ),
    display: displayTable('requests', COLUMNS, 'No access requests.'),
    load: async () => (await actions()).runRequestList,
  });
  addCommand<ApproveOptions>(request, {
    name: 'approve <request-id>',
    argument: 'id of the request',
    summary: 'Allow the app on the device of the request, for a limited time',
    examples: ['request approve ID', "request approve ID --expires-in 7d --reason 'For the audit'"],
    configure: (command) =>
      ofTenant(command)
        .option('--expires-in <duration>', 'duration, such as 7d, 12h or 45m', '30d')
        .option('--reason <text>', 'answer to the user'),
    load: async () => (await actions()).runRequestApprove,
  });
  addCommand<DenyOptions>(request, {
    name: 'deny <request-id>',
    argument: 'id of the request',
    summary: 'Deny an access request',
    examples: ["request deny ID --reason 'Use the managed app instead'"],
    configure: (command) =>
      ofTenant(command).requiredOption('--reason <text>', 'answer to the user'),
    load: async () => (await actions()).runRequestDeny,
  });
}
