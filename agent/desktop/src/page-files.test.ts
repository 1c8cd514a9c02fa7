// Tests that pages come from a single folder, by plain names, under a strict content security policy.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageFile } from './page-files.ts';

test('serves a file with its type and the policy, and none outside of the folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'gw-pages-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'page');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const file of ['page/index.html', 'page/assets/a-1.js', 'secret.html']) {
    writeFileSync(join(root, file), 'x');
  }
  const index = pageFile(folder, '/index.html');
  expect(index).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
  const policy = index.headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/);
  expect(pageFile(folder, '/assets/a-1.js').status).toBe(200);
  for (const path of [
    '/../secret.html',
    '/assets/../index.html',
    '/%2e%2e/secret.html',
    '//secret.html',
    '/assets/none.js',
    '/main.mjs',
    '/',
    '',
  ]) {
    expect([path, pageFile(folder, path).status]).toEqual([path, 404]);
  }
});
