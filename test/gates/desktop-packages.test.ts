// The desktop packages' files keep their promises, as far as that shows without the systems they are for: electron-builder's
// file against what is in the tree, property lists and service files parsed, paths that must agree compared.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultDataDir } from '@gatewarden/agent/src/config/data-dir.ts';
import { readServiceSettings } from '@gatewarden/agent/test/service-settings.ts';
import { parse as parsePlist } from 'plist';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './planted.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const builder = parse(read('electron-builder.yml'));
const APP = '/Applications/Gatewarden.app/Contents';

test('builds packages for every system, and publishes none automatically', () => {
  expect(builder.linux.target).toEqual(['deb', 'rpm', 'AppImage']);
  expect(builder.mac.target).toEqual(['dmg', 'pkg']);
  expect(builder.win.target).toEqual(['nsis', 'msiWrapped']);
  expect(builder.publish).toBe(null);
  expect([builder.mac.hardenedRuntime, builder.mac.notarize]).toEqual([true, true]);
});

test('depends on the headless package for the service in the Linux desktop package', () => {
  for (const kind of ['deb', 'rpm']) expect(builder[kind].depends[0]).toBe('gatewarden-agent');
  expect(read('installers/src/deb.ts')).toContain('Package: gatewarden-agent');
  const entry = read('installers/linux/desktop/gatewarden-tray.desktop');
  expect(entry).toContain(`Exec=/opt/${builder.productName}/${builder.linux.executableName}`);
});

test('names existing files only, and makes scripts executable', () => {
  const named = [
    builder.icon,
    builder.mac.entitlements,
    builder.mac.entitlementsInherit,
    builder.nsis.include,
    join(builder.directories.buildResources, builder.pkg.scripts, 'postinstall'),
    ...builder.deb.fpm.map((value: string) => value.split('=')[0]),
    ...builder.rpm.fpm.map((value: string) => value.split('=')[0]),
    // Files of dist/ are built first.
    ...[...builder.mac.extraResources, ...builder.win.extraResources]
      .map((item: { from: string }) => item.from)
      .filter((from: string) => !from.startsWith('dist/')),
  ];
  for (const path of named) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  const scripts = globSync('installers/macos/{pkg-scripts/*,uninstall.sh}', { cwd: ROOT });
  expect(scripts).toHaveLength(3);
  for (const script of [...scripts, 'installers/linux/configure']) {
    expect(spawnSync('sh', ['-n', join(ROOT, script)]).status).toBe(0);
  }
  for (const script of scripts) expect(statSync(join(ROOT, script)).mode & 0o111).toBe(0o111);
});

