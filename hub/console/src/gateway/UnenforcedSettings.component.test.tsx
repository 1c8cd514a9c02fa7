// Settings that the gateway nodes do not enforce are listed above the form and marked in it.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith } from '../testing/responder.ts';
import { AppSettings } from './AppSettings.tsx';
import { settingLabel } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import { UnenforcedSettings } from './UnenforcedSettings.tsx';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.unenforced;

async function open(detection: object, hasModel: boolean) {
  respondWith('GET /gateway/capabilities', {
    model_checks_available: hasModel,
    detection_categories: [{ id: 'toxicity', subcategories: ['hate'] }],
  });
  respond('GET /gateway/custom-definitions', () =>
    listReply([
      { edm_id: 'codes', name: 'Codes', patterns: [{ pattern: 'X' }] },
      { edm_id: 'empty', name: 'Empty' },
    ]),
  );
  const app = { app_id: 'a1', name: 'shop', version: 'v1', mode: 'gateway', detection };
  await renderPart(
    <UnenforcedSettings app={app as unknown as GatewayApp}>
      <AppSettings app={app as unknown as GatewayApp} />
    </UnenforcedSettings>,
  );
  await screen.findByText(gatewayTexts.settings.lead);
}

const DETECTION = {
  scan_images: true,
  enabled_categories: { toxicity: true },
  custom_definitions: ['codes', 'empty'].map((definition_id) => ({ definition_id })),
};

it('lists settings by their reason, and marks their fields', async () => {
  await open(DETECTION, false);
  expect(await screen.findByText(t.title)).toBeTruthy();
  expect(screen.getByText(t.reasons.needs_model)).toBeTruthy();
  expect(await screen.findByText(t.reasons.needs_data)).toBeTruthy();
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toContain([settingLabel('detection'), settingLabel('scan_images')].join(' → '));
  const name = `${settingLabel('scan_images')} (${t.mark})`;
  expect(screen.getByRole('combobox', { name })).toBeTruthy();
  expect(
    screen.getByRole('combobox', { name: settingLabel('is_hallucination_check_enabled') }),
  ).toBeTruthy();
});

it('lists definitions without content only, where every node has a model', async () => {
  await open(DETECTION, true);
  expect(await screen.findByText(t.reasons.needs_data)).toBeTruthy();
  expect(screen.queryByText(t.reasons.needs_model)).toBe(null);
});
