// Takes the filtered list elsewhere: a file, or a stream to a SIEM.
import type { ViewList } from '@gatewarden/shared/wire/console/saved-views.ts';
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { tenantPath } from '../api/client.ts';
import { type QueryParams, withQuery } from '../api/query-string.ts';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { SiemDialog } from './SiemDialog.tsx';
import { shellTexts as t } from './texts.ts';

interface ExportMenuProps {
  path: string;
  list: ViewList;
  filter: QueryParams;
}

export function ExportMenu({ path, list, filter }: ExportMenuProps) {
  const { tenantId } = useTenant();
  const [isSending, setSending] = useState(false);
  const download = `${tenantPath(tenantId)}${path}/download`;
  const file = (format: string) => withQuery(download, { ...filter, format });
  // The hourly command has its own period, and the hub rejects a second period.
  const { from: _from, to: _to, ...lasting } = filter;
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button size="xs" variant="default">
            {t.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={file('csv')} download>
            {texts.ui.downloadCsv}
          </Menu.Item>
          <Menu.Item component="a" href={file('json')} download>
            {texts.ui.downloadJson}
          </Menu.Item>
          <Menu.Item onClick={() => setSending(true)}>{t.siem}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isSending ? (
        <SiemDialog
          list={list}
          file={withQuery(download, { ...lasting, format: 'json' })}
          onClosed={() => setSending(false)}
        />
      ) : null}
    </>
  );
}
