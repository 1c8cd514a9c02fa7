// The history of an app's configuration: each change with its difference, and a rollback.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { useList, useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { operationText } from '../texts-audit.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { ActorName } from './ActorName.tsx';
import { appPath, secondsToIso } from './app-path.ts';
import { Diff } from './Diff.tsx';
import { useReloadGateway } from './reload-gateway.ts';
import { gatewayTexts } from './texts.ts';
import type { AppWritten, GatewayApp, VersionFacts, VersionRecord } from './wire.ts';

const t = gatewayTexts.versions;
const route = getRouteApi('/t/$tenantId/gateway/apps/$appName');

export function AppVersions({ app }: { app: GatewayApp }) {
  const { version: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (version: string | undefined) => {
    void navigate({
      search: (former) => ({ ...former, version }),
      replace: version === undefined,
    });
  };
  const list = useList<VersionFacts>('gateway', '/gateway/app/versions', { app_name: app.name });
  return (
    <Section title={gatewayTexts.apps.tabs.versions}>
      <ListView
        bare
        list={list}
        caption={gatewayTexts.apps.tabs.versions}
        rowKey={(row) => row.version_id}
        rowTestId="version-row"
        empty={<Empty title={t.empty} />}
        columns={[
          {
            key: 'when',
            header: t.when,
            render: (row) => <Time at={secondsToIso(row.created_at)} />,
          },
          {
            key: 'who',
            header: t.who,
            weight: 1.4,
            render: (row) => <ActorName actor={row.actor} />,
          },
          {
            key: 'what',
            header: t.what,
            weight: 1.4,
            render: (row) => <Name value={operationText(row.operation)} />,
          },
          {
            key: 'fields',
            header: t.fields,
            weight: 2.4,
            render: (row) => <Name value={row.changed.join(', ')} clamp mono />,
          },
          {
            key: 'show',
            header: texts.ui.actions,
            hiddenHeader: true,
            align: 'end',
            render: (row) => (
              <Button size="xs" variant="default" onClick={() => open(row.version_id)}>
                {t.show}
              </Button>
            ),
          },
        ]}
      />
      {shown === undefined ? null : (
        <VersionDialog
          app={app}
          versionId={shown}
          newestId={list.data?.pages[0]?.items[0]?.version_id}
          onClosed={() => open(undefined)}
        />
      )}
    </Section>
  );
}

interface VersionProps {
  app: GatewayApp;
  versionId: string;
  /** The id of the current version; undefined until the list is loaded. */
  newestId: string | undefined;
  onClosed: () => void;
}

const useVersion = (app: GatewayApp, versionId: string | undefined) =>
  useResource<{ version_record: VersionRecord }>(
    'gateway',
    versionId === undefined ? null : `/gateway/app/versions/${encodeURIComponent(versionId)}`,
    { app_name: app.name },
  );

function VersionDialog({ app, versionId, newestId, onClosed }: VersionProps) {
  const mayAdminister = useMayAdminister();
  const answer = useVersion(app, versionId);
  const record = shownOf(answer)?.version_record;
  const newest = shownOf(useVersion(app, newestId))?.version_record;
  return (
    <Dialog wide title={t.title} onClosed={onClosed}>
      {(close) => (
        <div className="gw-form">
          <Waiting answer={answer} />
          {record === undefined ? null : (
            <>
              <div>
                <Time at={secondsToIso(record.created_at)} full /> ·{' '}
                <ActorName actor={record.actor} />
              </div>
              <Diff
                label={t.title}
                before={pretty(record.previous_config)}
                after={pretty(record.new_config)}
              />
              {newest === undefined ? null : (
                <RollbackOffer
                  app={app}
                  record={record}
                  newest={newest}
                  onDone={close}
                  mayRollBack={mayAdminister}
                />
              )}
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

const pretty = (config: unknown) => `${JSON.stringify(config, null, 2)}\n`;

interface RollbackOfferProps {
  app: GatewayApp;
  record: VersionRecord;
  newest: VersionRecord;
  mayRollBack: boolean;
  onDone: () => void;
}

/** Shows what a rollback would change, which undoes every later change as well. */
function RollbackOffer({ app, record, newest, mayRollBack, onDone }: RollbackOfferProps) {
  const [now, then] = [pretty(newest.new_config), pretty(record.new_config)];
  if (now === then) return <p className="gw-flat gw-dimmed">{t.isCurrent}</p>;
  return (
    <>
      <h3>{t.rollbackDiff}</h3>
      <Diff label={t.rollbackDiff} before={now} after={then} />
      {mayRollBack ? <Rollback app={app} versionId={record.version_id} onDone={onDone} /> : null}
    </>
  );
}

interface RollbackProps {
  app: GatewayApp;
  versionId: string;
  onDone: () => void;
}

function Rollback({ app, versionId, onDone }: RollbackProps) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const idempotency = useIdempotencyKey();
  const back = useMutation({
    mutationFn: () =>
      write<AppWritten>('POST', appPath(app.name, `/versions/${versionId}/rollback`), {
        body: {},
        ifMatch: app.version,
        idempotencyKey: idempotency.key,
      }),
    onError: idempotency.failed,
    // The mutation notifies, not the button: an event of the hub may arrive before the response and unmount the button.
    onSuccess: ({ warnings = [] }) => {
      notifications.show({
        color: 'teal',
        message: [t.rolledBack, ...warnings.map((item) => item.message)].join(' '),
      });
      onDone();
    },
    onSettled: () => reloadGateway(),
  });
  return (
    <>
      <p className="gw-flat gw-dimmed">{t.rollbackText}</p>
      <Refusal
        error={back.error}
        conflict={gatewayTexts.apps.conflictText}
        conflictTitle={gatewayTexts.apps.conflictTitle}
      />
      <div className="gw-form-end">
        <Button variant="default" loading={back.isPending} onClick={() => back.mutate()}>
          {t.rollback}
        </Button>
      </div>
    </>
  );
}
