// The console's areas, their tabs and views, who may open them, and what they count. The sidebar, the tab bar, the account
// menu and the role check read this table. Pure.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  IconActivity,
  IconApps,
  IconDevices,
  IconHome,
  IconRoute,
  IconSettings,
  IconShieldCheck,
  IconUser,
} from '@tabler/icons-react';
import { navTexts as t } from './nav-texts.ts';

/** `staff`: every role except Member. */
export type Access = 'everyone' | 'staff' | 'reviewers' | 'admins';
export type BadgeName = 'alerts' | 'access-requests';

export interface View {
  /** Below `/t/$tenantId`. */
  path: string;
  text: string;
  /** `staff` where it is left out. */
  access?: Access;
}

export interface Tab extends View {
  badge?: BadgeName;
  /** Pages of this tab, switched below the tab bar. The first view has the tab's path. */
  views?: readonly View[];
  /** `button`: at the end of the tab bar. `menu`: in the account menu only. `current`: in the tab bar while it is open. */
  shown?: 'button' | 'menu' | 'current';
}

export interface Area {
  key: keyof typeof t.areas;
  text: string;
  Icon: typeof IconHome;
  tabs: readonly Tab[];
}

export const MY_AREA: Area = {
  key: 'my',
  text: t.areas.my,
  Icon: IconUser,
  tabs: [
    { path: '/my/devices', text: t.my.devices, access: 'everyone' },
    {
      path: '/my/connect',
      text: t.my.connect,
      access: 'everyone',
      views: [
        { path: '/my/connect', text: t.my.connectClients, access: 'everyone' },
        { path: '/my/connect/connections', text: t.my.connections, access: 'everyone' },
      ],
    },
    {
      path: '/my/requests',
      text: t.my.requests,
      access: 'everyone',
      views: [
        { path: '/my/requests', text: t.my.accessRequests, access: 'everyone' },
        { path: '/my/requests/approvals', text: t.my.approvals, access: 'everyone' },
      ],
    },
    {
      path: '/my/activity',
      text: t.my.activity,
      access: 'everyone',
      views: [
        { path: '/my/activity', text: t.my.calls, access: 'everyone' },
        { path: '/my/activity/llm-requests', text: t.my.llm, access: 'everyone' },
        { path: '/my/activity/stopped-apps', text: t.my.stopped, access: 'everyone' },
      ],
    },
    { path: '/my/sessions', text: t.my.sessions, access: 'everyone', shown: 'menu' },
  ],
};

