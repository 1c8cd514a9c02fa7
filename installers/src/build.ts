// Builds the packages of the headless agent for Linux and Windows. Usage: npm run package -- [--out dist] [--version V]
// [--arch x64|arm64] [--only deb,rpm,tar,msi,user-msi,windows-tar] [--parts FOLDER] [--fast] [--update-key PUBLIC]
// [--sign KEYFILE|env [--channel stable] [--minimum-version 0.1.0] [--days 180]]. With --sign the archive becomes a
// release: its manifest is signed, and the public half of the key is built in. Builds are reproducible: file times are
// SOURCE_DATE_EPOCH, else the time of the last commit.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { orEnd } from '../../scripts/options.ts';
import { packDeb } from './deb.ts';
import { packMsi } from './msi.ts';
import { readOptions } from './options.ts';
import { packRpm } from './rpm.ts';
import { publicKeyText, readSigningKey, signRelease } from './sign.ts';
import { type Build, stageAgent } from './stage.ts';
import { packTar, packWindowsTar } from './tar.ts';

const options = orEnd(() => readOptions(process.argv.slice(2)));
if (process.platform !== 'linux') throw new Error('these packages are built on Linux');
const { sign } = options;
const key = sign === undefined ? null : orEnd(() => readSigningKey(sign, process.env));
const build: Build = {
  version: options.version,
  platform: { os: 'linux', arch: options.arch },
  updateKey: options.updateKey ?? (key === null ? null : publicKeyText(key)),
  epoch: Number(process.env.SOURCE_DATE_EPOCH ?? lastCommit()),
};
const out = resolve(options.out);
mkdirSync(out, { recursive: true });
const { kinds, fast } = options;
const work = mkdtempSync(join(tmpdir(), 'gw-package-'));
const made: string[] = [];
try {
  if (kinds.includes('tar')) {
    const archive = packTar(await staged(), out, build, fast);
    made.push(archive);
    signArchive(archive, 'linux');
  }
  if (kinds.includes('windows-tar')) {
    const archive = await packWindowsTar(work, out, build, { parts: resolve(options.parts), fast });
    made.push(archive);
    signArchive(archive, 'win32');
  }
  if (kinds.includes('rpm')) {
    const file = packRpm(await staged(), out, build, fast);
    if (file === null)
      process.stderr.write('no rpmbuild here (apt-get install rpm): no rpm made\n');
    else made.push(file);
  }
  if (kinds.includes('deb')) {
    const compression = fast ? ['-Znone'] : ['-Zxz', '-z6'];
    made.push(packDeb(await staged(), out, build, compression));
  }
  for (const [kind, scope] of [
    ['msi', 'machine'],
    ['user-msi', 'user'],
  ] as const) {
    if (!kinds.includes(kind)) continue;
    const file = await packMsi(join(work, kind), out, build, {
      parts: resolve(options.parts),
      scope,
    });
    if (file === null) process.stderr.write('no wixl here (apt-get install wixl): no msi made\n');
    else made.push(file);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
const sums = made.map((file) => ({
  file: basename(file),
  sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
}));
writeFileSync(
  join(out, 'SHA256SUMS'),
  sums.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''),
);
process.stdout.write(`${JSON.stringify({ version: build.version, packages: sums })}\n`);

function signArchive(archive: string, platform: 'linux' | 'win32'): void {
  if (key === null) return;
  const machine = { version: build.version, platform, arch: build.platform.arch };
  signRelease(archive, machine, out, {
    ...{ key, channel: options.channel, days: options.days },
    minimumVersion: options.minimumVersion,
  });
}

async function staged(): Promise<string> {
  const tree = join(work, 'tree');
  await stageAgent(tree, build);
  return tree;
}

function lastCommit(): string {
  const git = ['log', '-1', '--format=%ct'];
  return execFileSync('git', git, { cwd: import.meta.dirname })
    .toString()
    .trim();
}
