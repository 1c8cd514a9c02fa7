// "Send to SIEM": recipes with this hub's address. LLM requests and tool calls have an export for collectors; the other lists
// are downloaded every hour.
import type { ViewList } from '@gatewarden/shared/wire/console/saved-views.ts';
import { SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { exportCommand, exportUrl } from '../logs/export-request.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { collectCommand, hourlyCommand, SHIPPER_FILES, SHIPPERS } from './siem-recipes.ts';
import { siemTexts as t } from './texts.ts';

interface SiemDialogProps {
  list: ViewList;
  /** The download of the list as JSON without a period, below the origin. */
  file: string;
  onClosed: () => void;
}

export function SiemDialog({ list, file, onClosed }: SiemDialogProps) {
  return (
    <Dialog wide title={t.title} onClosed={onClosed}>
      {() => (
        <div className="gw-form">
          {list === 'llm_requests' || list === 'tool_calls' ? (
            <ExportRecipes endpoint={list === 'llm_requests' ? 'llm' : 'mcp'} />
          ) : (
            <HourlyRecipe list={list} file={file} />
          )}
        </div>
      )}
    </Dialog>
  );
}

const WAYS = [...SHIPPERS, 'curl'] as const;
type Way = (typeof WAYS)[number];

function ExportRecipes({ endpoint }: { endpoint: 'llm' | 'mcp' }) {
  const { tenantId } = useTenant();
  const [way, setWay] = useState<Way>('filebeat');
  const { origin } = window.location;
  return (
    <>
      <p className="gw-flat">
        {t.keyFirst}{' '}
        <Link to="/t/$tenantId/settings/log-export" params={{ tenantId }} className="gw-link">
          {t.createKey}
        </Link>
      </p>
      <SegmentedControl
        size="xs"
        aria-label={t.recipe}
        value={way}
        data={WAYS.map((value) => ({ value, label: t.ways[value] }))}
        onChange={(value) => setWay(WAYS.find((known) => known === value) ?? way)}
      />
      {way === 'curl' ? (
        <CopyBlock
          label={t.command}
          text={exportCommand(exportUrl(origin, endpoint === 'llm' ? 'all_apps' : 'all_backends'))}
        />
      ) : (
        <>
          <p className="gw-flat">{t.collect}</p>
          <CopyBlock label={t.collector} text={collectCommand(origin, endpoint)} />
          <p className="gw-flat">{t.ship(t.ways[way])}</p>
          <CopyBlock label={t.ways[way]} text={SHIPPER_FILES[way]} />
        </>
      )}
      <a href="/docs/how-to/export-logs/" className="gw-link" target="_blank" rel="noreferrer">
        {t.more}
      </a>
    </>
  );
}

function HourlyRecipe({ list, file }: { list: ViewList; file: string }) {
  const { tenantId } = useTenant();
  return (
    <>
      <p className="gw-flat">{t.hourly}</p>
      <CopyBlock label={t.command} text={hourlyCommand(`${window.location.origin}${file}`)} />
      {list === 'alerts' ? (
        <p className="gw-flat">
          {t.channelFirst}{' '}
          <Link to="/t/$tenantId/settings/notifications" params={{ tenantId }} className="gw-link">
            {t.channel}
          </Link>
        </p>
      ) : null}
    </>
  );
}
