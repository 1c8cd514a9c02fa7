import { expect, it } from 'vitest';
import { inDatabase } from './scratch-database.ts';

it.each([
  ['postgresql://hub:p%2F@db.example.com/gatewarden', 'postgresql://hub:p%2F@db.example.com/copy'],
  ['postgres://db.example.com', 'postgres://db.example.com/copy'],
  ['postgres://a,b:5433/x?sslmode=require', 'postgres://a,b:5433/copy?sslmode=require'],
  ['postgresql://hub@/x?host=%2Frun&port=1', 'postgresql://hub@/copy?host=%2Frun&port=1'],
  ['postgresql://hub@db?sslmode=require', 'postgresql://hub@db/copy?sslmode=require'],
])('names another database of the same server: %s', (from, to) => {
  expect(inDatabase({ connectionString: from }, 'copy')).toEqual({ connectionString: to });
});

it('names another database of the embedded server', () => {
  const connection = { host: '/run', user: 'hub', database: 'hub' };
  expect(inDatabase(connection, 'copy')).toEqual({ ...connection, database: 'copy' });
});
