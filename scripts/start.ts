// `npm start`: hub on an embedded PostgreSQL, a demo tenant, a gateway node, an agent on this machine in monitor mode, the
// console. Prints where to go and how to sign in, stays, and ends everything in order on Ctrl-C: agent, node, hub, database.
// The option --demo fills the tenant with sample data and a sample model for the gateway, and starts no agent.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { whenNpmEnds } from '../shared/npm-parent.ts';
import { buildConsole } from './build-console.ts';
import { dataFolder, hubFolder } from './folders.ts';
import { createSampleApp, describeSampleApp, type SampleApp } from './sample-app.ts';
import { startSampleModel } from './sample-model.ts';

const ROOT = join(import.meta.dirname, '..');
const HUB = join(ROOT, 'hub/src/main.ts');
const AGENT = join(ROOT, 'agent/src/main.ts');
const GATEWAY = join(ROOT, 'gateway/src/main.ts');
const DATA = dataFolder(process.env);
const DEMO_FILE = join(DATA, 'demo.json');
const EMAIL = 'admin@demo.example';
const IS_DEMO = process.argv.includes('--demo');
const STOP_WITHIN_MS = 20_000;
const FORCE_AFTER_MS = 2_000;

const LEVELS: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
};

/** The state that a second start continues from. */
interface Demo {
  tenantId: string;
  email: string;
  password: string;
}

/** Hubs of tests listen on a free port; their node does the same. */
const GATEWAY_PORT = process.env.GATEWAY_PORT ?? (process.env.HUB_PORT === '0' ? '0' : '8090');

const env: NodeJS.ProcessEnv = {
  ...(GATEWAY_PORT === '0' ? {} : { HUB_LLM_GATEWAY_URL: `http://127.0.0.1:${GATEWAY_PORT}` }),
  ...process.env,
  HUB_DATA_DIR: hubFolder(process.env),
  LLMGATEWAY_MANAGEMENT_API_ENABLED: process.env.LLMGATEWAY_MANAGEMENT_API_ENABLED ?? 'true',
  HUB_ALLOWED_PRIVATE_NETWORKS: process.env.HUB_ALLOWED_PRIVATE_NETWORKS ?? '127.0.0.0/8,::1/128',
  HUB_LOG_LEVEL: process.env.HUB_LOG_LEVEL ?? 'warn',
};

const children: { name: string; child: ChildProcess }[] = [];
let stopping: Promise<never> | null = null;
let stopAskedAt = 0;

// A closed output must not prevent an orderly shutdown.
process.stdout.on('error', () => undefined);
process.on('SIGINT', () => onSignal());
process.on('SIGTERM', () => onSignal());
whenNpmEnds(() => {
  if (stopping === null) onSignal();
});
await main().catch(fail);

async function main(): Promise<void> {
  mkdirSync(DATA, { recursive: true, mode: 0o711 });
  if ((await buildConsole()) === 'skipped') {
    print(
      'The console was not built, because vite is not installed: run "npm ci" with development dependencies.',
    );
  }
  const url = await startHub();
  const demo = await demoTenant();
  const sample = IS_DEMO ? await startSampleModel() : null;
  const gateway = await startGatewayNode(url, demo, sample);
  const content = IS_DEMO ? await loadSampleData(url, demo) : await runAgent(url, demo);
  // Sample data needs a tenant without gateway configuration, so the app follows it.
  const app = sample === null ? null : await makeSampleApp(url, gateway, demo);
  print(
    [
      '',
      '  Gatewarden is running.',
      '',
      `  Console    ${url}/console/`,
      `  Sign in    ${demo.email}`,
      `  Password   ${demo.password}`,
      `  Tenant     ${demo.tenantId}`,
      `  Gateway    ${gateway}`,
      ...(app === null ? [] : ['', ...describeSampleApp(gateway, app)]),
      '',
      `  ${content}`,
      `  Everything is kept in ${DATA}. Ctrl-C ends it in order.`,
      '',
    ].join('\n'),
  );
}

/** Starts a node of the LLM gateway for the demo tenant. Returns its address. */
async function startGatewayNode(url: string, demo: Demo, modelUrl: string | null): Promise<string> {
  const folder = join(DATA, 'gateway');
  const nodeEnv: NodeJS.ProcessEnv = {
    ...process.env,
    GATEWARDEN_NODE_TOKEN: await nodeToken(folder, demo),
    GATEWAY_HUB_URL: url,
    GATEWAY_DATA_DIR: folder,
    GATEWAY_PORT,
    GATEWAY_ALLOWED_PRIVATE_NETWORKS:
      process.env.GATEWAY_ALLOWED_PRIVATE_NETWORKS ?? '127.0.0.0/8,::1/128',
    ...(modelUrl === null ? {} : { GATEWAY_MANAGED_MODEL_URL: modelUrl }),
  };
  return awaitReady('gateway', start('gateway', [GATEWAY, 'run'], nodeEnv));
}

