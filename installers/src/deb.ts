// Builds a Debian package of the headless agent with dpkg-deb.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, script, settle, sizeOf } from './stage.ts';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;
const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm'];

/** Adds DEBIAN to the staged tree and packs it. Returns the path of the package. */
export function packDeb(
  tree: string,
  out: string,
  build: Build,
  compression: readonly string[],
): string {
  const architecture = ARCHITECTURES[build.platform.arch];
  const control = join(tree, 'DEBIAN');
  const size = sizeOf(join(tree, 'usr'));
  mkdirSync(control);
  writeFileSync(
    join(control, 'control'),
    [
      'Package: gatewarden-agent',
      `Version: ${build.version}`,
      `Architecture: ${architecture}`,
      'Maintainer: Gatewarden <agent@gatewarden.example>',
      `Installed-Size: ${size}`,
      'Section: admin',
      'Priority: optional',
      'Depends: libc6 (>= 2.28), libstdc++6 (>= 8)',
      'Suggests: libnotify-bin',
      'Description: Gatewarden agent, headless',
      ' Finds applications, AI tools and MCP servers on this machine, reports them to the',
      " company's hub, and enforces its policies. Includes its own Node.",
      '',
    ].join('\n'),
  );
  for (const name of SCRIPTS) {
    writeFileSync(join(control, name), script(`deb/${name}`, build.version));
  }
  settle(control, new Set(SCRIPTS.map((name) => join(control, name))), build.epoch);
  settle(tree, programsOf(tree), build.epoch);
  const file = join(out, `gatewarden-agent_${build.version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(build.epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

function programsOf(tree: string): Set<string> {
  return new Set([
    join(tree, 'usr/lib/gatewarden-agent/bin/node'),
    join(tree, 'usr/lib/gatewarden-agent/configure'),
    join(tree, 'usr/bin/gatewarden'),
    ...SCRIPTS.map((name) => join(tree, 'DEBIAN', name)),
  ]);
}
