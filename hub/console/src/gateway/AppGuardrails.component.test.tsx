// The guardrail matrix of an app: presets, single rows, the request, and a trial with unsaved settings.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { AppGuardrails } from './AppGuardrails.tsx';
import { guardrailTexts as t } from './guardrail-texts.ts';
import type { GatewayApp } from './wire.ts';

const PATCH = 'PATCH /gateway/app';
const TRIAL = 'POST /llm/guardrail-tests';
const app = {
  ...{ app_id: 'a', name: 'help', version: 'v1', mode: 'gateway', enabled: true },
  ...{ provider_labels: [], tags: [] },
  detection: { enabled_categories: { pii: true } },
} as unknown as GatewayApp;

async function openMatrix(role: 'Admin' | 'Viewer' = 'Admin') {
  respondWith('GET /llm/guardrail-categories', {
    items: [
      {
        ...{ id: 'pii', name: 'Personal data', subcategories: ['email_address'] },
        has_detector: true,
        ...{ actions: ['monitor', 'redact', 'block'], scopes: ['request', 'response', 'both'] },
      },
    ],
  });
  const rendered = await renderPart(<AppGuardrails app={app} />, role);
  await screen.findByTestId('guardrail-row');
  return rendered;
}

const field = (name: string) =>
  screen.getByRole('combobox', { name: t.field('Personal data', name) });

it('sends the changed rows only, and marks the preset that the matrix equals', async () => {
  const { user } = await openMatrix();
  const monitor = screen.getByRole('button', { name: t.presets.monitor });
  expect(monitor.getAttribute('aria-pressed')).toBe('true');
  await user.selectOptions(field(t.action), 'block');
  expect(monitor.getAttribute('aria-pressed')).toBe('false');
  respondWith('GET /gateway/app', { app });
  respond(PATCH, () => refusal(412, 'precondition_failed', 'The app changed.'));
  await user.click(screen.getByRole('button', { name: t.save }));
  await screen.findByRole('alert');
  respondWith(PATCH, { app });
  await user.click(screen.getByRole('button', { name: t.save }));
  await expect.poll(() => sentTo(PATCH).length).toBe(2);
  expect(sentTo(PATCH)[1]).toMatchObject({
    headers: { 'if-match': 'v1' },
    body: { detection: { category_actions: { pii: 'block' } } },
  });
});

it('tries unsaved settings on a text and marks what they detect', async () => {
  const { user } = await openMatrix();
  await user.selectOptions(field(t.action), 'redact');
  await user.type(screen.getByRole('textbox', { name: t.text }), 'To ann@example.com');
  respondWith(TRIAL, {
    ...{ outcome: 'redact', text: 'To [REDACTED_EMAIL_ADDRESS]' },
    spans: [
      {
        ...{ start: 3, end: 18, category: 'pii', subcategory: 'email_address' },
        ...{ action: 'redact', detector: 'email_address' },
      },
    ],
  });
  await user.click(screen.getByRole('button', { name: t.run }));
  const result = within(await screen.findByTestId('guardrail-result'));
  expect(result.getByText('ann@example.com').tagName).toBe('MARK');
  expect(result.getByTestId('guardrail-sent-text').textContent).toBe('To [REDACTED_EMAIL_ADDRESS]');
  expect(sentTo(TRIAL)[0]?.body).toMatchObject({
    detection: { category_actions: { pii: 'redact' } },
  });
});

it('lets a Viewer try guardrails, and change nothing', async () => {
  await openMatrix('Viewer');
  expect((field(t.action) as HTMLSelectElement).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: t.save })).toBeNull();
  expect(screen.getByRole('textbox', { name: t.text })).toBeTruthy();
});
