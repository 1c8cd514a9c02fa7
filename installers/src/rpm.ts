// Builds an RPM package of the headless agent with rpmbuild (Debian: apt-get install rpm).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Build, script } from './stage.ts';

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' } as const;

/** Returns the path of the package; null if rpmbuild is not installed. */
export function packRpm(tree: string, out: string, build: Build, fast: boolean): string | null {
  const architecture = ARCHITECTURES[build.platform.arch];
  const top = mkdtempSync(join(tmpdir(), 'gw-rpm-'));
  try {
    const spec = join(top, 'gatewarden-agent.spec');
    writeFileSync(spec, specOf(tree, build, fast));
    mkdirSync(join(top, 'out'));
    execFileSync(
      'rpmbuild',
      [
        ...['-bb', '--quiet', '--target', architecture, '--define', `_topdir ${top}`],
        ...['--define', `_rpmdir ${join(top, 'out')}`, '--define', '_build_id_links none'],
        ...['--define', 'use_source_date_epoch_as_buildtime 1'],
        ...['--define', 'clamp_mtime_to_source_date_epoch 1', '--define', '_buildhost gatewarden'],
        spec,
      ],
      {
        env: { ...process.env, SOURCE_DATE_EPOCH: String(build.epoch) },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const folder = join(top, 'out', architecture);
    const [name = ''] = readdirSync(folder);
    const file = join(out, name);
    copyFileSync(join(folder, name), file);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function specOf(tree: string, { version }: Build, fast: boolean): string {
  const part = (name: string) => `%${name}\n${script(`rpm/${name}`, version)}`;
  return `Name: gatewarden-agent
Version: ${version}
Release: 1
Summary: Gatewarden agent, headless
License: Proprietary
Group: System Environment/Daemons
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++ >= 8, systemd
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _binary_payload ${fast ? 'w.ufdio' : 'w6.xzdio'}

%description
Finds applications, AI tools and MCP servers on this machine, reports them to the company's hub, and enforces
its policies. Includes its own Node.

%install
mkdir -p %{buildroot}
cp -a ${tree}/usr %{buildroot}/

${part('pre')}
${part('post')}
${part('preun')}
${part('postun')}
%files
%defattr(-,root,root,-)
/usr/lib/gatewarden-agent
/usr/bin/gatewarden
/usr/lib/systemd/system/gatewarden-agent.service
/usr/share/doc/gatewarden-agent
/usr/share/man/man1/gatewarden.1.gz
`;
}
