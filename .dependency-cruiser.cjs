// The house's boundaries. TypeScript 7 has no compiler API yet, so swc reads the imports; test/gates proves that it does.
/** Rooms of one subject: reports of devices become an inventory, overrides decide about it, devices follow them. */
const GOVERNANCE_CORE =
  '^hub/src/features/devices/(ingest|inventory|drift|overrides|sync|rollouts|preview|default-policies)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-imports-nothing-of-ours',
      comment: 'Shared code runs in every program. Its tests may use the size of property tests.',
      severity: 'error',
      from: { path: '^shared/' },
      to: {
        path: '^(client|collector|agent|hub|gateway|scripts|benchmarks|test|installers)/',
        pathNot: '^test/support/property-runs\\.ts$',
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'Customers take it along without anything of ours.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(shared|collector|agent|hub|gateway|scripts|benchmarks|test|installers)/' },
    },
    {
      name: 'collector-stands-alone',
      comment: 'It runs where nothing else of ours is.',
      severity: 'error',
      from: { path: '^collector/' },
      to: { path: '^(shared|client|agent|hub|gateway|scripts|benchmarks|test|installers)/' },
    },
    {
      name: 'installers-package-the-agent',
      comment: 'Builds of packages need the agent, shared code and build scripts, never a hub.',
      severity: 'error',
      from: { path: '^installers/' },
      to: { path: '^(client|collector|hub|test)/' },
    },
    {
      name: 'agent-and-hub-are-strangers',
      comment: 'They meet on the wire only.',
      severity: 'error',
      from: { path: '^agent/' },
      to: { path: '^hub/' },
    },
    {
      name: 'gateway-imports-shared-only',
      comment: 'A gateway node meets the hub on the wire only.',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(client|collector|agent|hub|installers|scripts|benchmarks|test)/' },
    },
    {
      name: 'hub-not-to-gateway',
      severity: 'error',
      from: { path: '^(hub|agent|collector|client)/' },
      to: { path: '^gateway/' },
    },
    {
      name: 'hub-not-to-agent',
      severity: 'error',
      from: { path: '^hub/' },
      to: { path: '^agent/' },
    },
    {
      name: 'console-only-shared',
      comment: 'Pages talk to the hub by HTTP.',
      severity: 'error',
      from: { path: '^hub/console/' },
      to: { path: '^(hub/src|agent)/' },
    },
    {
      name: 'tray-pages-hold-no-logic',
      comment:
        'Pages ask the shell by its contract; what they import of it has neither Node nor Electron.',
      severity: 'error',
      from: { path: '^agent/desktop/page/' },
      to: {
        path: '^agent/',
        pathNot: '^agent/desktop/(page/|texts\\.ts$|src/(contract|state)\\.ts$)',
      },
    },
    {
      name: 'agent-knows-no-tray',
      comment: 'The service runs without it.',
      severity: 'error',
      from: { path: '^agent/(src|test)/' },
      to: { path: '^agent/desktop/' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^hub/src/platform/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^hub/src/(features/|app/|cli/|main)',
      },
    },
    {
      name: 'features-know-no-composition',
      severity: 'error',
      from: { path: '^hub/src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: '^hub/src/(app/|cli/|main\\.ts$)' },
    },
    {
      name: 'features-only-through-index',
      comment: 'A feature uses another only through its index.ts, never its tables.',
      severity: 'error',
      from: {
        path: '^hub/src/features/([^/]+/[^/]+)/',
        pathNot: ['\\.test\\.ts$', GOVERNANCE_CORE],
      },
      to: {
        path: '^hub/src/features/[^/]+/[^/]+/',
        pathNot: ['^hub/src/features/$1/', '^hub/src/features/[^/]+/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'governance-core-only-through-index',
      comment:
        'Rooms of the governance core share tables and rules; they import files of each other.',
      severity: 'error',
      from: { path: GOVERNANCE_CORE, pathNot: '\\.test\\.ts$' },
      to: {
        path: '^hub/src/features/[^/]+/[^/]+/',
        pathNot: [GOVERNANCE_CORE, '^hub/src/features/[^/]+/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'composition-only-through-index',
      severity: 'error',
      from: {
        path: '^hub/src/(app/|cli/|main\\.ts$)',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^hub/src/features/',
        pathNot: '^hub/src/features/[^/]+/[^/]+/index\\.ts$',
      },
    },
    ...wings(),
    {
      name: 'devices-only-downwards',
      comment:
        'Overrides refer to the inventory, and the inventory to enrollment; never the other way.',
      severity: 'error',
      from: {
        path: '^hub/src/features/devices/(enrollment|groups|ingest|inventory|processes|activity|alerts)/',
      },
      to: {
        path: '^hub/src/features/devices/(overrides|sync|rollouts|preview|default-policies)/',
      },
    },
    {
      name: 'enrollment-below-all',
      severity: 'error',
      from: { path: '^hub/src/features/devices/enrollment/' },
      to: {
        path: '^hub/src/features/devices/',
        pathNot: '^hub/src/features/devices/enrollment/',
      },
    },
    {
      name: 'groups-above-enrollment-only',
      comment: 'Every room above reads who is in a group.',
      severity: 'error',
      from: { path: '^hub/src/features/devices/groups/' },
      to: {
        path: '^hub/src/features/devices/',
        pathNot: '^hub/src/features/devices/(groups|enrollment)/',
      },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: {
        pathNot:
          '\\.test\\.tsx?$|^test/|^benchmarks/|^hub/console/src/(testing/|.+/testing-rows\\.ts$)',
      },
      to: { path: '\\.test\\.tsx?$|^test/|^hub/console/src/(testing/|.+/testing-rows\\.ts$)' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};

/** A wing uses another only downwards. */
function wings() {
  const allowed = {
    people: [],
    notifications: ['people'],
    devices: ['people', 'notifications'],
    logs: ['people', 'notifications'],
    management: ['people'],
    nodes: ['people', 'management'],
    mcp: ['people', 'logs'],
    console: ['people', 'devices', 'logs', 'management', 'mcp'],
  };
  return Object.entries(allowed).map(([wing, below]) => ({
    name: `wing-${wing}-only-downwards`,
    severity: 'error',
    from: { path: `^hub/src/features/${wing}/` },
    to: {
      path: '^hub/src/features/',
      pathNot: [wing, ...below].map((one) => `^hub/src/features/${one}/`),
    },
  }));
}
