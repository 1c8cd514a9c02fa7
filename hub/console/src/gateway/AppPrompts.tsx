// The prompts of an app: written, changed with the difference in sight, deleted.
import { PROMPT_ID_PATTERN, type Prompt } from '@gatewarden/shared/wire/management/apps.ts';
import { Button, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useList, useMayAdminister, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Time } from '../ui/Time.tsx';
import { useAfterGateway } from './after-gateway.ts';
import { appPath, isoOf } from './app-path.ts';
import { Diff } from './Diff.tsx';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.prompts;
type Opened = { kind: 'edit'; prompt: Prompt | null } | { kind: 'delete'; prompt: Prompt } | null;

export function AppPrompts({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<Opened>(null);
  const list = useList<Prompt>('gateway', '/gateway/app/prompts', { app_name: app.name });
  const close = () => setOpened(null);
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
        <DeletePrompt app={app} prompt={opened.prompt} onClosed={close} />
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
    // Its beginning, in one line.
    render: (row) => <Name value={row.content.replace(/\s+/g, ' ')} clamp />,
  },
  { key: 'changed', header: t.changed, render: (row) => <Time at={isoOf(row.updated_at)} /> },
];

const promptPath = (app: GatewayApp, id: string) =>
  appPath(app.name, `/prompts/${encodeURIComponent(id)}`);

interface PromptProps<P> {
  app: GatewayApp;
  prompt: P;
  onClosed: () => void;
}

/** What the person sees that theirs comes in the place of; a prompt is stored against its app's version. */
interface Seen {
  version: string;
  /** Null: there is none. */
  content: string | null;
}

class Taken extends Error {}

/** Reads what stands now. The version first: a text that came after it is refused, and not overwritten. */
function useStanding(app: GatewayApp, id: string) {
  const read = useTenantRead();
  return async (): Promise<Seen> => {
    const { version } = (await read<{ app: GatewayApp }>(appPath(app.name))).app;
    try {
      const { prompt } = await read<{ prompt: Prompt }>(promptPath(app, id));
      return { version, content: prompt.content };
    } catch (error) {
      if (isStatus(error, 404)) return { version, content: null };
      throw error;
    }
  };
}

function EditPrompt({ app, prompt, onClosed }: PromptProps<Prompt | null>) {
  const [id, setId] = useState(prompt?.prompt_id ?? '');
  const [content, setContent] = useState(prompt?.content ?? '');
  const [seen, setSeen] = useState<Seen>({
    version: app.version,
    content: prompt?.content ?? null,
  });
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const readStanding = useStanding(app, id);
  const store = useMutation({
    mutationFn: async () => {
      let { version } = seen;
      // A new one does not take the place of another unseen.
      if (prompt === null && seen.content === null) {
        const standing = await readStanding();
        if (standing.content !== null) {
          setSeen(standing);
          throw new Taken();
        }
        version = standing.version;
      }
      return write('PUT', promptPath(app, id), { body: { content }, ifMatch: version });
    },
    onError: async (error) => {
      if (isStatus(error, 412)) setSeen(await readStanding().catch(() => seen));
    },
    onSuccess: () => notifications.show({ color: 'teal', message: t.stored }),
    onSettled: () => afterGateway(),
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
                setSeen({ ...seen, content: null });
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
          {seen.content !== null && seen.content !== content ? (
            <Diff label={t.difference} before={seen.content} after={content} />
          ) : null}
          <Refusal
            error={store.error}
            conflict={t.conflict}
            conflictTitle={gatewayTexts.apps.conflictTitle}
            known={store.error instanceof Taken ? t.taken : null}
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
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const remove = () => write('DELETE', promptPath(app, prompt.prompt_id), { ifMatch: app.version });
  return (
    <ConfirmDialog
      title={t.deleteTitle(prompt.prompt_id)}
      text={t.deleteText}
      action={t.delete}
      run={() => remove().finally(afterGateway)}
      done={t.deleted}
      onClose={onClosed}
    />
  );
}
