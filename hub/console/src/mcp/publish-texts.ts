// Texts of the publication of MCP servers: catalog, connection test, servers on devices, health and adoption.
import { visibleText as quoteNames } from '../ui/visible.ts';

const number = (count: number) => count.toLocaleString('en-GB');
const countNoun = (count: number, singular: string, plural: string) =>
  `${number(count)} ${count === 1 ? singular : plural}`;

export const publishTexts = {
  catalog: {
    title: 'Choose a server',
    search: 'Search the catalog',
    custom: 'Another server',
    customText: 'Enter its URL yourself.',
    remote: 'Remote',
    local: 'Self-hosted',
    empty: 'No server in the catalog matches. Choose “Another server”.',
    back: 'Back to the catalog',
    docs: 'Documentation',
    docsLabel: (name: string) => quoteNames`Documentation of ${name}`,
    selfHosted:
      'The vendor offers no remote server. Run it on a host that the gateway reaches over HTTP, then enter its URL.',
  },
  form: { more: 'Advanced settings' },
  test: {
    run: 'Test connection',
    outcomes: {
      connected: 'Connected',
      sign_in_required: 'The server responds',
      failed: 'Connection failed',
    },
    signInText:
      'It requires each user to sign in. Its tools are visible once you connect yourself.',
    connectedText: (tools: number, ms: number) =>
      `${countNoun(tools, 'tool', 'tools')} · ${number(ms)} ms`,
    tools: 'Tools of the server',
    noTools: 'The server lists no tools.',
  },
  health: {
    column: 'Health',
    states: {
      unknown: 'Not tested',
      reachable: 'Reachable',
      sign_in_required: 'Sign-in required',
      unreachable: 'Unreachable',
    },
    lastError: 'Last error',
    lastContact: 'Last contact',
    tools: 'Tools',
    approvedTools: (approved: number, all: number) =>
      `${number(approved)} of ${number(all)} approved`,
    toolsDrifted: (count: number) => countNoun(count, 'changed tool', 'changed tools'),
    toolsUnknown: 'Not read yet',
  },
  adoption: {
    column: 'Use',
    none: 'No users yet',
    bar: (gateway: number, direct: number) =>
      `${countNoun(gateway, 'user', 'users')} through the gateway, ${number(direct)} direct`,
    short: (gateway: number, all: number) => `${number(gateway)} of ${number(all)} via gateway`,
  },
  discovered: {
    title: 'MCP servers on devices',
    lead: 'Servers that devices run or reach without the gateway. Users count as “via gateway” after a tool call in the last 30 days, if none of their devices has direct use.',
    empty: 'No MCP servers on devices',
    emptyText: 'Agents report the MCP servers that clients on devices are configured to use.',
    name: 'Server',
    where: 'Runs',
    remote: 'At a URL',
    local: 'On devices',
    devices: 'Devices',
    users: 'Users',
    publication: 'Gateway',
    published: 'Published',
    publish: 'Publish through the gateway',
    publishNamed: (name: string) => quoteNames`Publish ${name} through the gateway`,
    publishTitle: (name: string) => quoteNames`Publish ${name}`,
    publishAction: 'Publish server',
    instead: 'Publishes the vendor’s remote server, because the local one can’t be shared.',
    obstacles: {
      local_only:
        'Runs on each device, so the gateway can’t reach it. Host it yourself and add its URL, or set a policy.',
      private_address:
        'The gateway may not call this address. An operator can allow the network, or publish a public URL.',
      is_gateway: 'This is the gateway.',
    },
  },
  steps: {
    title: 'Next steps',
    done: 'Done',
    open: 'Open',
    approve: 'Approve the tools',
    approveText: 'Read the list of tools below and approve it. Later changes are then marked.',
    access: 'Choose who may call them',
    accessOpen: 'Every user can call every tool. Add an access rule to limit them.',
    accessRules: (count: number) =>
      `${countNoun(count, 'access rule applies', 'access rules apply')}.`,
    connect: 'Connect a client',
    connectText: 'Users add the URL for clients to their MCP client and sign in.',
  },
  matrix: {
    title: 'Access by user group',
    lead: 'What a user of one group may call. A user of several groups is denied what any of their groups is denied.',
    group: 'User group',
    everyoneElse: 'Users in no group',
    members: (count: number) => countNoun(count, 'user', 'users'),
    access: { all: 'All tools', some: 'Some tools', none: 'No tools' },
    allowedTools: (allowed: number, known: number) =>
      `${number(allowed)} of ${number(known)} tools`,
    byDefault: 'no rule',
    empty: 'No servers yet.',
    noGroups: 'Everyone has the same access. Create user groups to change that.',
    toGroups: 'User groups',
    goal: 'Access',
    change: (group: string, server: string, access: string) =>
      quoteNames`Change access of ${group} to ${server}: ${access}`,
    dialogTitle: 'Change access',
    subject: (group: string, server: string) => quoteNames`${group} · ${server}`,
    goals: {
      all: 'All tools',
      none: 'No tools',
      only: 'All tools, and only for groups with a rule',
    },
    goalHints: {
      all: 'Users of this group can call every tool.',
      none: 'Users of this group can call no tool.',
      only: 'Adds an access rule for this group. Users without such a rule lose access.',
    },
    effect: 'What changes',
    nothing: 'Nothing else changes.',
    line: (name: string, from: string, to: string) => quoteNames`${name}: ${from} → ${to}`,
    impossible:
      'Other access rules apply to this cell: rules for single tools, single users, all servers or everyone. Edit the rules of the server.',
    rules: 'Edit rules',
    rulesTitle: (server: string) => quoteNames`Access rules of ${server}`,
    apply: 'Change access',
    applied: 'Access changed. It applies from the next call on.',
    userRules: (count: number) =>
      countNoun(count, 'rule for a single user', 'rules for single users'),
    disabled: 'Disabled',
  },
} as const;
