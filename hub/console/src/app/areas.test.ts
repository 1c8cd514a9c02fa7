// The table of areas: roles, places and the addresses that it names.
import { describe, expect, it } from 'vitest';
import { AREAS, findPlace, MY_AREA, mayOpen, pathBelowTenant, visibleAreas } from './areas.ts';

const visibleTabs = (role: 'Admin' | 'Viewer' | 'Member', area: string) =>
  visibleAreas(role)
    .find(({ key }) => key === area)
    ?.tabs.map(({ text }) => text);

describe('areas', () => {
  it('shows seven entries to staff and four tabs to members', () => {
    expect(visibleAreas('Admin').map(({ text }) => text)).toEqual([
      'Home',
      'Inventory',
      'Devices',
      'Policies',
      'Activity',
      'AI gateway',
      'Settings',
    ]);
    expect(visibleAreas('Viewer')).toHaveLength(7);
    expect(MY_AREA.tabs.filter(({ shown }) => shown === undefined)).toHaveLength(4);
  });

  it('hides the tabs of administrators and reviewers from a viewer', () => {
    expect(visibleTabs('Viewer', 'settings')).toEqual([
      'Users and groups',
      'Log export',
      'Data and privacy',
      'API reference',
    ]);
    expect(visibleTabs('Viewer', 'devices')).not.toContain('Add devices');
    expect(visibleTabs('Viewer', 'gateway')).not.toContain('Tool approvals');
    expect(visibleTabs('Admin', 'gateway')).toContain('Tool approvals');
  });

  it('links a tab to the first view that the role may open', () => {
    const users = (role: 'Admin' | 'Viewer') =>
      visibleAreas(role).find(({ key }) => key === 'settings')?.tabs[0]?.path;
    expect(users('Admin')).toBe('/settings/users');
    expect(users('Viewer')).toBe('/settings/users/groups');
  });

  it('names every address once, below its area', () => {
    const tabs = [...AREAS, MY_AREA].flatMap((area) => area.tabs.map((tab) => ({ area, tab })));
    const paths = tabs.map(({ tab }) => tab.path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { area, tab } of tabs) {
      for (const { path } of tab.views ?? [tab]) {
        expect(path.split('/')[1]).toBe(area.key);
      }
    }
  });
});

describe('findPlace', () => {
  it.each([
    ['/devices', 'devices', 'All devices', undefined],
    ['/devices/groups/1', 'devices', 'Groups', undefined],
    ['/devices/1', 'devices', 'All devices', undefined],
    ['/inventory/items/1', 'inventory', undefined, undefined],
    ['/activity/audit-log/gateway', 'activity', 'Audit log', 'AI gateway'],
    ['/gateway/mcp-access', 'gateway', 'MCP access', 'Access rules'],
    ['/policies/rollouts', 'policies', 'Rollouts', undefined],
  ])('finds the area, the tab and the view of %s', (path, area, tab, view) => {
    const place = findPlace(path);
    expect([place?.area.key, place?.tab?.text, place?.view?.text]).toEqual([area, tab, view]);
  });

  it('returns null for an unknown path', () => {
    expect(findPlace('/nowhere')).toBe(null);
  });
});

describe('mayOpen', () => {
  it.each([
    ['/my/devices/1', true],
    ['/my/requests/approvals', true],
    ['/settings/api-reference/errors', true],
    ['/my', true],
    ['/inventory/ai-tools', false],
    ['/settings/users/groups', false],
    ['/users/a@example.com', false],
    ['/nowhere', false],
  ])('answers for a member and %s: %s', (path, may) => {
    expect(mayOpen('Member', path)).toBe(may);
  });
});

it('takes the tenant and a final slash from a path', () => {
  expect(pathBelowTenant('/t/0199/devices/')).toBe('/devices');
  expect(pathBelowTenant('/t/0199')).toBe('');
});
