// The toolbar of the app list: selection, saved views, downloads and keyboard shortcuts.

import { foldName } from '@gatewarden/shared/names.ts';
import type {
  SavedViewAnswer,
  SavedViewsAnswer,
} from '@gatewarden/shared/wire/console/saved-views.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { topicKey } from '../api/keys.ts';
import type { QueryParams } from '../api/query-string.ts';
import { useResource, useTenant, useTenantWrite } from '../api/tenant.ts';
import { applicationsSearch } from '../app/search.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { visible } from '../ui/visible.ts';
import { reviewTexts as words } from './review-texts.ts';

interface ReviewToolsProps {
  search: QueryParams;
  onView: (search: Record<string, string>) => void;
  onKeys: () => void;
}

export function ReviewTools({ search, onView, onKeys }: ReviewToolsProps) {
  return (
    <div className="gw-row-actions">
      <SavedViews search={search} onView={onView} />
      <Downloads path="/discovered-apps/download" filter={search} />
      <Button size="xs" variant="default" onClick={onKeys}>
        {words.keys}
      </Button>
    </div>
  );
}

/** Returns whether both contain the same filters, in any order. */
const isSame = (item: QueryParams, other: QueryParams) =>
  [...new Set([...Object.keys(item), ...Object.keys(other)])].every(
    (key) => item[key] === other[key],
  );

function SavedViews({ search, onView }: Pick<ReviewToolsProps, 'search' | 'onView'>) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const queries = useQueryClient();
  const [saving, setSaving] = useState(false);
  const [name, setName] = useState('');
  const answer = useResource<SavedViewsAnswer>('applications', '/own/views', {}, 'aside');
  const views = (answer.data?.items ?? []).filter((item) => item.list === 'applications');
  const shown = views.find((item) => isSame(applicationsSearch(item.search), search));
  const reload = () =>
    queries.invalidateQueries({ queryKey: topicKey(tenantId, 'applications', '/own/views') });
  const save = useMutation({
    mutationFn: () => {
      const kept = Object.entries(search).flatMap(([key, value]) =>
        value === undefined || value === null ? [] : [[key, String(value)]],
      );
      return write<SavedViewAnswer>('POST', '/own/views', {
        body: { list: 'applications', name: name.trim(), search: Object.fromEntries(kept) },
      });
    },
    onSuccess: async () => {
      await reload();
      notifications.show({ color: 'teal', message: words.viewSaved });
      setName('');
      setSaving(false);
    },
  });
  const remove = useMutation({
    mutationFn: (viewId: string) => write('DELETE', `/own/views/${viewId}`),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.viewDeleted });
    },
    // A view that was deleted elsewhere disappears here, too.
    onSettled: reload,
  });
  const isTaken = views.some((item) => foldName(item.name) === foldName(name));
  return (
    <>
      {views.length === 0 ? null : (
        <NativeSelect
          size="xs"
          aria-label={words.views}
          value={shown?.view_id ?? ''}
          data={[
            { value: '', label: words.noView },
            ...views.map((item) => ({ value: item.view_id, label: visible(item.name) })),
          ]}
          onChange={(event) => {
            const chosen = views.find((item) => item.view_id === event.currentTarget.value);
            if (chosen === undefined) return;
            onView(chosen.search);
            const kept: QueryParams = applicationsSearch(chosen.search);
            const gone = Object.keys(chosen.search).filter((key) => kept[key] === undefined);
            // A view without one of its filters would show more apps than its name suggests.
            if (gone.length > 0) {
              notifications.show({ color: 'yellow', message: words.viewLost(gone) });
            }
          }}
        />
      )}
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setSaving(true);
        }}
      >
        {words.saveView}
      </Button>
      {saving ? (
        <Dialog
          title={words.saveView}
          onClosed={() => {
            setSaving(false);
          }}
        >
          {() => (
            <form
              className="gw-form"
              onSubmit={(event) => {
                event.preventDefault();
                if (name.trim() !== '') save.mutate();
              }}
            >
              <TextInput
                label={words.viewName}
                required
                maxLength={64}
                value={name}
                data-autofocus
                onChange={(event) => {
                  setName(event.currentTarget.value);
                }}
              />
              {isTaken ? <p className="gw-dimmed gw-flat">{words.viewTaken}</p> : null}
              {save.isError ? (
                <ErrorPanel error={save.error} title={texts.errors.notSaved} />
              ) : null}
              {remove.isError ? (
                <ErrorPanel error={remove.error} title={texts.errors.notSaved} />
              ) : null}
              <div className="gw-form-end">
                <Button type="submit" loading={save.isPending}>
                  {words.saveView}
                </Button>
              </div>
              {views.map((item) => (
                <Button
                  key={item.view_id}
                  size="xs"
                  variant="default"
                  disabled={remove.isPending}
                  onClick={() => {
                    remove.mutate(item.view_id);
                  }}
                >
                  {words.deleteView(item.name)}
                </Button>
              ))}
            </form>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keysTitle} onClosed={onClose}>
      {() => (
        <dl className="gw-keys">
          {words.keyList.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  );
}
