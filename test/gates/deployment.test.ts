// The files that run a hub or an agent as a service keep their promises: restarts, isolation, settings, and no secret in an
// image. Each check reads files by a function, so that a planted fault of each file fails it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { ENV_NAMES } from '@gatewarden/hub/src/platform/config/env.ts';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './planted.ts';

/** Returns the text of a file of the repository. */
type Read = (path: string) => string;
const readText: Read = (path) => readFileSync(join(ROOT, path), 'utf8');

const UNIT = 'installers/hub/gatewarden-hub.service';
const PROOF_UNIT = 'installers/hub/gatewarden-hub-proof.service';
const AGENT_UNIT = 'installers/linux/gatewarden-agent.service';
const COMMAND = 'installers/hub/gatewarden-hub';
const KUBERNETES = 'installers/hub/kubernetes.yaml';
const COMPOSE = 'installers/hub/compose.yaml';
const CONTAINERFILE = 'installers/hub/Containerfile';
const GATEWAY_UNIT = 'installers/gateway/gatewarden-gateway.service';
const GATEWAY_KUBERNETES = 'installers/gateway/kubernetes.yaml';
const GATEWAY_COMPOSE = 'installers/gateway/compose.yaml';
const GATEWAY_CONTAINERFILE = 'installers/gateway/Containerfile';
const TUTORIAL = 'docs/tutorials/first-hour.md';

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze) process.stdout.write('Units were not rated: there is no systemd-analyze here\n');

/** The largest exposure that systemd-analyze may report, times ten. */
const EXPOSURES: readonly [unit: string, exposure: number][] = [
  [UNIT, 20],
  [PROOF_UNIT, 20],
  [AGENT_UNIT, 40],
  [GATEWAY_UNIT, 20],
];

test.skipIf(!hasAnalyze).each(EXPOSURES)('unit %s has an exposure of at most %d', (path, limit) => {
  const rate = (threshold: number) =>
    spawnSync('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${threshold}`,
      join(ROOT, path),
    ]).status;
  expect(rate(limit)).toBe(0);
  // A limit below the exposure fails.
  expect(rate(1)).not.toBe(0);
});

/** Rejects a unit that systemd stops restarting: the cause of a failed start may pass without an administrator. */
const checkRestarts = (unit: string) => (read: Read) => {
  const lines = read(unit).split('\n');
  expect(lines).toContain('Restart=always');
  expect(lines).toContain('StartLimitIntervalSec=0');
};

function checkCommand(read: Read): void {
  const unit = read(UNIT);
  const lines = ['User', 'Group', 'EnvironmentFile', 'LoadCredential'].map(
    (name) => new RegExp(`^${name}=.*$`, 'm').exec(unit)?.[0] ?? name,
  );
  const [, folder, data] =
    /^WorkingDirectory=(.*)$[\s\S]*^Environment=(HUB_DATA_DIR=.*)$/m.exec(unit) ?? [];
  const command = read(COMMAND);
  for (const line of lines) expect(command).toContain(`--property=${line} `);
  expect(command).toContain(`--setenv=${data} `);
  expect(command).toContain(`exec ${folder}/node_modules/.bin/node ${folder}/hub/src/main.ts "$@"`);
  const proof = read(PROOF_UNIT).split('\n');
  for (const line of [...lines, `Environment=${data}`]) expect(proof).toContain(line);
}

const kubernetes = (read: Read) => {
  const documents = parseAllDocuments(read(KUBERNETES)).map((document) => document.toJS());
  const deployment = documents.find(({ kind }) => kind === 'Deployment');
  return { documents, deployment, pod: deployment.spec.template.spec };
};

function checkKubernetes(read: Read): void {
  const { documents, deployment, pod } = kubernetes(read);
  expect(documents.map(({ kind }) => kind)).toEqual([
    'Deployment',
    'Service',
    'PodDisruptionBudget',
  ]);
  expect(deployment.spec.replicas).toBe(2);
  expect(documents.at(-1).spec.minAvailable).toBe(1);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
  for (const container of [...pod.initContainers, ...pod.containers]) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const names = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(pod.volumes.map(({ name }: { name: string }) => name)).toEqual(names);
  }
  const labels = deployment.spec.template.metadata.labels;
  expect(documents[1].spec.selector).toEqual(labels);
  expect(documents[2].spec.selector.matchLabels).toEqual(labels);
}

