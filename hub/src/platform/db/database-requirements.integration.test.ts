// A database that could not keep everything is refused before anything is written there, with what to do.
import { randomBytes } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { onNode } from '../../../../test/support/test-server.ts';
import { ConfigError } from '../config/config.ts';
import { openDatabase } from './database.ts';
import { fitnessOf } from './fitness.ts';
import { ensureSchema, schemaState } from './migrate.ts';

type Opened = ReturnType<typeof openDatabase>;

/** An empty one, made as `how` says; `role` opens it. */
async function made(how: string, role?: string): Promise<Opened> {
  const [node] = inject('postgres').nodes;
  if (node === undefined) throw new Error('there is no server');
  const name = `fit_${randomBytes(6).toString('hex')}`;
  const say = (text: string) => onNode(node, 'postgres', (client) => client.query(text));
  await say(`CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
  if (role !== undefined) await say(`CREATE ROLE ${role} LOGIN`);
  const { host, port, user } = node;
  const as = role ?? user;
  const database = openDatabase(
    {
      connectionString: `postgresql://${as}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    },
    { counter: { count: 0 }, onIdleError: () => undefined, size: 1 },
  );
  onTestFinished(async () => {
    await database.close();
    await say(`DROP DATABASE ${name} WITH (FORCE)`);
    if (role !== undefined) await say(`DROP ROLE ${role}`);
  });
  return database;
}

const refusal = ({ db }: Opened) =>
  ensureSchema(db, 'auto').then(
    () => null,
    (error: unknown) => error,
  );

test.each(['LATIN1', 'SQL_ASCII'])('one in %s', async (encoding) => {
  const database = await made(`ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`);
  const error = await refusal(database);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toContain(`the database's encoding is ${encoding}`);
  expect((await schemaState(database.db)).isNew).toBe(true);
});

test('one where the role may make nothing', async () => {
  const role = `weak_${randomBytes(6).toString('hex')}`;
  const error = await refusal(await made('', role));
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
});

test('a role that is to make nothing is told to have it made', async () => {
  const { db } = await made('', `weak_${randomBytes(6).toString('hex')}`);
  await expect(ensureSchema(db, 'refuse')).rejects.toThrow(/lacks \d+ migrations: run/);
});

test('of one that folds A to Z only it is told, and it is used', async () => {
  const { db } = await made(`ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`);
  expect(await fitnessOf(db)).toMatchObject({
    unusable: null,
    fault: null,
    lack: expect.stringContaining("LC_CTYPE 'C.UTF-8'"),
  });
});

test('the one that the hub brings lacks nothing', async () => {
  const { db } = await made('');
  expect(await fitnessOf(db)).toMatchObject({ unusable: null, fault: null, lack: null });
});
