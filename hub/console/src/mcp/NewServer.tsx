// Adds an MCP server: a choice from the catalog, then the form. The saved server is tested immediately.
import type { McpCatalogEntry } from '@gatewarden/shared/mcp-catalog.ts';
import type {
  Backend,
  BackendAnswer,
  BackendInput,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { Anchor, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  useAllOf,
  useReload,
  useTenant,
  useTenantCreation,
  useTenantWrite,
} from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { CatalogPicker } from './CatalogPicker.tsx';
import { toEntryValues } from './catalog-values.ts';
import { publishTexts } from './publish-texts.ts';
import { ServerForm } from './ServerForm.tsx';
import { EMPTY_SERVER, type ServerValues, toServerInput } from './server-values.ts';

const words = texts.mcp.servers;

/** Returns the slugs of all servers. */
export const useTakenSlugs = (): string[] =>
  useAllOf<Backend>('mcp', '/mcp/backends').map(({ slug }) => slug);

export function NewServer({ onClose }: { onClose: () => void }) {
  const [picked, setPicked] = useState<McpCatalogEntry | null | undefined>(undefined);
  const taken = useTakenSlugs();
  return (
    <Dialog title={words.newTitle} wide onClosed={onClose}>
      {(close) =>
        picked === undefined ? (
          <CatalogPicker onPick={setPicked} />
        ) : (
          <div className="gw-form">
            <NewServerStep entry={picked} onBack={() => setPicked(undefined)} />
            <NewServerForm
              initial={picked === null ? EMPTY_SERVER : toEntryValues(picked, taken)}
              submitText={words.create}
              onClose={close}
            />
          </div>
        )
      }
    </Dialog>
  );
}

function NewServerStep({ entry, onBack }: { entry: McpCatalogEntry | null; onBack: () => void }) {
  const t = publishTexts.catalog;
  return (
    <div>
      <div className="gw-row-actions">
        {entry === null ? null : (
          <Anchor
            href={entry.docs}
            target="_blank"
            rel="noreferrer"
            aria-label={t.docsLabel(entry.name)}
          >
            {t.docs}
          </Anchor>
        )}
        <Button size="xs" variant="default" onClick={onBack}>
          {t.back}
        </Button>
      </div>
      {entry?.url === null ? <p className="gw-flat gw-dimmed">{t.selfHosted}</p> : null}
    </div>
  );
}

interface NewServerFormProps {
  initial: ServerValues;
  submitText: string;
  onClose: () => void;
}

/** Saves the server, tests it without a wait, and opens its page. */
export function NewServerForm({ initial, submitText, onClose }: NewServerFormProps) {
  const create = useTenantCreation();
  const write = useTenantWrite();
  const reload = useReload();
  const { tenantId } = useTenant();
  const navigate = useNavigate();
  const save = async (values: ServerValues) => {
    const body = toServerInput(values) as BackendInput;
    const { backend } = await create<BackendAnswer>('/mcp/backends', { body, as: 'backend' });
    notifications.show({ color: 'teal', message: words.created });
    reload('mcp');
    onClose();
    // The page of the server shows the result as its health, so an error is ignored here.
    write('POST', `/mcp/backends/${backend.id}/test`).then(
      () => reload('mcp'),
      () => undefined,
    );
    void navigate({
      to: '/t/$tenantId/gateway/mcp-servers/$backendId',
      params: { tenantId, backendId: backend.id },
    });
  };
  return (
    <ServerForm
      original={null}
      initial={initial}
      submitText={submitText}
      onCancel={onClose}
      save={save}
    />
  );
}
