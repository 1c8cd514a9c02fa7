// The pages for an organization that cannot be opened.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { NoTenant } from './Fallbacks.tsx';

const headingText = () => screen.getByRole('heading', { level: 1 }).textContent;
const suspended = [{ tenant_id: 't1', name: 'Acme' }];

it('names a suspended organization in the heading of its page', async () => {
  await renderPart(<NoTenant tenantId="T1" suspended={suspended} />);
  expect(headingText()).toBe(texts.errors.suspended('Acme'));
});

it('names the suspended organization of a user who has no other', async () => {
  await renderPart(<NoTenant suspended={suspended} />);
  expect(headingText()).toBe(texts.errors.suspended('Acme'));
});

it('reports no access to an organization that the user is not a member of', async () => {
  await renderPart(<NoTenant tenantId="t2" suspended={suspended} />);
  expect(headingText()).toBe(texts.errors.noTenant);
});

it('asks a user without any organization to be added', async () => {
  await renderPart(<NoTenant suspended={undefined} />);
  expect(headingText()).toBe(texts.product);
});
