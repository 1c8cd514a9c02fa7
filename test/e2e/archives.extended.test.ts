// The archive with its script: what it puts where, and that the agent in it runs with nothing but itself.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openSecondMachine,
  type SecondMachine,
  whyNoSecondMachine,
} from '../support/second-machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const reason = whyNoSecondMachine();
if (reason !== null) process.stdout.write(`The archives were skipped: ${reason}\n`);
const hasSystemctl = existsSync('/usr/bin/systemctl');
if (!hasSystemctl) process.stdout.write('The archives skip their service: no systemctl here\n');

const folder = mkdtempSync(join(tmpdir(), 'gw-archives-'));

function build(version: string): string[] {
  const out = join(folder, version);
  if (existsSync(out)) return readdirSync(out).map((name) => join(out, name));
  execFileSync(
    process.execPath,
    ['installers/src/build.ts', ...['--out', out, '--version', version, '--only', 'tar', '--fast']],
    { cwd: ROOT, env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' } },
  );
  return readdirSync(out).map((name) => join(out, name));
}

describe.skipIf(reason !== null)('the archive', () => {
  let machine: SecondMachine;
  const unpack = (version: string) => {
    const file = build(version).find((value) => value.endsWith('.tar.gz')) ?? '';
    return `rm -rf /opt/unpacked && mkdir -p /opt/unpacked && tar -xzf ${file} -C /opt/unpacked --strip-components=1`;
  };

  beforeAll(() => {
    machine = openSecondMachine();
  });
  afterAll(() => {
    machine.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('installs, runs, upgrades, refuses an older version, and uninstalls', async () => {
    const env = {
      GATEWARDEN_BASE_URL: 'https://hub.example.com',
      GATEWARDEN_TENANT_ID: '01900000-0000-7000-8000-000000000001',
      GATEWARDEN_SUBSCRIBER_ID: 'alice@example.com',
    };
    const first = await machine.run(`${unpack('0.1.0')} && /opt/unpacked/install.sh`, env);
    expect(first).toMatchObject({ code: 0 });
    expect(first.output).toContain('gatewarden-agent 0.1.0 is installed');
    const scan = await machine.run('gatewarden scan --json 2>/dev/null');
    expect(JSON.parse(scan.output).entities.length).toBeGreaterThan(50);
    expect(await machine.run(`${unpack('0.2.0')} && /opt/unpacked/install.sh`)).toMatchObject({
      code: 0,
    });
    expect((await machine.run('gatewarden --version')).output.trim()).toBe('0.2.0');
    const older = await machine.run(`${unpack('0.1.0')} && /opt/unpacked/install.sh`);
    expect(older).toMatchObject({ code: 1 });
    expect(older.output).toContain('is older and is refused');
    expect((await machine.run('gatewarden --version')).output.trim()).toBe('0.2.0');
    expect(await machine.run('/opt/unpacked/install.sh --remove')).toMatchObject({ code: 0 });
    expect(existsSync(join(machine.written, 'etc/gatewarden/agent.toml'))).toBe(true);
    expect(await machine.run('/opt/unpacked/install.sh --purge')).toMatchObject({ code: 0 });
    rmSync(join(machine.written, 'opt'), { recursive: true, force: true });
    const left = execFileSync('find', [machine.written, '-iname', '*gatewarden*'], {
      encoding: 'utf8',
    });
    expect(left).toBe('');
  });

  it.skipIf(!hasSystemctl)(
    'switches its service on where an installation before broke off, and leaves off what was switched off',
    async () => {
      // SYSTEMD_OFFLINE changes unit files only, without a running systemd.
      const offline = { SYSTEMD_OFFLINE: '1' };
      const install = `${unpack('0.1.0')} && /opt/unpacked/install.sh`;
      const unit = '/usr/lib/systemd/system/gatewarden-agent.service';
      const running = 'mkdir -p /run/systemd/system';
      const enabled = '; systemctl is-enabled gatewarden-agent';
      const broken = `${install} && rm ${unit} && ${running} && ${install}`;
      expect((await machine.run(broken + enabled, offline)).output).toMatch(/\nenabled\n/);
      const off = await machine.run(
        `${running}; systemctl disable gatewarden-agent; ${install}${enabled}; rm -r /run/systemd`,
        offline,
      );
      expect(off.output).toContain('switched off here and stays so');
      expect(off.output).toMatch(/\ndisabled\n/);
    },
  );

  it('gives write access to root only and execution to everyone, whoever unpacked the archive', async () => {
    const installed = await machine.run(
      `umask 077 && ${unpack('0.1.0')} && chown -R 65534:65534 /opt/unpacked && chmod -R go= /opt/unpacked &&
       chmod g+w /opt/unpacked/usr/bin/gatewarden && /opt/unpacked/install.sh`,
    );
    expect(installed).toMatchObject({ code: 0 });
    const places = '/usr/lib/gatewarden-agent /usr/bin/gatewarden /usr/share/doc/gatewarden-agent';
    const unit = '/usr/lib/systemd/system/gatewarden-agent.service';
    const wrong = '! -user root -o ! -group root -o -perm /022 -o ! -perm -044';
    const found = await machine.run(`find ${places} ${unit} '(' ${wrong} ')' ! -type l`);
    expect(found).toEqual({ code: 0, output: '' });
    const asNobody = 'setpriv --reuid=65534 --regid=65534 --clear-groups gatewarden --version';
    expect(await machine.run(asNobody)).toEqual({ code: 0, output: '0.1.0\n' });
    expect((await machine.run('stat -c %a /etc/gatewarden')).output).toBe('755\n');
  });

  it('runs two concurrent installations in turn, and starts the result', async () => {
    const { code, output } = await machine.run(`${unpack('0.1.0')}
      /opt/unpacked/install.sh >/tmp/first 2>&1 & first=$!
      sleep 0.1; /opt/unpacked/install.sh >/tmp/second 2>&1; second=$?
      wait $first && [ $second = 0 ] && gatewarden --version; ls -d /usr/lib/gatewarden-agent*
      find /usr/lib/gatewarden-agent -mindepth 1 -name gatewarden-agent`);
    expect(output).toBe('0.1.0\n/usr/lib/gatewarden-agent\n');
    expect(code).toBe(0);
  });

  it('reads a configuration that was written on Windows, to the last character', async () => {
    const lines = [
      'GATEWARDEN_BASE_URL=https://hub.example.com/gw/',
      'GATEWARDEN_TENANT_ID=01900000-0000-7000-8000-000000000001',
      '',
      'GATEWARDEN_SUBSCRIBER_ID=alice@example.com',
      'GATEWARDEN_AUTH_TOKEN=abc=',
    ];
    await machine.run('mkdir -p /etc/gatewarden');
    writeFileSync(join(machine.written, 'etc/gatewarden/install.env'), lines.join('\r\n'));
    const installed = await machine.run(`${unpack('0.1.0')} && /opt/unpacked/install.sh`);
    expect(installed).toMatchObject({ code: 0 });
    const tokens = readFileSync(join(machine.written, 'var/lib/gatewarden-agent/tokens.json'));
    expect(JSON.parse(tokens.toString())).toMatchObject({ agent_token: 'abc=' });
    expect((await machine.run('ls /etc/gatewarden')).output).toBe('agent.toml\n');
  });

  it('accepts values in quotes, and repeats no part of an invalid line', async () => {
    const hand = (...lines: string[]) =>
      writeFileSync(join(machine.written, 'etc/gatewarden/install.env'), lines.join('\n'));
    hand(
      'GATEWARDEN_BASE_URL="https://hub.example.com/"',
      "GATEWARDEN_TENANT_ID='01900000-0000-7000-8000-000000000001'",
      'GATEWARDEN_SUBSCRIBER_ID=alice@example.com',
      'GATEWARDEN_AUTH_TOKEN="quoted"',
    );
    const configure = '/usr/lib/gatewarden-agent/configure';
    expect(await machine.run(configure)).toMatchObject({ code: 0 });
    const tokens = readFileSync(join(machine.written, 'var/lib/gatewarden-agent/tokens.json'));
    expect(JSON.parse(tokens.toString())).toMatchObject({ agent_token: 'quoted' });
    for (const line of [
      'gwa_planted',
      'GATEWARDEN_AUTH_TOKEN gwa_planted',
      'export A=gwa_planted',
    ]) {
      hand('GATEWARDEN_BASE_URL=https://hub.example.com/', line);
      const { code, output } = await machine.run(configure);
      expect(code).toBe(1);
      expect(output).toBe('gatewarden: /etc/gatewarden/install.env: line 2 is not NAME=value\n');
    }
  });
});