/** Returns the token of the node, which is created once for each tenant. */
async function nodeToken(folder: string, { tenantId }: Demo): Promise<string> {
  const file = join(folder, 'node-token.json');
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { tenantId: string; token: string })
    : null;
  if (known?.tenantId === tenantId) return known.token;
  const { token } = (await hubCommand([
    ...['token', 'node', '--name', 'npm start', '--tenant', tenantId],
  ])) as { token: string };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ tenantId, token }), { mode: 0o600 });
  return token;
}

async function makeSampleApp(
  hubUrl: string,
  gatewayUrl: string,
  { tenantId, email }: Demo,
): Promise<SampleApp> {
  const { token } = (await hubCommand([
    ...['token', 'admin', '--tenant', tenantId, '--email', email],
  ])) as { token: string };
  return createSampleApp({ hubUrl, gatewayUrl }, token, tenantId, DATA);
}

/** Starts an agent on this machine. Returns a sentence about what it does. */
async function runAgent(url: string, demo: Demo): Promise<string> {
  const config = await enrolAgent(url, demo);
  startAgent(config);
  return `An agent on this machine reports its applications and processes${describeMode(config)}.`;
}

/** Fills a tenant that has no devices yet with sample data. Returns a sentence about the content. */
async function loadSampleData(url: string, { tenantId }: Demo): Promise<string> {
  const { devices } = (await hubCommand(['device', 'list', '--tenant', tenantId])) as {
    devices: unknown[];
  };
  if (devices.length > 0) {
    return [
      'The tenant has devices already: no sample data was added. After a start that failed while it loaded sample data,',
      '  delete all content of the tenant with this command, then start with --demo again:',
      `  HUB_DATA_DIR=${hubFolder(process.env)} npm run -s hub -- sample-data remove --tenant ${tenantId} --yes`,
    ].join('\n');
  }
  print('  Loading sample data ...');
  await hubCommand(['sample-data', 'load', '--tenant', tenantId, '--url', url]);
  return 'It has sample data. Remove it on Home in the console.';
}

/** Returns what the agent does with policies, by its configuration file. */
function describeMode(agentConfig: string): string {
  const mode = /^enforcement = "(\w+)"/m.exec(readFileSync(agentConfig, 'utf8'))?.[1];
  return mode === 'enforce' ? ' and enforces your policies' : ' (monitor mode: it changes nothing)';
}

/** Resolves with the origin of the console after the hub's ready line. */
function startHub(): Promise<string> {
  return awaitReady(
    'hub',
    start('hub', [HUB, 'serve'], { ...env, HUB_LOG_LEVEL: logLevelWithReady() }),
  );
}

/** Shows the log of a program, and resolves with the address in its ready line. */
function awaitReady(name: string, child: ChildProcess): Promise<string> {
  return new Promise((ready) => {
    const lines = createInterface({ input: child.stderr ?? process.stdin });
    lines.on('line', (line) => {
      const entry = jsonOf(line);
      if (entry?.event === 'ready') ready(String(entry.url));
      else show(name, line, entry);
    });
  });
}

/** The ready line has level info; a less verbose level hides it. */
function logLevelWithReady(): string {
  return ['trace', 'debug'].includes(env.HUB_LOG_LEVEL ?? '') ? (env.HUB_LOG_LEVEL ?? '') : 'info';
}

/** Prints a log line in readable form; lost and restored connections are always printed. */
function show(name: string, line: string, entry: Record<string, unknown> | null): void {
  if (entry === null) {
    process.stderr.write(`${line}\n`);
    return;
  }
  const isLoud = Number(entry.level ?? 60) >= (LEVELS[env.HUB_LOG_LEVEL ?? 'warn'] ?? 40);
  if (!isLoud && entry.event !== 'database_back') return;
  const cause = (entry.err as { message?: string } | undefined)?.message;
  process.stderr.write(`${name}: ${entry.msg ?? ''}${cause === undefined ? '' : ` (${cause})`}\n`);
}