export const AREAS: readonly Area[] = [
  {
    key: 'home',
    text: t.areas.home,
    Icon: IconHome,
    tabs: [{ path: '/home', text: t.areas.home }],
  },
  {
    key: 'inventory',
    text: t.areas.inventory,
    Icon: IconApps,
    tabs: [
      { path: '/inventory/ai-tools', text: t.inventory.aiTools },
      { path: '/inventory/mcp-servers', text: t.inventory.mcpServers },
      { path: '/inventory/apps', text: t.inventory.apps },
      { path: '/inventory/extensions', text: t.inventory.extensions },
      { path: '/inventory/packages', text: t.inventory.packages },
      { path: '/inventory/unidentified-processes', text: t.inventory.processes },
      { path: '/inventory/all', text: t.inventory.all, shown: 'current' },
    ],
  },
  {
    key: 'devices',
    text: t.areas.devices,
    Icon: IconDevices,
    tabs: [
      { path: '/devices', text: t.devices.all },
      { path: '/devices/groups', text: t.devices.groups },
      { path: '/devices/agent-versions', text: t.devices.versions },
      { path: '/devices/add', text: t.devices.add, access: 'admins', shown: 'button' },
    ],
  },
  {
    key: 'policies',
    text: t.areas.policies,
    Icon: IconShieldCheck,
    tabs: [
      { path: '/policies', text: t.policies.apps },
      { path: '/policies/defaults', text: t.policies.defaults },
      {
        path: '/policies/access-requests',
        text: t.policies.requests,
        badge: 'access-requests',
      },
      { path: '/policies/rollouts', text: t.policies.rollouts },
    ],
  },
  {
    key: 'activity',
    text: t.areas.activity,
    Icon: IconActivity,
    tabs: [
      { path: '/activity/alerts', text: t.activity.alerts, badge: 'alerts' },
      { path: '/activity/enforcement', text: t.activity.enforcement },
      { path: '/activity/llm-requests', text: t.activity.llm },
      { path: '/activity/tool-calls', text: t.activity.tools },
      {
        path: '/activity/audit-log',
        text: t.activity.audit,
        views: [
          { path: '/activity/audit-log', text: t.activity.auditOrganization, access: 'admins' },
          { path: '/activity/audit-log/gateway', text: t.activity.auditGateway },
        ],
      },
    ],
  },
  {
    key: 'gateway',
    text: t.areas.gateway,
    Icon: IconRoute,
    tabs: [
      {
        path: '/gateway/usage',
        text: t.gateway.usage,
        views: [
          { path: '/gateway/usage', text: t.gateway.usageCost },
          { path: '/gateway/usage/metrics', text: t.gateway.metrics },
        ],
      },
      { path: '/gateway/apps', text: t.gateway.apps },
      {
        path: '/gateway/providers',
        text: t.gateway.providers,
        views: [
          { path: '/gateway/providers', text: t.gateway.connections },
          { path: '/gateway/providers/prices', text: t.gateway.prices },
        ],
      },
      {
        path: '/gateway/guardrails',
        text: t.gateway.guardrails,
        views: [
          { path: '/gateway/guardrails', text: t.gateway.toolGuardrails },
          { path: '/gateway/guardrails/definitions', text: t.gateway.definitions },
        ],
      },
      {
        path: '/gateway/mcp-servers',
        text: t.gateway.servers,
        views: [
          { path: '/gateway/mcp-servers', text: t.gateway.publishedServers },
          { path: '/gateway/mcp-servers/discovered', text: t.gateway.discoveredServers },
        ],
      },
      {
        path: '/gateway/mcp-access',
        text: t.gateway.access,
        views: [
          { path: '/gateway/mcp-access', text: t.gateway.accessRules },
          { path: '/gateway/mcp-access/sessions', text: t.gateway.sessions, access: 'admins' },
          { path: '/gateway/mcp-access/clients', text: t.gateway.clients, access: 'admins' },
        ],
      },
      { path: '/gateway/tool-approvals', text: t.gateway.approvals, access: 'reviewers' },
    ],
  },
  {
    key: 'settings',
    text: t.areas.settings,
    Icon: IconSettings,
    tabs: [
      {
        path: '/settings/users',
        text: t.settings.users,
        views: [
          { path: '/settings/users', text: t.settings.usersOnly, access: 'admins' },
          { path: '/settings/users/groups', text: t.settings.groups },
        ],
      },
      { path: '/settings/sign-in', text: t.settings.signIn, access: 'admins' },
      { path: '/settings/notifications', text: t.settings.notifications, access: 'admins' },
      { path: '/settings/keys', text: t.settings.keys, access: 'admins' },
      { path: '/settings/log-export', text: t.settings.logExport },
      { path: '/settings/data', text: t.settings.data },
      { path: '/settings/system-status', text: t.settings.status, access: 'admins' },
      { path: '/settings/api-reference', text: t.settings.reference, access: 'everyone' },
    ],
  },
];

export function hasAccess(role: Role, access: Access = 'staff'): boolean {
  if (access === 'everyone') return true;
  if (access === 'staff') return role !== 'Member';
  if (access === 'reviewers') return role === 'Reviewer' || role === 'Admin';
  return role === 'Admin';
}

/** Returns the area with the tabs and views that the role may open; a tab leads to its first such view. */
export function visibleArea(area: Area, role: Role): Area {
  const tabs = area.tabs.flatMap((tab): Tab[] => {
    if (!hasAccess(role, tab.access)) return [];
    if (tab.views === undefined) return [tab];
    const views = tab.views.filter((view) => hasAccess(role, view.access));
    const first = views[0];
    return first === undefined ? [] : [{ ...tab, path: first.path, views }];
  });
  return { ...area, tabs };
}

export const visibleAreas = (role: Role): Area[] =>
  AREAS.map((area) => visibleArea(area, role)).filter((area) => area.tabs.length > 0);

export interface Place {
  area: Area;
  tab: Tab | null;
  view: View | null;
}

const isWithin = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

/** Returns the area, the tab and the view of a path below `/t/$tenantId`; null for a path of no area. */
export function findPlace(path: string): Place | null {
  const candidates = [...AREAS, MY_AREA].flatMap((area) =>
    area.tabs.flatMap((tab) =>
      (tab.views ?? [null]).map((view) => ({ area, tab, view, prefix: view?.path ?? tab.path })),
    ),
  );
  const [best] = candidates
    .filter(({ prefix }) => isWithin(path, prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (best !== undefined) return { area: best.area, tab: best.tab, view: best.view };
  const area = [...AREAS, MY_AREA].find(({ key }) => isWithin(path, `/${key}`));
  return area === undefined ? null : { area, tab: null, view: null };
}

/** Returns whether the role may open the page at this path. The area's address itself only redirects. */
export function mayOpen(role: Role, path: string): boolean {
  const place = findPlace(path);
  if (place === null) return hasAccess(role);
  const { area, tab, view } = place;
  if (tab === null) return area.key === 'my' || hasAccess(role);
  return hasAccess(role, (view ?? tab).access);
}

/** Returns the path below the tenant, without a final slash. */
export const pathBelowTenant = (pathname: string): string =>
  pathname.replace(/^\/t\/[^/]+/, '').replace(/\/$/, '');
