import { ManagementError } from '@gatewarden/management-client';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import { exitCodeOf } from './exit-codes.ts';

const answered = (status: number) => new ManagementError(new Response(null, { status }), {});
const connectionFailed = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });

test.each<[string, unknown, number]>([
  ['a wrong option', new CommanderError(1, 'x', 'x'), 2],
  ['a configuration that is wrong', new ConfigError('HUB_PORT'), 1],
  ['a wrong value of an option', new UsageError('--name'), 2],
  ['a resource that does not exist', new HubError('not_found'), 1],
  ['a refusal of the role', new HubError('forbidden'), 4],
  ['a hub that refuses the key', answered(401), 4],
  ['a hub that knows no such app', answered(404), 4],
  ['a hub without its database', answered(503), 3],
  ['a hub that cannot be reached', connectionFailed, 3],
  ['a reported error by its cause', new ConfigError('x', { cause: connectionFailed }), 3],
  ['a refusal by its cause', new ConfigError('x', { cause: answered(403) }), 4],
])('ends by %s', (_what, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});
