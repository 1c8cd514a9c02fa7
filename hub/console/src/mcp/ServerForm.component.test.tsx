// The form of an MCP server: errors at their fields, a credential that is never shown, and concurrent changes.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart } from '../testing/render.tsx';
import { respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ServerForm } from './ServerForm.tsx';
import { type ServerValues, toServerPatch } from './server-values.ts';

const t = texts.mcp.server;
const URL_LABEL = texts.mcp.servers.url;

const aServer = (fields: Partial<Backend> = {}) =>
  ({
    ...{ id: 'b1', slug: 'files', name: 'Files', url: 'https://mcp.example.com/mcp' },
    ...{ auth: { kind: 'shared', has_secret: true }, tools: null, drift: 'flag', same_as: [] },
    ...{ idle_timeout_seconds: 60, total_timeout_seconds: 600, headers: [{ name: 'X-Org' }] },
    ...{ enabled: true, version: '"1"' },
    ...fields,
  }) as Backend;

type Save = (values: ServerValues, current: Backend | null) => Promise<void>;

async function openForm(original: Backend | null, save: Save) {
  const { user } = await renderPart(
    <ServerForm original={original} submitText="Save" save={save} onCancel={() => undefined} />,
  );
  const field = (label: string) => screen.getByRole('textbox', { name: label }) as HTMLInputElement;
  const submit = () => user.click(screen.getByRole('button', { name: 'Save' }));
  return { user, field, submit };
}

it('requires name, short name and address at their fields', async () => {
  const save = vi.fn<Save>(async () => undefined);
  const { field, submit } = await openForm(null, save);
  await submit();
  for (const [label, text] of [
    [texts.mcp.servers.name, t.nameNeeded],
    [t.slug, t.slugNeeded],
    [URL_LABEL, t.urlNeeded],
  ] as const) {
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(save).not.toHaveBeenCalled();
});

it('rejects invalid timeouts and header lines', async () => {
  const { user, field, submit } = await openForm(aServer(), async () => undefined);
  await user.clear(field(t.idleTimeout));
  await user.type(field(t.idleTimeout), '0');
  await user.type(field(t.headers), '\nX-New');
  await submit();
  expect(screen.getByText(t.timeoutNeeded)).toBeTruthy();
  expect(screen.getByText(t.headersNeeded)).toBeTruthy();
});

it('shows no stored credential and sends only a typed credential', async () => {
  const save = vi.fn<Save>(async () => undefined);
  const { submit } = await openForm(aServer(), save);
  expect(screen.getByLabelText(new RegExp(`^${t.secret}`))).toHaveProperty('value', '');
  expect(screen.getByText(t.secretKeep)).toBeTruthy();
  await submit();
  const [values] = save.mock.calls[0] ?? [];
  expect(JSON.stringify(toServerPatch(values as ServerValues, aServer()))).not.toContain('secret');
});

it('keeps a typed name and takes over concurrent changes of other fields', async () => {
  const save = vi.fn<Save>(async () => undefined);
  save.mockRejectedValueOnce(new ApiError(412, 'version_conflict', 'changed', 'r1'));
  respondWith('GET /mcp/backends/b1', {
    backend: aServer({ name: 'their name', slug: 'second', version: '"2"' }),
  });
  const { user, field, submit } = await openForm(aServer(), save);
  await user.clear(field(texts.mcp.servers.name));
  await user.type(field(texts.mcp.servers.name), 'mine');
  await submit();
  await screen.findByText(editConflictTexts.title);
  expect(screen.getByText('their name', { exact: false })).toBeTruthy();
  expect(field(texts.mcp.servers.name).value).toBe('mine');
  expect(field(t.slug).value).toBe('second');
  await submit();
  const [values, standing] = save.mock.calls[1] ?? [];
  expect([values?.name, values?.slug, standing?.version]).toEqual(['mine', 'second', '"2"']);
});

it('removes a typed credential after a concurrent change of the address', async () => {
  const address = 'https://elsewhere.example/mcp';
  respondWith('GET /mcp/backends/b1', { backend: aServer({ url: address, version: '"2"' }) });
  const { user, submit } = await openForm(aServer(), () =>
    Promise.reject(new ApiError(412, 'version_conflict', 'changed', 'r1')),
  );
  const secret = screen.getByLabelText(new RegExp(`^${t.secret}`));
  await user.type(secret, 'typed');
  await submit();
  await screen.findByText(editConflictTexts.secretTakenOut(address));
  expect(secret).toHaveProperty('value', '');
});
