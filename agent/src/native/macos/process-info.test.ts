// Structures of macOS are decoded from bytes with the layout of <sys/proc_info.h>.
import { expect, test } from 'vitest';
import { describeMacProcess } from '../../processes/mac-processes.ts';
import { decodeArguments, decodeBsdInfo } from './process-info.ts';

function makeBsdInfo(name: string): Buffer {
  const info = Buffer.alloc(136);
  info.writeUInt32LE(4321, 12);
  info.writeUInt32LE(1, 16);
  info.writeUInt32LE(501, 20);
  info.write('Google Chrome He', 48);
  info.write(name, 64);
  info.writeBigUInt64LE(1_772_600_767n, 120);
  info.writeBigUInt64LE(250_000n, 128);
  return info;
}

test('decodes pid, parent, user, name and start of a process', () => {
  expect(decodeBsdInfo(makeBsdInfo('Google Chrome Helper'))).toEqual({
    pid: 4321,
    ppid: 1,
    uid: 501,
    name: 'Google Chrome Helper',
    startedAt: 1_772_600_767_250_000n,
  });
  expect(decodeBsdInfo(makeBsdInfo('')).name).toBe('Google Chrome He');
});

test('describes a process by its path, and by its name where the path is hidden', () => {
  const info = decodeBsdInfo(makeBsdInfo('helper'));
  expect(describeMacProcess(info, '/Applications/Google Chrome.app/Contents/MacOS/Chrome')).toEqual(
    {
      ...{ pid: 4321, ppid: 1, uid: 501, kernelThread: false },
      name: 'Chrome',
      executablePath: '/Applications/Google Chrome.app/Contents/MacOS/Chrome',
      startTicks: '1772600767250000',
      startedAt: new Date(1_772_600_767_250),
    },
  );
  expect(describeMacProcess(info, null)).toMatchObject({ name: 'helper', executablePath: null });
});

test('decodes the arguments of a process, without its environment', () => {
  const count = Buffer.from([3, 0, 0, 0]);
  const text = '/usr/local/bin/node\0\0\0\0node\0/srv/mcp.js\0--stdio\0TOKEN=secret\0';
  const answer = Buffer.concat([count, Buffer.from(text)]);
  expect(decodeArguments(answer)).toEqual(['node', '/srv/mcp.js', '--stdio']);
  expect(decodeArguments(answer.subarray(0, 40))).toEqual(['node', '/srv/mcp']);
  expect(decodeArguments(Buffer.alloc(2))).toEqual([]);
});
