// New alerts while a page is open: announced on the page of alerts, shown as a notice with a link on other pages.
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { topicKey } from '../api/keys.ts';
import { anAlert } from '../testing/alert-rows.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, TENANT_ID } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { FreshAlerts, headline } from './FreshAlerts.tsx';
import { useOpenAlerts } from './open-alerts.ts';

const FIRST = anAlert({ received_at: '2026-03-01T10:00:00.000Z' });
const SECOND = anAlert({ alert_id: 'a2', received_at: '2026-03-01T10:01:00.000Z' });

function Counted() {
  return <p>count {useOpenAlerts().data?.items.length}</p>;
}

/** Opens a page with an open alert; `arrive` adds a second alert like a page event. */
async function openPage(address: string) {
  respond('GET /alerts', () => listReply([FIRST]));
  const rendered = await renderPage(
    () => (
      <FreshAlerts>
        <Counted />
      </FreshAlerts>
    ),
    { route: address, address },
  );
  await screen.findByText('count 1');
  const arrive = async () => {
    respond('GET /alerts', () => listReply([SECOND, FIRST]));
    const queryKey = topicKey(TENANT_ID, 'alerts');
    await act(() => rendered.queries.invalidateQueries({ queryKey }));
    await screen.findByText('count 2');
  };
  return { ...rendered, arrive };
}

it('reports no alert that was open before the page was loaded', async () => {
  await openPage('/devices');
  expect(screen.queryByText(texts.alerts.toastTitle(1))).toBe(null);
});

it('shows a notice of a new alert that leads to the alerts', async () => {
  const { user, arrive, path } = await openPage('/devices');
  await arrive();
  await screen.findByText(texts.alerts.toastTitle(1));
  expect(screen.getByText(headline(SECOND))).toBeTruthy();
  await user.click(screen.getByRole('button', { name: texts.alerts.show }));
  await waitFor(() => expect(path()).toBe('/activity/alerts'));
});

it('announces a new alert to screen readers on the page of alerts, without a notice', async () => {
  const { arrive } = await openPage('/activity/alerts');
  await arrive();
  await screen.findByText(texts.alerts.arrived(1, headline(SECOND)));
  expect(screen.queryByText(texts.alerts.toastTitle(1))).toBe(null);
});
