// The log never contains secrets, whatever is logged.
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, level = 'trace'): string {
  let output = '';
  write(
    createLog(level, {
      write: (line) => {
        output += line;
      },
    }),
  );
  return output;
}

const SECRET = 'gwa_very-secret-value';
const NAMES = ['authorization', 'cookie', 'password', 'token', 'secret'];

test.each(NAMES)('redacts the value of %s, also a level below', (name) => {
  const output = logged((log) => {
    log.info({ [name]: SECRET }, 'flat');
    log.info({ sent: { [name]: SECRET, kept: 'visible' } }, 'nested');
    log.child({ [name]: SECRET }).info('child');
  });
  expect(output).not.toContain(SECRET);
  expect(output).toContain('visible');
  expect(output.split('[redacted]')).toHaveLength(4);
});

test('logs only id, method and path of a request', () => {
  const req = {
    id: 'r1',
    method: 'GET',
    url: `/callback?code=${SECRET}`,
    headers: { authorization: SECRET, cookie: SECRET },
  };
  const output = logged((log) => log.info({ req }, 'asked'));
  expect(JSON.parse(output).req).toEqual({ id: 'r1', method: 'GET', path: '/callback' });
});

test('logs code and table of a database error, never the row', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "k"'), {
    code: '23505',
    table: 'people',
    constraint: 'k',
    detail: `Key (email)=(${SECRET}) already exists.`,
    where: SECRET,
    hint: SECRET,
    parameters: [SECRET],
  });
  const output = logged((log) => {
    log.error({ err: error }, 'failed');
    log.error(error);
  });
  expect(output).not.toContain(SECRET);
  expect(JSON.parse(output.split('\n')[0] ?? '').err).toMatchObject({
    code: '23505',
    table: 'people',
    constraint: 'k',
  });
});

test('logs thrown values that are no errors', () => {
  const output = logged((log) => log.error({ err: 'plain text' }, 'failed'));
  expect(JSON.parse(output).err).toEqual({ message: 'plain text' });
});

test('writes a line as a JSON object with service and time', () => {
  const output = logged((log) => log.info('two\nlines'));
  expect(output.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(output)).toMatchObject({
    service: 'hub',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    msg: 'two\nlines',
  });
});

test('writes nothing below its level', () => {
  expect(logged((log) => log.info('quiet'), 'warn')).toBe('');
});
