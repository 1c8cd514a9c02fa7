// GET C/agent-releases: what is offered, what runs, and what was given up.
import {
  type AgentRelease,
  AgentReleasesAnswer,
} from '@gatewarden/shared/wire/console/agent-releases.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectAlertsWithCode } from '../alerts/index.ts';
import { selectGroup } from '../groups/index.ts';
import { countAgentVersions } from '../inventory/index.ts';
import { type Release, selectReleaseGroups, selectReleases } from './store.ts';

const SHOWN = 100;
const ROLLED_BACK_DAYS = 30;

export function registerReleasePages(app: App, { db }: { db: Db }): void {
  app.get(
    '/agent-releases',
    {
      config: { access: 'Viewer', beyondTenant: true },
      schema: {
        tags: ['devices'],
        summary: 'List agent releases and the versions in use',
        response: { 200: AgentReleasesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const now = new Date();
      const [releases, versions, rolledBack, groups] = await Promise.all([
        selectReleases(db),
        countAgentVersions(db, tenantId, SHOWN),
        selectAlertsWithCode(db, tenantId, 'update_rolled_back', ROLLED_BACK_DAYS, SHOWN),
        groupsByRelease(db, tenantId),
      ]);
      return {
        releases: releases.map((release) =>
          releaseRow(release, groups.get(release.release_id) ?? [], now),
        ),
        versions,
        rolled_back: rolledBack.map((row) => ({
          ...row,
          received_at: row.received_at.toISOString(),
        })),
        request_id: request.id,
      };
    },
  );
}

async function groupsByRelease(
  db: Db,
  tenantId: string,
): Promise<Map<string, AgentRelease['groups']>> {
  const result = new Map<string, AgentRelease['groups']>();
  for (const { release_id, group_id } of await selectReleaseGroups(db, tenantId)) {
    const group = await selectGroup(db, tenantId, group_id);
    if (group === null) continue;
    result.set(release_id, [...(result.get(release_id) ?? []), { group_id, name: group.name }]);
  }
  return result;
}

function releaseRow(release: Release, groups: AgentRelease['groups'], now: Date): AgentRelease {
  const { release_id, version, channel, platform, arch, minimum_version, ring_percent } = release;
  const state =
    release.withdrawn_at !== null ? 'withdrawn' : release.expires_at <= now ? 'expired' : 'offered';
  return {
    ...{ release_id, version, channel, platform, arch, minimum_version, ring_percent, groups },
    added_at: release.added_at.toISOString(),
    expires_at: release.expires_at.toISOString(),
    withdrawn_at: isoOrNull(release.withdrawn_at),
    state,
  };
}
