// The policies in force for an app: each in words with its origin and author, and a link to it.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { AppPolicyInForce } from './PolicyInForce.tsx';
import { policyTexts as t } from './policy-texts.ts';
import { aPolicyInForce } from './testing-rows.ts';

async function openInForce(items: object[], count = items.length) {
  respondWith('GET /discovered-apps/e1/policies', { policies: { count, items } });
  await renderPart(<AppPolicyInForce entityId="e1" />);
  return within(await screen.findByRole('region', { name: t.inForce }));
}

it('names step, scope and author of a policy, with a link to it', async () => {
  const scope = { kind: 'subscriber', subscriber_id: 'grace' };
  const inForce = await openInForce([aPolicyInForce({ scope } as object)]);
  const line = await inForce.findByRole('listitem');
  expect(line.textContent).toContain(`${t.steps.blocked} ${t.origins.application}`);
  expect(line.textContent).toContain(texts.decide.scopes.subscriber);
  expect(line.textContent).toContain(t.setBy);
  expect(within(line).getByRole('link', { name: /eve/ })).toBeTruthy();
  const link = within(line).getByRole('link', { name: texts.preview.showDecision });
  expect(link.getAttribute('href')).toContain('/policies?override_id=o1');
});

it('names the kind of a default policy, and links to all defaults', async () => {
  const inForce = await openInForce([
    aPolicyInForce({ origin: 'default_policy', match: { kind: 'mcp_server' } }),
  ]);
  await inForce.findByText(texts.preview.defaultOf(texts.kinds.mcp_server), { exact: false });
  const link = inForce.getByRole('link', { name: texts.preview.showDecision });
  expect(link.getAttribute('href')).toMatch(/\/policies\/defaults$/);
});

it('lists a product policy once, and says which of several policies decides', async () => {
  const owned = { origin: 'product_policy', product_policy_id: 'p1' } as const;
  const inForce = await openInForce([
    aPolicyInForce({ ...owned, override_id: 'o1' }),
    aPolicyInForce({ ...owned, override_id: 'o2' }),
    aPolicyInForce({ override_id: 'o3' }),
  ]);
  expect(await inForce.findAllByRole('listitem')).toHaveLength(2);
  expect(inForce.getByText(t.precedence)).toBeTruthy();
});

it('reports that no policy applies', async () => {
  const inForce = await openInForce([]);
  expect(await inForce.findByText(t.noneInForce)).toBeTruthy();
});