describe('macOS', () => {
  const list = (name: string) =>
    parsePlist(read(`installers/macos/${name}.plist`)) as Record<string, unknown>;

  test('runs the agent of the app as a daemon that restarts', () => {
    expect(list('com.gatewarden.agent')).toMatchObject({
      Label: 'com.gatewarden.agent',
      ProgramArguments: [
        `${APP}/Resources/agent/bin/node`,
        ...readServiceSettings().flags,
        `${APP}/Resources/agent/app/main.js`,
        'run',
        '--config',
        '/Library/Application Support/Gatewarden/agent.toml',
      ],
      RunAtLoad: true,
      KeepAlive: true,
      Umask: 0o077,
    });
    const folder = defaultDataDir({}, 'darwin', 'machine');
    expect(folder).toBe('/Library/Application Support/Gatewarden/agent');
  });

  test('runs the tray app with no entitlement but JIT compilation', () => {
    const { ProgramArguments } = list('com.gatewarden.tray');
    expect(ProgramArguments).toEqual([`${APP}/MacOS/${builder.productName}`]);
    expect(list('entitlements')).toEqual({ 'com.apple.security.cs.allow-jit': true });
  });

  test('rejects an invalid property list', () => {
    expect(() => parsePlist('<plist version="1.0"><dict><key>A</key></dict>')).toThrow();
  });

  // macOS's sh is a sh like ours; what the package does to launchd is not tried here.
  test('writes the configuration to the path that the daemon reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gw pkg-'));
    try {
      const program = join(folder, 'gatewarden');
      writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" "by $GATEWARDEN_PROXY"; cat\n', {
        mode: 0o755,
      });
      writeFileSync(
        join(folder, 'install.env'),
        // Some editors leave a mark before the first line, blanks around the others.
        '\ufeffGATEWARDEN_BASE_URL=https://hub.example.com\n  GATEWARDEN_TENANT_ID=t \t\r\n \nGATEWARDEN_SUBSCRIBER_ID="ann b" \nGATEWARDEN_AUTH_TOKEN= secret \nGATEWARDEN_PROXY=http://u:p@proxy:3128\nGATEWARDEN_CA_FILE=/etc/ca.pem\nGATEWARDEN_PIN_SHA256=ab\n',
      );
      const { stdout, status } = spawnSync('sh', [join(ROOT, 'installers/linux/configure')], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          GATEWARDEN_CONFIG_DIR: folder,
          GATEWARDEN_PROGRAM: program,
        },
      });
      expect([status, stdout.split('\n')]).toEqual([
        0,
        [
          ...['enroll', '--config', join(folder, 'agent.toml')],
          ...['--base-url', 'https://hub.example.com', '--tenant-id', 't'],
          ...['--subscriber-id', 'ann b', '--ca-file', '/etc/ca.pem', '--pin-sha256', 'ab'],
          // The proxy's password is in no word of a command.
          ...['--auth-token-stdin', 'by http://u:p@proxy:3128', 'secret'],
        ],
      ]);
      expect(existsSync(join(folder, 'install.env'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('Windows', () => {
  test('installs the packaged agent as a service with the configuration in its path', () => {
    const flags = readServiceSettings().flags.join(' ');
    const places = builder.win.extraResources.map(
      (extraResource: { to: string }) => extraResource.to,
    );
    expect(places).toEqual(['agent', 'service']);
    const nsis = read('installers/windows/service.nsh');
    expect(nsis).toContain(`!define FLAGS "${flags}"`);
    expect(nsis).toContain(
      'launcher.js\\" run --service --config \\"$1\\Gatewarden\\agent.toml\\"',
    );
    expect(read('installers/src/msi.ts')).toContain(`'${flags}'`);
    expect(nsis.match(/^!macro /gm)).toHaveLength(nsis.match(/^!macroend/gm)?.length ?? 0);
    expect(nsis.match(/\$\{if(Not)?\}/g)).toHaveLength(nsis.match(/\$\{endif\}/g)?.length ?? 0);
  });

  test('takes ownership of the data folder on Windows before its content is trusted', () => {
    const script = read('installers/windows/configure.ps1');
    const order = [
      // A link leads elsewhere what is done to the folder; its rights are set first, so that nothing comes after the look.
      'Assert-NoLink (Get-Item -Force -LiteralPath $folder)\n#',
      // The SDDL sets owner and access list together: protected, for the system and administrators only.
      "'O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'",
      'Set-Acl -LiteralPath $folder',
      'Assert-NoLink (Get-Item -Force -LiteralPath $folder)\n$',
      "$believed = 'S-1-5-18', 'S-1-5-32-544'",
      'Get-ChildItem -Force -Recurse -LiteralPath $folder',
      'GetOwner([System.Security.Principal.SecurityIdentifier])',
      "'/setowner'",
      'Get-Content $file',
    ].map((part) => script.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('uses the same names for device management on every system', () => {
    const names = (path: string) => [...new Set(read(path).match(/GATEWARDEN_[A-Z_]+/g))].sort();
    const ours = new Set(['GATEWARDEN_CONFIG_DIR', 'GATEWARDEN_PROGRAM']);
    expect(names('installers/windows/configure.ps1')).toEqual(
      names('installers/linux/configure').filter((name) => !ours.has(name)),
    );
  });
});
