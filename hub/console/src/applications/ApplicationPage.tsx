// An app: its facts, its devices, its policies, and the form that sets a policy.
import type { ApplicationAnswer } from '@gatewarden/shared/wire/console/applications.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { RecentActivity } from '../activity/ActivityTable.tsx';
import { useMayDecide, useResource } from '../api/tenant.ts';
import { DecisionTable } from '../policies/DecisionTable.tsx';
import { NewDecision } from '../policies/NewDecision.tsx';
import { texts } from '../texts.ts';
import { ApprovalBadge, Badge } from '../ui/Badges.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ApplicationDevices } from './ApplicationDevices.tsx';
import { DriftNotice } from './DriftNotice.tsx';
import { Executables, FacetFacts } from './Facets.tsx';
import { listOfKind } from './lists.ts';
import { NamedDecision } from './NamedDecision.tsx';
import { reviewTexts } from './review-texts.ts';
import { SimilarList } from './Similar.tsx';
import './application.css';
import { sourceLabel } from '../labels.ts';
import { PolicyStepBadge } from '../policies/PolicyStepBadge.tsx';

const route = getRouteApi('/t/$tenantId/inventory/items/$entityId');

type Application = ApplicationAnswer['application'];

export function ApplicationPage() {
  const { tenantId, entityId } = route.useParams();
  const answer = useResource<ApplicationAnswer>(
    'applications',
    `/discovered-apps/${encodeURIComponent(entityId)}`,
  );
  const application = answer.data?.application;
  const { list, title } = listOfKind(application?.kind);
  return (
    <Page
      title={application?.name ?? texts.application.title}
      crumb={
        <Link to="/t/$tenantId/inventory/$list" params={{ tenantId, list }} className="gw-crumb">
          <CrumbText>{title}</CrumbText>
        </Link>
      }
      badges={application ? <Badges application={application} /> : undefined}
    >
      <Waiting answer={answer} />
      {application ? <Known key={application.entity_id} application={application} /> : null}
    </Page>
  );
}

function Badges({ application }: { application: Application }) {
  return (
    <>
      <Badge tone="info">{texts.kinds[application.kind]}</Badge>
      {application.execution_policy === null ? (
        <ApprovalBadge status={application.approval_status} />
      ) : (
        <PolicyStepBadge
          policy={{
            approval_status: application.approval_status,
            execution_policy: application.execution_policy,
          }}
        />
      )}
      <NamedDecision application={application} />
    </>
  );
}

function Known({ application }: { application: Application }) {
  const mayDecide = useMayDecide();
  const entityId = application.entity_id;
  const match = useMemo(() => ({ entity_id: entityId }), [entityId]);
  return (
    <div className="gw-application" data-with-aside={mayDecide ? '' : undefined}>
      <div className="gw-stack gw-application-first">
        <DriftNotice application={application} />
        <ApplicationFacts application={application} />
      </div>
      {mayDecide ? (
        <div className="gw-application-decide">
          <Section title={texts.decide.title}>
            <NewDecision match={match} />
          </Section>
        </div>
      ) : null}
      <div className="gw-stack gw-application-rest">
        <Section title={texts.application.devices}>
          <ApplicationDevices entityId={entityId} />
        </Section>
        <Section title={texts.application.decisions}>
          <DecisionTable
            concerns={entityId}
            bare
            empty={<p className="gw-dimmed">{texts.application.decisionsEmpty}</p>}
          />
        </Section>
        <Section title={reviewTexts.similarTitle}>
          <SimilarList entityId={entityId} />
        </Section>
        <Section title={texts.application.versions}>
          <DataTable
            caption={texts.application.versions}
            rows={application.versions}
            rowKey={(row) => row.version ?? ''}
            columns={[
              {
                key: 'version',
                header: texts.applications.version,
                render: (row) => <Name value={row.version} mono />,
              },
              {
                key: 'devices',
                header: texts.applications.devices,
                align: 'end',
                render: (row) => row.device_count.toLocaleString('en-GB'),
              },
            ]}
          />
        </Section>
        <Section title={texts.application.activity}>
          <RecentActivity entityId={entityId} />
        </Section>
      </div>
    </div>
  );
}

function ApplicationFacts({ application }: { application: Application }) {
  return (
    <Section title={texts.application.facts}>
      <Facts>
        <Fact name={texts.applications.publisher}>
          <Name value={application.publisher} />
        </Fact>
        <Fact name={texts.application.source}>
          <Name value={sourceLabel(application.source)} />
        </Fact>
        <Fact name={texts.application.platform}>{texts.platforms[application.platform]}</Fact>
        <Fact name={texts.applications.devices}>
          {application.device_count.toLocaleString('en-GB')}
        </Fact>
        <Fact name={texts.applications.firstSeen}>
          <Time at={application.first_seen_at} full />
        </Fact>
        <Fact name={texts.application.lastSeen}>
          <Time at={application.last_seen_at} />
        </Fact>
        <FacetFacts application={application} />
        <Fact name={texts.application.executables} wide>
          <Executables application={application} />
        </Fact>
        <Fact name={texts.application.id} wide>
          <Name value={application.entity_id} mono />
        </Fact>
      </Facts>
    </Section>
  );
}
