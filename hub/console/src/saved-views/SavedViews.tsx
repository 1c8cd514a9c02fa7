// The saved views of a list: named filters of the signed-in user, chosen from a menu, saved and deleted in a dialog.
import { foldName } from '@gatewarden/shared/names.ts';
import type {
  SavedView,
  SavedViewAnswer,
  SavedViewsAnswer,
  ViewList,
} from '@gatewarden/shared/wire/console/saved-views.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { topicKey } from '../api/keys.ts';
import type { QueryParams } from '../api/query-string.ts';
import { useResource, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { visible } from '../ui/visible.ts';
import { viewTexts as t } from './texts.ts';

type StoredSearch = Readonly<Record<string, string>>;

export interface SavedViewsProps {
  list: ViewList;
  /** The filters and the order in force. */
  search: QueryParams;
  /** Returns the parameters of a saved view that the page knows. */
  parse: (search: StoredSearch) => QueryParams;
  onView: (search: StoredSearch) => void;
}

export function SavedViews({ list, search, parse, onView }: SavedViewsProps) {
  const [isSaving, setSaving] = useState(false);
  const answer = useResource<SavedViewsAnswer>('applications', '/own/views', {}, 'aside');
  const views = (answer.data?.items ?? []).filter((view) => view.list === list);
  const shown = views.find((view) => isSame(parse(view.search), search));
  return (
    <>
      {views.length === 0 ? null : (
        <NativeSelect
          size="xs"
          aria-label={t.views}
          value={shown?.view_id ?? ''}
          data={[
            { value: '', label: t.noView },
            ...views.map((view) => ({ value: view.view_id, label: visible(view.name) })),
          ]}
          onChange={(event) => {
            const chosen = views.find((view) => view.view_id === event.currentTarget.value);
            if (chosen === undefined) return;
            onView(chosen.search);
            const known = parse(chosen.search);
            const lost = Object.keys(chosen.search).filter((key) => known[key] === undefined);
            // Without its filter a view shows more than its name promises.
            if (lost.length > 0) notifications.show({ color: 'yellow', message: t.viewLost(lost) });
          }}
        />
      )}
      <Button size="xs" variant="default" onClick={() => setSaving(true)}>
        {t.saveView}
      </Button>
      {isSaving ? (
        <Dialog title={t.saveView} onClosed={() => setSaving(false)}>
          {(close) => <SaveForm list={list} search={search} views={views} onSaved={close} />}
        </Dialog>
      ) : null}
    </>
  );
}

/** Returns whether both have the same filters, in any order. */
const isSame = (first: QueryParams, second: QueryParams): boolean =>
  [...new Set([...Object.keys(first), ...Object.keys(second)])].every(
    (key) => first[key] === second[key],
  );

interface SaveFormProps {
  list: ViewList;
  search: QueryParams;
  views: readonly SavedView[];
  onSaved: () => void;
}

function SaveForm({ list, search, views, onSaved }: SaveFormProps) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const reload = () =>
    queries.invalidateQueries({ queryKey: topicKey(tenantId, 'applications', '/own/views') });
  const save = useMutation({
    mutationFn: () => {
      const stored = Object.entries(search).flatMap(([key, value]) =>
        value === undefined || value === null ? [] : [[key, String(value)]],
      );
      return write<SavedViewAnswer>('POST', '/own/views', {
        body: { list, name: name.trim(), search: Object.fromEntries(stored) },
      });
    },
    onSuccess: async () => {
      await reload();
      notifications.show({ color: 'teal', message: t.viewSaved });
      onSaved();
    },
  });
  const remove = useMutation({
    mutationFn: (viewId: string) => write('DELETE', `/own/views/${viewId}`),
    onSuccess: () => notifications.show({ color: 'teal', message: t.viewDeleted }),
    // A view that was deleted elsewhere is removed from the page, too.
    onSettled: reload,
  });
  const isTaken = views.some((view) => foldName(view.name) === foldName(name));
  const error = save.error ?? remove.error;
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save.mutate();
      }}
    >
      <TextInput
        label={t.viewName}
        required
        maxLength={64}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isTaken ? <p className="gw-dimmed gw-flat">{t.viewTaken}</p> : null}
      {error === null ? null : <ErrorPanel error={error} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button type="submit" loading={save.isPending}>
          {t.saveView}
        </Button>
      </div>
      {views.map((view) => (
        <Button
          key={view.view_id}
          size="xs"
          variant="default"
          disabled={remove.isPending}
          onClick={() => remove.mutate(view.view_id)}
        >
          {t.deleteView(view.name)}
        </Button>
      ))}
    </form>
  );
}