function checkProbes(read: Read): void {
  const { pod } = kubernetes(read);
  const [hub] = pod.containers;
  expect(hub.readinessProbe.httpGet.path).toBe('/readyz');
  expect(hub.livenessProbe.httpGet.path).toBe('/healthz');
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
    10 + hub.lifecycle.preStop.sleep.seconds,
  );
}

function checkCompose(read: Read): void {
  const { services, secrets } = parse(read(COMPOSE), { merge: true });
  expect(Object.keys(services)).toEqual(['database', 'migrate', 'hub']);
  for (const service of [services.migrate, services.hub]) {
    expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
  }
  expect(services.hub).toMatchObject({
    ports: ['127.0.0.1:8080:8080'],
    depends_on: { migrate: { condition: 'service_completed_successfully' } },
  });
  expect(services.hub.environment).toEqual(services.migrate.environment);
  expect(Object.keys(secrets)).toEqual(services.hub.secrets);
  // Paths in a compose file are relative to its folder, and its comment names the folder of the key.
  expect(secrets.master_key.file).toBe('./master.key');
  expect(read(COMPOSE)).toContain('> installers/hub/master.key');
}

function checkGatewayKubernetes(read: Read): void {
  const documents = parseAllDocuments(read(GATEWAY_KUBERNETES)).map((document) => document.toJS());
  const [nodes, service, budget] = documents;
  expect([nodes.kind, service.kind, budget.kind]).toEqual([
    'StatefulSet',
    'Service',
    'PodDisruptionBudget',
  ]);
  const pod = nodes.spec.template.spec;
  const [container] = pod.containers;
  expect(nodes.spec.replicas).toBe(2);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30);
  // The folder of the image's GATEWAY_DATA_DIR is a volume of its own for each node.
  expect(nodes.spec.volumeClaimTemplates[0].metadata.name).toBe(container.volumeMounts[0].name);
  expect(read(GATEWAY_CONTAINERFILE)).toContain(
    `GATEWAY_DATA_DIR=${container.volumeMounts[0].mountPath} `,
  );
}

function checkGatewayCompose(read: Read): void {
  const { services } = parse(read(GATEWAY_COMPOSE));
  expect(services.gateway).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    ports: ['127.0.0.1:8090:8090'],
    volumes: ['data:/data'],
  });
}

function checkGatewayProgram(read: Read): void {
  expect(read(GATEWAY_CONTAINERFILE)).toContain('"gateway/src/main.ts"');
  const { name } = JSON.parse(read('gateway/package.json'));
  expect(read(GATEWAY_CONTAINERFILE)).toContain(`--workspace ${name} `);
  expect(read(GATEWAY_UNIT)).toContain(`--workspace ${name} `);
  expect(read(GATEWAY_UNIT)).toContain('bin/node gateway/src/main.ts');
  expect(existsSync(join(ROOT, 'gateway/src/main.ts'))).toBe(true);
}

/** Returns whether a pattern of .dockerignore covers the path: it covers the path that it matches and all below. */
function isIgnored(path: string, pattern: string): boolean {
  const segments = path.split('/');
  return segments.some((_segment, i) => matchesGlob(segments.slice(0, i + 1).join('/'), pattern));
}

function checkIgnored(read: Read): void {
  const written = [
    ...read(TUTORIAL).matchAll(/hub -- backup (\S+)|--out (\S+)\/ --once/g),
    ['', 'gatewarden-proof-20260101T000000Z.json'],
  ].map((match) => match[1] ?? match[2] ?? '');
  expect(written).toHaveLength(3);
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const secret = ['installers/hub/master.key', '.data/hub', 'update.pem', '.env', '.git'];
  const built = ['node_modules', 'agent/node_modules', 'hub/console/dist'];
  for (const path of [...secret, ...written, ...built]) {
    expect([path, patterns.some((pattern) => isIgnored(path, pattern))]).toEqual([path, true]);
  }
  for (const path of ['package-lock.json', 'hub/src/main.ts', 'scripts/build-console.ts']) {
    expect([path, patterns.some((pattern) => isIgnored(path, pattern))]).toEqual([path, false]);
  }
}

function checkVariables(read: Read): void {
  const texts = [COMPOSE, KUBERNETES, CONTAINERFILE].map(read).join('\n');
  const names = new Set(texts.match(/\b(HUB_[A-Z_]+|DATABASE_URL|PUBLIC_BASE_URL)\b/g));
  expect(names.size).toBeGreaterThan(4);
  const unknown = [...names].filter((name) => !ENV_NAMES.some((variable) => variable === name));
  expect(unknown).toEqual([]);
}