async function demoTenant(): Promise<Demo> {
  const { tenants } = (await hubCommand(['tenant', 'list'])) as {
    tenants: { tenant_id: string }[];
  };
  const known = existsSync(DEMO_FILE)
    ? (JSON.parse(readFileSync(DEMO_FILE, 'utf8')) as Demo)
    : null;
  if (known !== null && tenants.some((tenant) => tenant.tenant_id === known.tenantId)) return known;
  const { tenant_id: tenantId } = (await hubCommand(['tenant', 'create', '--name', 'Demo'])) as {
    tenant_id: string;
  };
  const demo = { tenantId, email: EMAIL, password: randomBytes(9).toString('base64url') };
  await hubCommand(
    [
      'user',
      'create',
      '--tenant',
      tenantId,
      '--email',
      EMAIL,
      '--role',
      'Admin',
      '--password-stdin',
    ],
    demo.password,
  );
  writeFileSync(DEMO_FILE, JSON.stringify(demo, null, 2), { mode: 0o600 });
  chmodSync(DEMO_FILE, 0o600);
  return demo;
}

/** Writes the agent's configuration once for each tenant and hub address. Returns its path. */
async function enrolAgent(url: string, demo: Demo): Promise<string> {
  const folder = join(DATA, 'agent');
  const config = join(folder, 'agent.toml');
  const wanted = JSON.stringify({ url, tenantId: demo.tenantId, email: demo.email });
  const marker = join(folder, 'enrolled.json');
  if (existsSync(config) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted)
    return config;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { token } = (await hubCommand([
    'token',
    'agent',
    '--tenant',
    demo.tenantId,
    '--name',
    `npm start on ${hostname()}`.slice(0, 200),
  ])) as { token: string };
  await command(
    [
      AGENT,
      'enroll',
      '--config',
      config,
      '--data-dir',
      folder,
      '--base-url',
      url,
      '--tenant-id',
      demo.tenantId,
      '--subscriber-id',
      demo.email,
      '--enforcement',
      'monitor',
      '--auth-token-stdin',
      '--json',
    ],
    token,
  );
  writeFileSync(marker, wanted);
  return config;
}

function startAgent(config: string): void {
  const child = start('agent', [AGENT, 'run', '--config', config], process.env);
  const lines = createInterface({ input: child.stderr ?? process.stdin });
  lines.on('line', (line) => {
    show('agent', line, jsonOf(line));
  });
}

/**
 * Starts a child in a session of its own: Ctrl-C in the terminal reaches only this process, which ends its children in
 * order.
 */
function start(name: string, args: string[], childEnv: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: childEnv,
    detached: true,
    // The IPC channel notifies the child of the end of this process, even after a kill.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  children.push({ name, child });
  child.on('exit', (code, signal) => {
    if (stopping !== null) return;
    // A program that exits has printed its reason; a killed program has not.
    if (code === null) fail(new Error(`the ${name} was ended by ${signal}`));
    else void stop(1);
  });
  return child;
}

function hubCommand(args: string[], stdin = ''): Promise<unknown> {
  return command([HUB, ...args, '--json'], stdin);
}

async function command(args: string[], stdin: string): Promise<unknown> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(stdin);
  const [out, problem, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.on('close', done)),
  ]);
  if (code !== 0) throw new Error(problem.trim().split('\n').at(-1) ?? 'a command failed');
  return JSON.parse(out);
}

function onSignal(): void {
  const now = Date.now();
  if (stopping === null) {
    stopAskedAt = now;
    print('\n  Stopping: agent, gateway, hub, database ...');
    void stop(0);
  } else if (now - stopAskedAt > FORCE_AFTER_MS) {
    // The terminal and npm may both forward the same Ctrl-C; only a later Ctrl-C means "at once".
    for (const { child } of children) child.kill('SIGKILL');
  }
}

function stop(code: number): Promise<never> {
  stopping ??= (async () => {
    for (const { child } of [...children].reverse()) await end(child);
    await endDatabase();
    if (code === 0) print('  Stopped. The data is kept; "npm start" goes on with it.');
    process.exit(code);
  })();
  return stopping;
}

/** Ends the database of a killed hub: a command that uses the database stops it at its end. */
async function endDatabase(): Promise<void> {
  const wasKilled = children.some(
    ({ name, child }) => name === 'hub' && child.signalCode === 'SIGKILL',
  );
  if (wasKilled && env.DATABASE_URL === undefined) {
    await hubCommand(['tenant', 'list']).catch((error: Error) => print(`  ${error.message}`));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
}

function fail(error: unknown): void {
  if (stopping !== null) return;
  process.stderr.write(`gatewarden: ${error instanceof Error ? error.message : String(error)}\n`);
  void stop(1);
}

function jsonOf(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function print(words: string): void {
  process.stdout.write(`${words}\n`);
}
