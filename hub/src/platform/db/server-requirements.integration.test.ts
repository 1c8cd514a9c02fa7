// A database that could not store all data is rejected with instructions before the first write.
import { randomBytes } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { onNode } from '../../../../test/support/test-server.ts';
import { ConfigError } from '../config/config.ts';
import { openDatabase } from './database.ts';
import { ensureSchema, schemaState } from './migrate.ts';
import { checkServer } from './server-requirements.ts';

type Opened = ReturnType<typeof openDatabase>;

/** Creates an empty database with the options `how`; `role` opens it. */
async function createDatabase(how: string, role?: string): Promise<Opened> {
  const [node] = inject('postgres').nodes;
  if (node === undefined) throw new Error('there is no server');
  const name = `fit_${randomBytes(6).toString('hex')}`;
  const execute = (text: string) => onNode(node, 'postgres', (client) => client.query(text));
  await execute(`CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
  if (role !== undefined) await execute(`CREATE ROLE ${role} LOGIN`);
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
    await execute(`DROP DATABASE ${name} WITH (FORCE)`);
    if (role !== undefined) await execute(`DROP ROLE ${role}`);
  });
  return database;
}

const refusal = ({ db }: Opened) =>
  ensureSchema(db, 'auto').then(
    () => null,
    (error: unknown) => error,
  );

test.each(['LATIN1', 'SQL_ASCII'])('rejects a database in %s', async (encoding) => {
  const database = await createDatabase(`ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`);
  const error = await refusal(database);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toContain(`the database's encoding is ${encoding}`);
  expect((await schemaState(database.db)).isNew).toBe(true);
});

test('rejects a database where the role may create nothing', async () => {
  const role = `weak_${randomBytes(6).toString('hex')}`;
  const error = await refusal(await createDatabase('', role));
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
});

test('asks for an administrator when the role may not create the schema', async () => {
  const { db } = await createDatabase('', `weak_${randomBytes(6).toString('hex')}`);
  await expect(ensureSchema(db, 'refuse')).rejects.toThrow(/lacks \d+ migrations: run/);
});

test('warns about a database that folds only A to Z, and uses it', async () => {
  const { db } = await createDatabase(`ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`);
  expect(await checkServer(db)).toMatchObject({
    unusable: null,
    fault: null,
    lack: expect.stringContaining("LC_CTYPE 'C.UTF-8'"),
  });
});

test('reports no problem of the embedded database', async () => {
  const { db } = await createDatabase('');
  expect(await checkServer(db)).toMatchObject({ unusable: null, fault: null, lack: null });
});
