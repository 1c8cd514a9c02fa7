// The request with which a collector reads the log export: its URL, and a curl command that can be pasted.
import type { ExportScope } from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { Section } from '../ui/Page.tsx';
import { exportCommand, exportUrl } from './export-request.ts';
import { logTexts } from './texts.ts';

const t = logTexts.keys;

/** The URL and the command for a key of this scope. */
export function ExportRequest({ scope }: { scope: ExportScope }) {
  const url = exportUrl(window.location.origin, scope);
  return (
    <>
      <CopyBlock label={t.url} text={url} />
      <CopyBlock label={t.command} text={exportCommand(url)} />
    </>
  );
}

export function HowToExport() {
  return (
    <Section title={t.how}>
      <div className="gw-form">
        <p className="gw-flat">
          {t.howText}{' '}
          <a href="/docs/how-to/export-logs/" className="gw-link" target="_blank" rel="noreferrer">
            {t.collectors}
          </a>
        </p>
        <strong>{t.llm}</strong>
        <ExportRequest scope="all_apps" />
        <strong>{t.mcp}</strong>
        <ExportRequest scope="all_backends" />
        <p className="gw-flat gw-dimmed">{t.otherLogs}</p>
      </div>
    </Section>
  );
}