function checkProgram(read: Read): void {
  expect(read(CONTAINERFILE)).toContain('"hub/src/main.ts"');
  // npm installs the libraries of a workspace by its name; by its folder it would add those of the console below.
  const { name } = JSON.parse(read('hub/package.json'));
  expect(read(CONTAINERFILE)).toContain(`--workspace ${name} `);
  expect(read(UNIT)).toContain('hub/src/main.ts serve');
  expect(existsSync(join(ROOT, 'hub/src/main.ts'))).toBe(true);
}

type Fault = readonly [path: string, text: string, planted: string];

/** Each claim with its check, and the faults that the check must reject. */
const CHECKS: readonly [claim: string, check: (read: Read) => void, faults: readonly Fault[]][] = [
  [
    'systemd restarts the hub without a limit',
    checkRestarts(UNIT),
    [[UNIT, 'Restart=always', 'Restart=on-failure']],
  ],
  [
    'systemd restarts the agent without a limit',
    checkRestarts(AGENT_UNIT),
    [[AGENT_UNIT, 'StartLimitIntervalSec=0', 'StartLimitIntervalSec=10']],
  ],
  [
    'hub command and proof unit share user, settings, key and data with the service',
    checkCommand,
    [
      [UNIT, 'User=', 'User=planted-'],
      [COMMAND, '--property=LoadCredential=', '--property=Planted='],
      [PROOF_UNIT, 'HUB_DATA_DIR=', 'HUB_PLANTED_DIR='],
    ],
  ],
  [
    'Kubernetes runs two hubs without root and without writable files, and evicts a single hub at a time',
    checkKubernetes,
    [
      [KUBERNETES, 'replicas: 2', 'replicas: 1'],
      [KUBERNETES, 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false'],
      [KUBERNETES, 'runAsNonRoot: true', 'runAsNonRoot: false'],
    ],
  ],
  [
    'Kubernetes probes request the health routes, and a drain fits in the grace period',
    checkProbes,
    [
      [KUBERNETES, 'path: /readyz', 'path: /healthz'],
      [KUBERNETES, 'terminationGracePeriodSeconds: ', 'terminationGracePeriodSeconds: 1 #'],
    ],
  ],
  [
    'compose starts the hub after migrations, read-only and on the loopback address',
    checkCompose,
    [
      [COMPOSE, '127.0.0.1:8080:8080', '8080:8080'],
      [COMPOSE, 'read_only: true', 'read_only: false'],
    ],
  ],
  [
    'images contain neither the master key nor data of a hub',
    checkIgnored,
    [
      ['.dockerignore', '**/*.key', ''],
      ['.dockerignore', '**/.data', '**/scripts'],
    ],
  ],
  [
    'containers set only variables that the hub reads',
    checkVariables,
    [[COMPOSE, 'HUB_', 'HUB_PLANTED_']],
  ],
  [
    'images and units start an existing program',
    checkProgram,
    [
      [CONTAINERFILE, '"hub/src/main.ts"', '"hub/src/planted.ts"'],
      [UNIT, 'hub/src/main.ts serve', 'hub/src/planted.ts serve'],
    ],
  ],
  [
    'systemd restarts a gateway node without a limit',
    checkRestarts(GATEWAY_UNIT),
    [[GATEWAY_UNIT, 'Restart=always', 'Restart=on-failure']],
  ],
  [
    'Kubernetes runs two gateway nodes without root, with probes and a volume each',
    checkGatewayKubernetes,
    [
      [GATEWAY_KUBERNETES, 'mountPath: /data', 'mountPath: /planted'],
      [GATEWAY_KUBERNETES, 'runAsNonRoot: true', 'runAsNonRoot: false'],
    ],
  ],
  [
    'compose starts a gateway node read-only and on the loopback address',
    checkGatewayCompose,
    [[GATEWAY_COMPOSE, '127.0.0.1:8090:8090', '8090:8090']],
  ],
  [
    'images and units of the gateway start an existing program',
    checkGatewayProgram,
    [[GATEWAY_UNIT, 'gateway/src/main.ts', 'gateway/src/planted.ts']],
  ],
];

test.each(CHECKS)('%s', (_claim, check) => {
  check(readText);
});

const FAULTS = CHECKS.flatMap(([, check, faults]) =>
  faults.map(([path, text, planted]) => [text, planted, path, check] as const),
);

test.each(FAULTS)('rejects %j changed to %j in %s', (text, planted, path, check) => {
  const changed = readText(path).replaceAll(text, planted);
  expect(changed).not.toBe(readText(path));
  expect(() => check((file) => (file === path ? changed : readText(file)))).toThrow(/expected/);
});
