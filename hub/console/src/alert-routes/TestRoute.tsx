// Sends a test by the route and says what becomes of it, while it happens.
import type {
  AlertDelivery,
  AlertDeliveryAnswer,
  AlertRoute,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { useAfterRoute } from './after-route.ts';

export function TestRoute({ route }: { route: AlertRoute }) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const test = useMutation({
    mutationFn: () =>
      write<AlertDeliveryAnswer>('POST', `/alert-routes/${route.route_id}/test`, { body: {} }),
    onSettled: () => void afterRoute(),
  });
  return (
    <Section title={texts.routes.test}>
      <div className="gw-form">
        <p className="gw-flat gw-dimmed">{texts.routes.testText}</p>
        <div>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => {
              test.mutate();
            }}
          >
            {texts.routes.sendTest}
          </Button>
        </div>
        {test.isError ? <ErrorPanel error={test.error} title={texts.routes.testFailed} /> : null}
        <div role="status" data-testid="test-outcome">
          {test.data === undefined ? null : (
            <Outcome key={test.data.delivery.delivery_id} sent={test.data.delivery} route={route} />
          )}
        </div>
      </div>
    </Section>
  );
}

function Outcome({ sent, route }: { sent: AlertDelivery; route: AlertRoute }) {
  const path = `/alert-routes/${route.route_id}/deliveries/${sent.delivery_id}`;
  const answer = useResource<AlertDeliveryAnswer>('alert-routes', path);
  const delivery = answer.data?.delivery ?? sent;
  return (
    <>
      <div>{wordsOf(delivery)}</div>
      {/* A hub of the release before sends no note. */}
      {delivery.test_note ? (
        <div className="gw-dimmed gw-small" data-testid="test-note">
          {delivery.test_note}
        </div>
      ) : null}
    </>
  );
}

function wordsOf({ state, last_error: error, last_status: status }: AlertDelivery): string {
  if (state === 'delivered') {
    return status === 202 ? texts.routes.testAccepted(status) : texts.routes.testArrived(status);
  }
  if (error === null) return texts.routes.testUnderWay;
  return state === 'failed' ? texts.routes.testGivenUp(error) : texts.routes.testNotYet(error);
}
