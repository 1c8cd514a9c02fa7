// The prompts of an app: a change applies only to the text that the user saw, however old the list is.
import type { Prompt } from '@gatewarden/shared/wire/management/apps.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { AppPrompts } from './AppPrompts.tsx';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.prompts;
const APP = { name: 'shop', version: 'v1' } as GatewayApp;
const PUT = 'PUT /gateway/app/prompts/greeting';
const DELETE = 'DELETE /gateway/app/prompts/greeting';

const aPrompt = (content: string) =>
  ({ prompt_id: 'greeting', content, updated_at: 1_770_000_000 }) as Prompt;

/** The list shows `listed`; the hub has `stored` by now, or no such prompt. */
async function openPrompts(listed: Prompt[], stored: Prompt | null) {
  respond('GET /gateway/app/prompts', () => listReply(listed));
  respondWith('GET /gateway/app', { app: { ...APP, version: 'v7' } });
  respond('GET /gateway/app/prompts/greeting', () =>
    stored === null ? refusal(404, 'not_found', '') : { status: 200, body: { prompt: stored } },
  );
  respondWith(PUT, {});
  respondWith(DELETE, {});
  const rendered = await renderPart(<AppPrompts app={APP} />);
  await screen.findByText(listed.length === 0 ? t.empty : 'greeting');
  return rendered;
}

const content = () => screen.getByRole('textbox', { name: t.content });
const store = () => screen.getByRole('button', { name: t.store });
const difference = () => screen.getByRole('region', { name: t.difference });

it('rejects a name with invalid characters', async () => {
  const { user } = await openPrompts([], null);
  await user.click(screen.getByRole('button', { name: t.new }));
  await user.type(await screen.findByRole('textbox', { name: t.id }), 'not good');
  expect(screen.getByText(t.badId)).toBeTruthy();
});

it('shows the difference before a change is stored', async () => {
  const { user } = await openPrompts([aPrompt('Hello')], aPrompt('Hello'));
  await user.click(screen.getByRole('button', { name: t.edit }));
  await screen.findByRole('dialog');
  expect(screen.queryByRole('region', { name: t.difference })).toBe(null);
  await user.type(content(), '!');
  expect(within(difference()).getByText('Hello').tagName).toBe('DEL');
  expect(within(difference()).getByText('Hello!').tagName).toBe('INS');
  await user.click(store());
  await screen.findByText(t.stored);
  expect(sentTo(PUT)).toMatchObject([
    { body: { content: 'Hello!' }, headers: { 'if-match': 'v7' } },
  ]);
});

it('keeps the typed text after a conflict, and compares it with the stored text', async () => {
  const { user } = await openPrompts([aPrompt('Hello')], aPrompt('Good day'));
  await user.click(screen.getByRole('button', { name: t.edit }));
  await screen.findByRole('dialog');
  await user.type(content(), '!');
  await user.click(store());
  await screen.findByText(t.conflict);
  expect(sentTo(PUT)).toEqual([]);
  expect(content()).toHaveProperty('value', 'Hello!');
  expect(within(difference()).getByText('Good day').tagName).toBe('DEL');
  await user.click(store());
  await screen.findByText(t.stored);
  expect(sentTo(PUT)[0]?.body).toEqual({ content: 'Hello!' });
});

it('does not overwrite a prompt of the same name that the user has not seen', async () => {
  const { user } = await openPrompts([], aPrompt('Good day'));
  await user.click(screen.getByRole('button', { name: t.new }));
  await user.type(await screen.findByRole('textbox', { name: t.id }), 'greeting');
  await user.type(content(), 'Hello');
  await user.click(store());
  await screen.findByText(t.taken);
  expect(within(difference()).getByText('Good day').tagName).toBe('DEL');
  expect(sentTo(PUT)).toEqual([]);
});

it('deletes only the text that the user saw', async () => {
  const { user } = await openPrompts([aPrompt('Hello')], aPrompt('Good day'));
  await user.click(screen.getByRole('button', { name: t.delete }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Hello')).toBeTruthy();
  respond('GET /gateway/app/prompts', () => listReply([aPrompt('Good day')]));
  await user.click(dialog.getByRole('button', { name: t.delete }));
  await dialog.findByText('Good day');
  expect(sentTo(DELETE)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: t.delete }));
  await screen.findByText(t.deleted);
  expect(sentTo(DELETE)).toHaveLength(1);
});
