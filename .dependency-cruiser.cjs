// The house's boundaries. TypeScript 7 has no compiler API yet, so swc reads the imports; test/gates proves that it does.
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
        path: '^(client|collector|agent|hub|scripts|test|installers)/',
        pathNot: '^test/support/property-runs\\.ts$',
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'Customers take it along without anything of ours.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(shared|collector|agent|hub|scripts|test|installers)/' },
    },
    {
      name: 'collector-stands-alone',
      comment: 'It runs where nothing else of ours is.',
      severity: 'error',
      from: { path: '^collector/' },
      to: { path: '^(shared|client|agent|hub|scripts|test|installers)/' },
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
      from: { path: '^hub/src/platform/' },
      to: {
        path: '^hub/src/(features/|cli/|server|routes|management|logs|commands|health|mcp|operator|reference|releases|rotation|main)',
      },
    },
    {
      name: 'features-know-no-composition',
      severity: 'error',
      from: { path: '^hub/src/features/' },
      to: {
        path: '^hub/src/(cli/.+|server|routes|management|logs|commands|health|mcp|operator|reference|releases|rotation|main)\\.ts$',
      },
    },
    {
      name: 'features-only-through-index',
      comment: 'A feature uses another only through its index.ts, never its tables.',
      severity: 'error',
      from: { path: '^hub/src/features/([^/]+/[^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^hub/src/features/[^/]+/[^/]+/',
        pathNot: ['^hub/src/features/$1/', '^hub/src/features/[^/]+/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'composition-only-through-index',
      severity: 'error',
      from: {
        path: '^hub/src/(cli/.+|server|routes|management|logs|commands|health|mcp|operator|reference|releases|rotation|main)\\.ts$',
      },
      to: {
        path: '^hub/src/features/',
        pathNot: '^hub/src/features/[^/]+/[^/]+/index\\.ts$',
      },
    },
    ...wings(),
    {
      name: 'devices-only-downwards',
      comment: 'Governance stands on inventory, inventory on enrolment; never the other way.',
      severity: 'error',
      from: {
        path: '^hub/src/features/devices/(enrolment|groups|inventory|processes|activity|alerts|alert-routes)/',
      },
      to: { path: '^hub/src/features/devices/governance/' },
    },
    {
      name: 'enrolment-is-the-ground',
      severity: 'error',
      from: { path: '^hub/src/features/devices/enrolment/' },
      to: {
        path: '^hub/src/features/devices/(groups|inventory|processes|activity|alerts|alert-routes|governance)/',
      },
    },
    {
      name: 'groups-stand-on-enrolment',
      comment: 'Who is in a group is asked by everything above it.',
      severity: 'error',
      from: { path: '^hub/src/features/devices/groups/' },
      to: {
        path: '^hub/src/features/devices/(inventory|processes|activity|alerts|alert-routes|governance)/',
      },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|^test/|^hub/console/src/(testing/|.+/testing-rows\\.ts$)' },
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
    devices: ['people'],
    logs: ['people'],
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
