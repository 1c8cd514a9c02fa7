// `request list|approve|deny`, by the routes of the console.

import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import type {
  AccessRequest,
  AccessRequestAnswer,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { ConfigError } from '../platform/config/config.ts';
import { type ListOptions, type TenantConsole, withConsole } from './console.ts';
import { CommandFailed } from './exit-codes.ts';
import { type CommandRun, expiry } from './operator-commands.ts';

export interface ListRequestsOptions extends ListOptions {
  state?: string;
}

export interface ApproveOptions {
  tenant?: string;
  requestId: string;
  expiresIn: string;
  reason?: string;
}

export interface DenyOptions {
  tenant?: string;
  requestId: string;
  reason: string;
}

/** Returns the access requests of a tenant. */
export function runRequestList(run: CommandRun, options: ListRequestsOptions): Promise<object> {
  return withConsole(run, options, async (console) => {
    const { items, truncated } = await console.list<AccessRequest>(
      '/access-requests',
      { state: options.state },
      options,
    );
    return { requests: items, truncated };
  });
}

/** Grants an open access request on its device until the given time. */
export function runRequestApprove(run: CommandRun, options: ApproveOptions): Promise<object> {
  const expiresAt = expiry(options.expiresIn)?.toISOString();
  return withConsole(run, options, async (console) => {
    const request = await findOpenRequest(console, options.requestId);
    if (request.exception === null) {
      throw new CommandFailed(
        'this request cannot be approved: its app or process is no longer known on the device',
        EXIT.refused,
      );
    }
    const body = {
      match: request.exception.match,
      expires_at: expiresAt,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    };
    return answer(console, request, 'grant', body);
  });
}

/** Declines an open access request. */
export function runRequestDeny(run: CommandRun, options: DenyOptions): Promise<object> {
  return withConsole(run, options, async (console) => {
    const request = await findOpenRequest(console, options.requestId);
    return answer(console, request, 'decline', { reason: options.reason });
  });
}

async function answer(
  console: TenantConsole,
  request: AccessRequest,
  verb: 'grant' | 'decline',
  body: object,
): Promise<object> {
  const path = `/access-requests/${request.access_request_id}/${verb}`;
  const { access_request } = await console.send<AccessRequestAnswer>('POST', path, {
    body,
    ifMatch: request.version,
  });
  const { access_request_id, state, ends_at, override_id } = access_request;
  return { access_request_id, state, ends_at, override_id };
}

async function findOpenRequest(console: TenantConsole, id: string): Promise<AccessRequest> {
  const open = { state: 'open' };
  const { items } = await console.list<AccessRequest>('/access-requests', open, { all: true });
  const request = items.find((row) => row.access_request_id === id.toLowerCase());
  if (request === undefined) throw new ConfigError(`there is no open access request ${id}`);
  return request;
}
