// Builds a folder of the headless agent with its Node, which the desktop packages of macOS and Windows install as a
// service. Usage: node installers/src/tree.ts --os darwin|win32 --arch x64|arm64 [--version V] [--update-key PUBLIC].
// Run it on the system and processor of the target: `npm ci` installs the native parts of that platform only.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { orEnd } from '../../scripts/options.ts';
import { agentVersion, bundleAgent } from './bundle.ts';
import { licenceText } from './licences.ts';
import { checkUpdateKey, checkVersion } from './options.ts';
import { nodeProgram } from './stage.ts';

/** The names of operating systems in electron-builder's `${os}`. */
const FOLDERS = { darwin: 'mac', win32: 'win' } as const;

const { os, arch, version, updateKey } = orEnd(() => {
  const { values } = parseArgs({
    options: {
      os: { type: 'string' },
      arch: { type: 'string', default: process.arch },
      version: { type: 'string', default: agentVersion() },
      'update-key': { type: 'string' },
    },
  });
  const { os, arch, version, 'update-key': updateKey = null } = values;
  if (os !== 'darwin' && os !== 'win32') throw new Error('--os is darwin or win32');
  if (arch !== 'x64' && arch !== 'arm64') throw new Error('--arch is x64 or arm64');
  checkVersion('--version', version);
  if (updateKey !== null) checkUpdateKey(updateKey);
  return { os, arch, version, updateKey } as const;
});
const platform = { os, arch } as const;
const tree = join(import.meta.dirname, '../../dist/agent', `${FOLDERS[os]}-${arch}`);
rmSync(tree, { recursive: true, force: true });
mkdirSync(join(tree, 'bin'), { recursive: true });
await bundleAgent(tree, { version, platform, updateKey });
const node = nodeProgram(platform);
copyFileSync(node, join(tree, 'bin', basename(node)));
writeFileSync(join(tree, 'version'), `${version}\n`);
writeFileSync(join(tree, 'copyright'), licenceText());
process.stdout.write(`${tree}\n`);
