// GET C/identities: every user that anything names. GET C/identity: composes what the wings know of a user. An identity that nothing names, such as an erased user, is not found.

import { foldName } from '@gatewarden/shared/names.ts';
import {
  IDENTITY_ALERTS_MOST,
  IDENTITY_DEVICES_MOST,
  IDENTITY_KINDS,
  IDENTITY_USE_DAYS,
  IdentitiesAnswer,
  IdentitiesQuery,
  IdentityAnswer,
  IdentityQuery,
  type IdentityRow,
} from '@gatewarden/shared/wire/console/identity.ts';
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  isoOrNull,
  loadCountedPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { countPersonsRequests } from '../../devices/access-requests/index.ts';
import { countOpenAlertsOf } from '../../devices/alerts/index.ts';
import {
  countAppsOn,
  type DeviceRecord,
  selectPersonsDevices,
} from '../../devices/inventory/index.ts';
import { countPersonsUse, retainedSinceText } from '../../logs/console/index.ts';
import { selectGroupsOfMember } from '../../people/groups/index.ts';
import { loadUsersNamed, type SignInRecord, selectSignIn } from '../../people/identity/index.ts';
import { countIdentities, type IdentityRecord, selectIdentities } from './store.ts';

type Identity = IdentityAnswer['identity'];

export function registerIdentityPages(
  app: App,
  { db, cursors }: { db: Db; cursors: CursorSealer },
): void {
  app.get(
    '/identities',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['console'],
        summary: 'List users that sign-in, devices, gateways, groups or access requests name',
        querystring: IdentitiesQuery,
        response: { 200: IdentitiesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { query, ...rest } = extractFilter(request.query);
      const filter = { ...rest, ...(query === undefined ? {} : { query: foldName(query) }) };
      const since = await retainedSinceText(db, tenantId);
      const scope = (after: readonly string[] | undefined) => ({
        ...{ tenantId, filter, since, after },
      });
      const page = await loadCountedPage(request, {
        cursors,
        list: 'identities',
        by: filterBinding(filter),
        fetch: (_tenant, after, limit) => selectIdentities(db, scope(after), limit),
        count: () => countIdentities(db, scope(undefined)),
        keyOf: (identity) => [identity.email, identity.sort_key],
        item: (identity) => identity,
      });
      const emails = page.items.map((identity) => identity.email);
      const users = await loadUsersNamed(db, tenantId, emails);
      return { ...page, items: page.items.map((item) => identityRow(item, users)) };
    },
  );

  app.get(
    '/identity',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['console'],
        summary:
          'Get a user with devices, alerts, gateway usage, access requests, groups and sign-in',
        querystring: IdentityQuery,
        response: { 200: IdentityAnswer },
      },
    },
    async (request) => {
      const { tenantId, role } = personOf(request);
      const identity = await readIdentity(db, tenantId, {
        email: request.query.email.trim(),
        role,
      });
      if (identity === null) throw new HubError('not_found');
      return { identity, request_id: request.id };
    },
  );
}

function identityRow(identity: IdentityRecord, users: ReadonlyMap<string, UserRow>): IdentityRow {
  const account = users.get(identity.email) ?? null;
  const isNamedBy = { ...identity, device: identity.device_count > 0 };
  return {
    email: account?.email ?? identity.email,
    kinds: IDENTITY_KINDS.filter((kind) => isNamedBy[kind]),
    device_count: identity.device_count,
    last_seen_at: isoOrNull(identity.last_seen_at),
    account,
  };
}

/** Returns null where neither a device, a gateway row, an access request, a group nor a sign-in names the identity. */
async function readIdentity(
  db: Db,
  tenantId: string,
  { email, role }: { email: string; role: Role },
): Promise<Identity | null> {
  const folded = foldName(email);
  const [devices, requests, use, groups, member] = await Promise.all([
    selectPersonsDevices(db, tenantId, folded, undefined, IDENTITY_DEVICES_MOST),
    countPersonsRequests(db, tenantId, folded),
    countPersonsUse(db, tenantId, email, IDENTITY_USE_DAYS),
    selectGroupsOfMember(db, tenantId, folded),
    selectSignIn(db, tenantId, folded),
  ]);
  const isNamed =
    devices.length + requests.all + groups.length > 0 || use.isNamed || member !== null;
  if (!isNamed) return null;
  const deviceIds = devices.map(({ device_id }) => device_id);
  const [apps, openAlerts] = await Promise.all([
    countAppsOn(db, tenantId, deviceIds),
    countOpenAlertsOf(db, tenantId, deviceIds, IDENTITY_ALERTS_MOST),
  ]);
  const mayManage = role === 'Admin';
  return {
    email: mayManage ? (member?.email ?? email) : email,
    devices: devices.map(deviceOf),
    apps,
    open_alerts: openAlerts,
    access_requests: requests,
    llm: use.llm,
    mcp: use.mcp,
    groups,
    account: mayManage && member !== null ? accountOf(member) : null,
  };
}

const deviceOf = (device: DeviceRecord): Identity['devices'][number] => ({
  device_id: device.device_id,
  hostname: device.hostname,
  subscriber_id: device.subscriber_id,
  platform: device.platform,
  last_seen_at: device.last_seen_at.toISOString(),
  entity_count: device.entity_count,
});

const accountOf = (user: SignInRecord): NonNullable<Identity['account']> => ({
  user_id: user.user_id,
  role: user.role,
  state: user.disabled_at === null ? 'enabled' : 'disabled',
  last_sign_in_at: isoOrNull(user.last_sign_in_at),
});
