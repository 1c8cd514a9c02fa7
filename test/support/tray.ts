// The tray app's pages in Chromium: served with their policy, and given the shell's own bridge to a real service.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBridge } from '@gatewarden/desktop/src/bridge.ts';
import { pageFile } from '@gatewarden/desktop/src/page-files.ts';
import type { Browser } from 'playwright-core';
import { type Opened, openPage } from './console.ts';
import type { TestHub } from './hub.ts';
import { AGENT_MAIN } from './programs.ts';

const PAGES = join(import.meta.dirname, '../../agent/desktop/dist/page');
const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child'];

export interface Tray {
  /** The window on the page of that name, over the service whose data folder it is. */
  open(dataDir: string, view?: Parameters<typeof openPage>[1]): Promise<Opened>;
  close(): Promise<void>;
}

/** Serves the pages as the shell does. */
export async function serveTray(browser: Browser): Promise<Tray> {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://tray');
    const file = pageFile(PAGES, pathname);
    response.writeHead(file.status, file.headers).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async open(dataDir, view = {}) {
      const opened = await openPage(browser, view);
      const bridge = createBridge([dataDir]);
      await opened.page.exposeFunction('askShell', bridge.ask);
      // The preload script of the tray app gives this object to pages.
      await opened.page.addInitScript('window.gatewarden = { ask: window.askShell };');
      await opened.page.goto(`http://127.0.0.1:${port}/index.html`);
      return opened;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface AgentApart {
  dataDir: string;
  /** Starts another harmless program beside the agent; the child process ends together with the program. */
  run(name: string): ChildProcess;
  end(): Promise<void>;
}

/** Why an agent that enforces cannot be started here; null where it can. */
export function whyNoneApart(): string | null {
  if (process.platform !== 'linux') return `no PID namespaces on ${process.platform}`;
  const tried = spawnSync('unshare', [...UNSHARE, 'true'], { encoding: 'utf8' });
  return tried.status === 0 ? null : `unshare does not work here: ${tried.stderr.trim()}`;
}

interface Settings {
  sources: readonly string[];
  /** Files of the home folder of the agent's user, by path and text; null: the real home folder. */
  home: Readonly<Record<string, string>> | null;
}

/**
 * A real agent of this hub that enforces, in a PID namespace of its own: besides harmless programs of the given names it
 * finds nothing to end there.
 */
export async function startAgentApart(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>,
  subscriber: string,
  programs: readonly string[],
  settings: Settings = { sources: ['dpkg'], home: null },
): Promise<AgentApart> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-tray-'));
  chmodSync(dataDir, 0o711);
  writeFileSync(
    join(dataDir, 'agent.toml'),
    `[backend]
base_url = "${hub.url}"
tenant_id = "${hub.tenantId}"
subscriber_id = "${subscriber}"
auth_token = "${hub.agentToken}"
[agent]
data_dir = "${dataDir}"
delta_interval = "1s"
enforcement = "enforce"
[discovery]
sources = ${JSON.stringify(settings.sources)}
`,
  );
  mkdirSync(join(dataDir, 'bin'));
  for (const name of programs) copyFileSync('/usr/bin/sleep', join(dataDir, 'bin', name));
  for (const [path, text] of Object.entries(settings.home ?? {})) {
    const file = join(dataDir, 'home', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  // The mount is the namespace's own.
  const bind = settings.home === null ? '' : `mount --bind "$2/home" "${homedir()}" || exit 1; `;
  const script =
    bind +
    'main=$1; dir=$2; shift 2; for name in "$@"; do "$dir/bin/$name" 600 & done; "$NODE" "$main" run --data-dir "$dir" & wait';
  const child = spawn(
    'unshare',
    [...UNSHARE, 'sh', '-c', script, 'sh', AGENT_MAIN, dataDir, ...programs],
    {
      env: { ...process.env, NODE: process.execPath, DBUS_SESSION_BUS_ADDRESS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes('"event":"ready"')) resolve();
    });
    void ended.then(() => reject(new Error(`the agent ended: ${log}`)));
  });
  return {
    dataDir,
    run(name) {
      const program = join(dataDir, 'bin', name);
      copyFileSync('/usr/bin/sleep', program);
      // The first process in there, which `unshare` waits for.
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      const into = ['--target', first, '--pid', '--mount', program, '600'];
      return spawn('nsenter', into, { stdio: 'ignore' });
    },
    async end() {
      child.kill('SIGKILL');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
