// The details of an alert: the event, links to its device, user, app and policy, and the actions of a reviewer.
import type { AlertAnswer, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayDecide, useResource, useTenant } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import { SeverityBadge } from '../ui/Badges.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { AlertPolicy } from './AlertPolicy.tsx';
import { Acknowledge, State } from './AlertTable.tsx';
import { AssignButton, AssignDialog } from './AssignAlert.tsx';
import { headline } from './FreshAlerts.tsx';
import { ResolveDialog } from './ResolveAlerts.tsx';
import { resolveTexts, groupTexts as words } from './texts.ts';

/** `address`: `<alert_id>.<device_id>` of the URL. */
export function AlertDetails({ address }: { address: string }) {
  const [alertId = '', deviceId] = address.split('.');
  const answer = useResource<AlertAnswer>('alerts', `/alerts/${encodeURIComponent(alertId)}`, {
    device_id: deviceId,
  });
  const alert = shownOf(answer)?.alert;
  const [assigning, setAssigning] = useState<AlertRow | null>(null);
  return (
    <>
      <Waiting answer={answer} />
      {alert === undefined ? null : <Known alert={alert} onAssign={setAssigning} />}
      {assigning === null ? null : (
        <AssignDialog row={assigning} onClosed={() => setAssigning(null)} />
      )}
    </>
  );
}

interface KnownProps {
  alert: AlertRow;
  onAssign: (row: AlertRow) => void;
}

function Known({ alert, onAssign }: KnownProps) {
  const { tenantId } = useTenant();
  const mayDecide = useMayDecide();
  const [isResolving, setResolving] = useState(false);
  const why = `/alerts/${alert.alert_id}/why?device_id=${alert.device_id}`;
  const chain = useResource<WhyAnswer>('alerts', why);
  return (
    <div className="gw-form" data-testid="alert">
      <Facts>
        <Fact name={texts.alerts.what}>{texts.alerts.actions[alert.action]}</Fact>
        <Fact name={texts.alerts.severity}>
          <SeverityBadge severity={alert.severity} />
        </Fact>
        <Fact name={texts.alerts.device}>
          <DeviceLink deviceId={alert.device_id} hostname={alert.hostname} />
        </Fact>
        <Fact name={texts.devices.person}>
          <UserLink value={alert.subscriber_id} isIdentity clamp={false} />
        </Fact>
        <Fact name={texts.alerts.when}>
          <Time at={alert.occurred_at} full />
        </Fact>
        <Fact name={words.received}>
          <Time at={alert.received_at} full />
        </Fact>
        <Fact name={texts.alerts.outcome}>
          <Name value={alert.outcome} />
        </Fact>
        <Fact name={texts.alerts.state}>
          <State row={alert} />
        </Fact>
        {alert.resolution_comment == null ? null : (
          <Fact name={resolveTexts.comment} wide>
            <Name value={alert.resolution_comment} />
          </Fact>
        )}
        <Fact name={words.message} wide>
          <Name value={alert.message} />
        </Fact>
        {alert.process === null ? null : (
          <Fact name={words.process} wide>
            <Name value={alert.process.executable_path ?? alert.process.name} mono />
          </Fact>
        )}
        {alert.application_name === null ? null : (
          <Fact name={words.application}>
            <ApplicationLink
              entityId={chain.data?.application?.entity_id ?? null}
              name={alert.application_name}
            />
          </Fact>
        )}
        <Fact name={words.decision}>
          {alert.override_id === null ? (
            alert.action === 'agent' ? (
              words.noDecision
            ) : (
              words.unnamedDecision
            )
          ) : (
            <Link
              to="/t/$tenantId/policies"
              params={{ tenantId }}
              search={{ override_id: alert.override_id }}
              className="gw-link"
            >
              {words.toDecision}
            </Link>
          )}
        </Fact>
        <Fact name={words.id} wide>
          <Name value={alert.alert_id} mono />
        </Fact>
      </Facts>
      <div className="gw-form-end">
        {alert.override_id === null ? null : (
          <WhyButton of={`alert.${alert.alert_id}.${alert.device_id}`} name={headline(alert)} />
        )}
        {mayDecide && chain.data !== undefined ? (
          <AlertPolicy alert={alert} application={chain.data.application} />
        ) : null}
        {mayDecide ? (
          <Button size="xs" variant="default" onClick={() => setResolving(true)}>
            {resolveTexts.open}
          </Button>
        ) : null}
        {mayDecide && alert.state === 'open' ? (
          <>
            <AssignButton row={alert} onAssign={onAssign} />
            <Acknowledge row={alert} />
          </>
        ) : null}
      </div>
      {isResolving ? <ResolveDialog alerts={[alert]} onClosed={() => setResolving(false)} /> : null}
    </div>
  );
}
