// The prompts of an app, with dialogs that create, change and delete a prompt. A change shows its difference.
import { PROMPT_ID_PATTERN, type Prompt } from '@gatewarden/shared/wire/management/apps.ts';
import { Button, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken, isStatus, Overtaken } from '../api/client.ts';
import { rowsOf, useList, useMayAdminister, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Time } from '../ui/Time.tsx';
import { appPath, secondsToIso } from './app-path.ts';
import { Diff } from './Diff.tsx';
import { useReloadGateway } from './reload-gateway.ts';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.prompts;
type OpenDialog =
  | { kind: 'edit'; prompt: Prompt | null }
  | { kind: 'delete'; prompt: Prompt }
  | null;

export function AppPrompts({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const list = useList<Prompt>('gateway', '/gateway/app/prompts', { app_name: app.name });
  const close = () => setOpened(null);
  const findStored = (was: Prompt) =>
    rowsOf(list).find(({ prompt_id }) => prompt_id === was.prompt_id) ?? was;
  return (
    <Section
      title={gatewayTexts.apps.tabs.prompts}
      aside={
        mayAdminister ? (
          <Button size="xs" onClick={() => setOpened({ kind: 'edit', prompt: null })}>
            {t.new}
          </Button>
        ) : undefined
      }
    >
      <ListView
        bare
        list={list}
        caption={gatewayTexts.apps.tabs.prompts}
        rowKey={(row) => row.prompt_id}
        rowTestId="prompt-row"
        empty={<Empty title={t.empty} text={t.emptyText} />}
        columns={[
          ...COLUMNS,
          {
            key: 'actions',
            header: texts.ui.actions,
            hiddenHeader: true,
            align: 'end',
            render: (prompt) =>
              mayAdminister ? (
                <div className="gw-row-actions">
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setOpened({ kind: 'edit', prompt })}
                  >
                    {t.edit}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setOpened({ kind: 'delete', prompt })}
                  >
                    {t.delete}
                  </Button>
                </div>
              ) : null,
          },
        ]}
      />
      {opened?.kind === 'edit' ? (
        <EditPrompt app={app} prompt={opened.prompt} onClosed={close} />
      ) : null}
      {opened?.kind === 'delete' ? (
        <DeletePrompt app={app} prompt={findStored(opened.prompt)} onClosed={close} />
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<Prompt>[] = [
  { key: 'id', header: t.id, render: (row) => <Name value={row.prompt_id} mono /> },
  {
    key: 'content',
    header: t.content,
    weight: 3,
    render: (row) => <Name value={row.content.replace(/\s+/g, ' ')} clamp />,
  },
  {
    key: 'changed',
    header: t.changed,
    render: (row) => <Time at={secondsToIso(row.updated_at)} />,
  },
];

const promptPath = (app: GatewayApp, id: string) =>
  appPath(app.name, `/prompts/${encodeURIComponent(id)}`);

interface PromptProps<P> {
  app: GatewayApp;
  prompt: P;
  onClosed: () => void;
}

/**
 * Returns a function that writes a prompt, or deletes it if `next` is null. The stored text must equal `seen` (null: no
 * prompt) or already `next`. The app's version is read first, because the list may be older than the app. Throws Overtaken
 * on a conflict, after `onConflict` has received the stored text.
 */
function useConditionalWrite(app: GatewayApp, id: string) {
  const read = useTenantRead();
  const write = useTenantWrite();
  const readContent = async () => {
    try {
      return (await read<{ prompt: Prompt }>(promptPath(app, id))).prompt.content;
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  };
  return async (
    { seen, wanted: next }: { seen: string | null; wanted: string | null },
    onConflict: (stored: string | null) => void = () => undefined,
  ) => {
    // The version is read before the text, so that the hub rejects the write if the text changes in between.
    const { version } = (await read<{ app: GatewayApp }>(appPath(app.name))).app;
    const stored = await readContent();
    if (stored !== seen && stored !== next) {
      onConflict(stored);
      throw new Overtaken();
    }
    if (next === null && stored === null) return;
    const sent = next === null ? {} : { body: { content: next } };
    const method = next === null ? 'DELETE' : 'PUT';
    try {
      await write(method, promptPath(app, id), { ...sent, ifMatch: version });
    } catch (error) {
      // The next attempt reads the text if this read fails.
      if (isOvertaken(error)) await readContent().then(onConflict, () => undefined);
      throw error;
    }
  };
}

function EditPrompt({ app, prompt, onClosed }: PromptProps<Prompt | null>) {
  const [id, setId] = useState(prompt?.prompt_id ?? '');
  const [content, setContent] = useState(prompt?.content ?? '');
  /** The stored text that the user sees and replaces; null for a new prompt. */
  const [seen, setSeen] = useState(prompt?.content ?? null);
  const reloadGateway = useReloadGateway();
  const writeIfUnchanged = useConditionalWrite(app, id);
  const store = useMutation({
    mutationFn: () => writeIfUnchanged({ seen, wanted: content }, setSeen),
    onSuccess: () => notifications.show({ color: 'teal', message: t.stored }),
    onSettled: () => reloadGateway(),
  });
  const isBadId = id !== '' && !new RegExp(PROMPT_ID_PATTERN).test(id);
  return (
    <Dialog wide title={prompt?.prompt_id ?? t.new} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBadId && content !== '') store.mutate(undefined, { onSuccess: close });
          }}
        >
          {prompt === null ? (
            <TextInput
              label={t.id}
              description={t.idHint}
              required
              data-autofocus
              maxLength={200}
              spellCheck={false}
              value={id}
              error={isBadId ? t.badId : null}
              onChange={(event) => {
                setId(event.currentTarget.value);
                setSeen(null);
              }}
            />
          ) : null}
          <Textarea
            label={t.content}
            required
            autosize
            minRows={6}
            maxRows={20}
            value={content}
            onChange={(event) => setContent(event.currentTarget.value)}
          />
          {seen !== null && seen !== content ? (
            <Diff label={t.difference} before={seen} after={content} />
          ) : null}
          <Refusal
            error={store.error}
            conflict={prompt === null && seen !== null ? t.taken : t.conflict}
            conflictTitle={gatewayTexts.apps.conflictTitle}
          />
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={store.isPending}>
              {t.store}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function DeletePrompt({ app, prompt, onClosed }: PromptProps<Prompt>) {
  const reloadGateway = useReloadGateway();
  const writeIfUnchanged = useConditionalWrite(app, prompt.prompt_id);
  const remove = () => writeIfUnchanged({ seen: prompt.content, wanted: null });
  return (
    <ConfirmDialog
      title={t.deleteTitle(prompt.prompt_id)}
      name={prompt.content}
      text={t.deleteText}
      action={t.delete}
      run={() => remove().finally(reloadGateway)}
      done={t.deleted}
      onClose={onClosed}
    />
  );
}
