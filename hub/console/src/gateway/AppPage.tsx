// An app of the LLM gateway: its facts, and tabs for its settings, keys, providers, prompts and history.
import { Button, Tabs } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isStatus } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { AppBudget } from '../logs/Budgets.tsx';
import { budgetTexts } from '../logs/budget-texts.ts';
import { texts } from '../texts.ts';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AppGuardrails } from './AppGuardrails.tsx';
import { AppKeys } from './AppKeys.tsx';
import { AppPrompts } from './AppPrompts.tsx';
import { AppProviders } from './AppProviders.tsx';
import { AppSettings } from './AppSettings.tsx';
import { EnabledBadge } from './AppsPage.tsx';
import { AppVersions } from './AppVersions.tsx';
import { appPath, secondsToIso } from './app-path.ts';
import { ConnectApp } from './ConnectApp.tsx';
import { useReloadGateway } from './reload-gateway.ts';
import { APP_TABS } from './tabs.ts';
import { gatewayTexts } from './texts.ts';
import { UnenforcedSettings } from './UnenforcedSettings.tsx';
import type { AppWritten, GatewayApp } from './wire.ts';
import '../policies/policies.css';
import './gateway.css';

const t = gatewayTexts.apps;
const route = getRouteApi('/t/$tenantId/gateway/apps/$appName');

export function AppPage() {
  const { tenantId, appName } = route.useParams();
  const { tab = 'settings' } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useResource<{ app: GatewayApp }>('gateway', '/gateway/app', { app_name: appName });
  const app = shownOf(answer)?.app;
  return (
    <Page
      title={app?.name ?? t.app}
      badges={app === undefined ? undefined : <EnabledBadge enabled={app.enabled} />}
      crumb={
        <Link to="/t/$tenantId/gateway/apps" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{t.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {app ? (
        <div className="gw-stack" key={app.app_id}>
          <AppFacts app={app} />
          <Tabs
            value={tab}
            keepMounted={false}
            onChange={(value) =>
              void navigate({ search: { tab: oneOf(APP_TABS, value) }, replace: true })
            }
          >
            <Tabs.List>
              {APP_TABS.map((tab) => (
                <Tabs.Tab key={tab} value={tab}>
                  {t.tabs[tab]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="settings">
              <UnenforcedSettings app={app}>
                <AppSettings app={app} />
              </UnenforcedSettings>
            </Tabs.Panel>
            <Tabs.Panel value="guardrails">
              <AppGuardrails app={app} />
            </Tabs.Panel>
            <Tabs.Panel value="providers">
              <AppProviders app={app} />
            </Tabs.Panel>
            <Tabs.Panel value="keys">
              <AppKeys app={app} />
            </Tabs.Panel>
            <Tabs.Panel value="connect">
              <Section title={t.tabs.connect}>
                <ConnectApp providerLabels={app.provider_labels} appKey={null} />
              </Section>
            </Tabs.Panel>
            <Tabs.Panel value="prompts">
              <AppPrompts app={app} />
            </Tabs.Panel>
            <Tabs.Panel value="versions">
              <AppVersions app={app} />
            </Tabs.Panel>
          </Tabs>
        </div>
      ) : null}
    </Page>
  );
}

function AppFacts({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  return (
    <Section title={t.app} aside={mayAdminister ? <Switch app={app} /> : undefined}>
      <Facts>
        <Fact name={t.mode}>{t.modes[app.mode]}</Fact>
        <Fact name={t.providers}>
          <Name value={app.provider_labels.join(', ')} />
        </Fact>
        <Fact name={t.tags}>
          {app.tags.length === 0 ? texts.ui.none : <Name value={app.tags.join(', ')} />}
        </Fact>
        <Fact name={budgetTexts.ofApp}>
          <AppBudget appId={app.app_id} appName={app.name} />
        </Fact>
        <Fact name={t.made}>
          <Time at={secondsToIso(app.created_at)} />
        </Fact>
        <Fact name={t.changed}>
          <Time at={secondsToIso(app.updated_at)} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Switch({ app }: { app: GatewayApp }) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const turn = useMutation({
    mutationFn: () =>
      write<AppWritten>('PATCH', appPath(app.name), {
        body: { enabled: !app.enabled },
        ifMatch: app.version,
      }),
    onSettled: () => reloadGateway(),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? t.conflictText : noticeOf(error),
      }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      title={app.enabled ? t.disableHint : undefined}
      loading={turn.isPending}
      onClick={() => turn.mutate()}
    >
      {app.enabled ? t.disable : t.enable}
    </Button>
  );
}
