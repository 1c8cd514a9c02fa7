// Drift of an approved app: the changes by device, and the button that keeps the approval.
import type { ApplicationAnswer } from '@gatewarden/shared/wire/console/applications.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isStatus } from '../api/client.ts';
import { topicKey } from '../api/keys.ts';
import { useMayDecide, useTenant, useTenantWrite } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { driftTexts } from './drift-texts.ts';
import { FacetsChange } from './Facets.tsx';

type Application = ApplicationAnswer['application'];

export function DriftNotice({ application }: { application: Application }) {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const write = useTenantWrite();
  const mayDecide = useMayDecide();
  const review = useMutation({
    mutationFn: () =>
      write('POST', `/discovered-apps/${application.entity_id}/review`, {
        body: {},
        ifMatch: application.version,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: topicKey(tenantId, 'applications') }),
    onError: (error) => {
      const isNewer = isStatus(error, 412);
      if (isNewer) void queries.invalidateQueries({ queryKey: topicKey(tenantId, 'applications') });
      notifications.show({
        color: 'red',
        title: driftTexts.failed,
        message: isNewer ? driftTexts.newer : noticeOf(error),
      });
    },
  });
  if (application.drifted_at === null) return null;
  return (
    <Section title={driftTexts.title}>
      <p>{driftTexts.lead}</p>
      <ul className="gw-plain-list" data-testid="drifts">
        {application.drifts.map((drift) => (
          <li key={drift.device_id}>
            <DeviceLink deviceId={drift.device_id} hostname={drift.hostname} />{' '}
            <Time at={drift.since} />
            {drift.launch_changed ? <div>{driftTexts.launchChanged}</div> : null}
            {drift.new_permissions.length === 0 ? null : (
              <div>
                {driftTexts.newPermissions} <Name value={drift.new_permissions.join(', ')} mono />
              </div>
            )}
            <FacetsChange drift={drift} />
          </li>
        ))}
      </ul>
      {mayDecide ? (
        <Button variant="default" loading={review.isPending} onClick={() => review.mutate()}>
          {driftTexts.reviewed}
        </Button>
      ) : null}
    </Section>
  );
}
