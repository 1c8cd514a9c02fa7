// C/discovery-scope: what the tenant lets discovery look at. What may no longer be looked at is erased by a job (see
// scope-inventory.ts).
import {
  DiscoveryScopeAnswer,
  DiscoveryScopeInput,
} from '@gatewarden/shared/wire/console/discovery-scope.ts';
import { selectDiscovery, updateDiscovery } from './discovery-scope-store.ts';
import type { SyncedSetting } from './tenant-setting.ts';

export const DISCOVERY_SCOPE: SyncedSetting<DiscoveryScopeInput> = {
  path: '/discovery-scope',
  title: 'the discovery scope',
  input: DiscoveryScopeInput,
  answer: DiscoveryScopeAnswer,
  operation: 'discovery_scope.set',
  select: selectDiscovery,
  update: updateDiscovery,
};
