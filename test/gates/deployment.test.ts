// The files by which a hub is run as a service: they are what they claim, as far as that shows without running them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { ENV_NAMES } from '@gatewarden/hub/src/platform/config/env.ts';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, 'installers', path), 'utf8');
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze) process.stdout.write('Units were not rated: there is no systemd-analyze here\n');

describe('units', () => {
  /** The exposure that systemd-analyze finds, times ten. */
  const units: [string, number][] = [
    ['hub/gatewarden-hub.service', 20],
    ['hub/gatewarden-hub-proof.service', 20],
    ['linux/gatewarden-agent.service', 40],
  ];

  test.skipIf(!hasAnalyze).each(units)('%s is no more exposed than %d', (path, threshold) => {
    const rated = (limit: number) =>
      spawnSync('systemd-analyze', [
        'security',
        '--offline=true',
        '--no-pager',
        `--threshold=${limit}`,
        join(ROOT, 'installers', path),
      ]).status;
    expect(rated(threshold)).toBe(0);
    // The threshold is one that can be missed.
    expect(rated(1)).not.toBe(0);
  });
});

test.each(['hub/gatewarden-hub.service', 'linux/gatewarden-agent.service'])(
  '%s is started again for as long as it takes: what kept it from starting passes without anybody there',
  (path) => {
    const lines = read(path).split('\n');
    expect(lines).toContain('Restart=always');
    expect(lines).toContain('StartLimitIntervalSec=0');
  },
);

test("the service's own command and its proof have the user, settings, key and data of the service", () => {
  const unit = read('hub/gatewarden-hub.service');
  const lines = ['User', 'Group', 'EnvironmentFile', 'LoadCredential'].map(
    (name) => new RegExp(`^${name}=.*$`, 'm').exec(unit)?.[0] ?? name,
  );
  const [, folder, data] =
    /^WorkingDirectory=(.*)$[\s\S]*^Environment=(HUB_DATA_DIR=.*)$/m.exec(unit) ?? [];
  const command = read('hub/gatewarden-hub');
  for (const line of lines) expect(command).toContain(`--property=${line} `);
  expect(command).toContain(`--setenv=${data} `);
  expect(command).toContain(`exec ${folder}/node_modules/.bin/node ${folder}/hub/src/main.ts "$@"`);
  const proof = read('hub/gatewarden-hub-proof.service').split('\n');
  for (const line of [...lines, `Environment=${data}`]) expect(proof).toContain(line);
});

/** As container tools read such a line: it means what it names, and all below. */
function isBelow(path: string, pattern: string): boolean {
  const parts = path.split('/');
  return parts.some((_part, at) => matchesGlob(parts.slice(0, at + 1).join('/'), pattern));
}

describe('containers', () => {
  const documents = parseAllDocuments(read('hub/kubernetes.yaml')).map((one) => one.toJS());
  const deployment = documents.find(({ kind }) => kind === 'Deployment');
  const pod = deployment.spec.template.spec;

  test('Kubernetes: two hubs, never fewer than one, neither root nor able to write', () => {
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
  });

  test('probes ask what the hub answers, and a drain has its time', () => {
    const [hub] = pod.containers;
    expect(hub.readinessProbe.httpGet.path).toBe('/readyz');
    expect(hub.livenessProbe.httpGet.path).toBe('/healthz');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      10 + hub.lifecycle.preStop.sleep.seconds,
    );
  });

  test('compose: the hub waits for its schema, writes nothing and is reached on this machine only', () => {
    const { services, secrets } = parse(read('hub/compose.yaml'), { merge: true });
    expect(Object.keys(services)).toEqual(['database', 'migrate', 'hub']);
    for (const one of [services.migrate, services.hub]) {
      expect(one).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    }
    expect(services.hub).toMatchObject({
      ports: ['127.0.0.1:8080:8080'],
      depends_on: { migrate: { condition: 'service_completed_successfully' } },
    });
    expect(services.hub.environment).toEqual(services.migrate.environment);
    expect(Object.keys(secrets)).toEqual(services.hub.secrets);
    // A path in a compose file is taken from where that file lies, and the comment above says where to put the key.
    expect(secrets.master_key.file).toBe('./master.key');
    expect(read('hub/compose.yaml')).toContain('> installers/hub/master.key');
  });

  test('neither the key beside the compose file nor data of a hub gets into an image', () => {
    const tutorial = readFileSync(join(ROOT, 'docs/tutorials/first-hour.md'), 'utf8');
    const left = [
      ...tutorial.matchAll(/hub -- backup (\S+)|--out (\S+)\/ --once/g),
      ['', 'gatewarden-proof-20260101T000000Z.json'],
    ].map((found) => found[1] ?? found[2] ?? '');
    expect(left).toHaveLength(3);
    const patterns = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const secret = ['installers/hub/master.key', '.data/hub', 'update.pem', '.env', '.git'];
    for (const path of [
      ...secret,
      ...left,
      'node_modules',
      'agent/node_modules',
      'hub/console/dist',
    ]) {
      expect([path, patterns.some((one) => isBelow(path, one))]).toEqual([path, true]);
    }
    for (const path of ['package-lock.json', 'hub/src/main.ts', 'scripts/build-console.ts']) {
      expect([path, patterns.some((one) => isBelow(path, one))]).toEqual([path, false]);
    }
  });

  test('every variable that these files set is one that the hub knows', () => {
    const texts = ['hub/compose.yaml', 'hub/kubernetes.yaml', 'hub/Containerfile']
      .map(read)
      .join('\n');
    const named = new Set(texts.match(/\b(HUB_[A-Z_]+|DATABASE_URL|PUBLIC_BASE_URL)\b/g));
    expect(named.size).toBeGreaterThan(4);
    expect([...named].filter((name) => !ENV_NAMES.some((known) => known === name))).toEqual([]);
  });

  test('the program that they start is there', () => {
    expect(read('hub/Containerfile')).toContain('"hub/src/main.ts"');
    // The libraries of one workspace, by its name: a folder's would bring those of the console below it.
    const { name } = JSON.parse(readFileSync(join(ROOT, 'hub/package.json'), 'utf8'));
    expect(read('hub/Containerfile')).toContain(`--workspace ${name} `);
    expect(read('hub/gatewarden-hub.service')).toContain('hub/src/main.ts serve');
    expect(existsSync(join(ROOT, 'hub/src/main.ts'))).toBe(true);
  });
});
