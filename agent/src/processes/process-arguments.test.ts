// The script of an interpreter follows from its arguments.
import { expect, test } from 'vitest';
import { scriptOf } from './process-arguments.ts';

const scripts = { realPath: (path: string) => path, onLearned: () => undefined };
const script = (name: string, ...words: string[]) => scriptOf(name, 1, [name, ...words], scripts);

test.each([
  ['python3.13', ['-E', '/opt/a.py']],
  ['python3', ['-Es', '/opt/a.py', '-c']],
  ['python3', ['-W', 'ignore', '-p', '/opt/a.py']],
  ['bash', ['-e', '/opt/a.py']],
  ['bash', ['-p', '-E', '/opt/a.py']],
  ['sh', ['-m', '/opt/a.py']],
  ['node', ['--require', 'x', '/opt/a.py', '-e', 'text']],
  ['node-22', ['--no-warnings', '/opt/a.py']],
  ['python3.13t', ['-u', '/opt/a.py']],
  ['perl', ['-I', 'lib', '-w', '/opt/a.py']],
  ['ruby', ['-E', 'UTF-8', '/opt/a.py']],
  ['java', ['-p', 'modules', '-jar', '/opt/a.py']],
])('finds the script of %s %j', (name, words) => {
  expect(script(name, ...words)).toBe('/opt/a.py');
});

test.each([
  ['python3', ['-E', '-m', 'module', '/opt/a.py']],
  ['python3', ['-c', 'text', '/opt/a.py']],
  ['node', ['-p', 'text', '/opt/a.py']],
  ['perl', ['-E', 'text', '/opt/a.py']],
  ['bash', ['-c', 'text', '/opt/a.py']],
  ['sleep', ['/opt/a.py']],
])('finds no script of %s %j', (name, words) => {
  expect(script(name, ...words)).toBeNull();
});
