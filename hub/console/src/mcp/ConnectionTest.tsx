// The test of a connection, before and after a server is saved, with the tools that the server lists.
import type {
  ConnectionTest,
  ConnectionTestAnswer,
} from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { publishTexts } from './publish-texts.ts';
import './mcp.css';

const words = publishTexts.test;

interface TestProps {
  /** The route of the test: of a saved server, or of settings. */
  path: string;
  /** Returns the settings to test; null if they are invalid, which the form shows. Absent for a saved server. */
  settings?: () => object | null;
}

export function TestConnection({ path, settings }: TestProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const test = useMutation({
    mutationFn: (body: object | undefined) =>
      write<ConnectionTestAnswer>('POST', path, body === undefined ? {} : { body }),
    onSettled: () => reload('mcp'),
  });
  return (
    <div className="gw-connection-result">
      <div>
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          onClick={() => {
            const body = settings?.();
            if (body !== null) test.mutate(body);
          }}
        >
          {words.run}
        </Button>
      </div>
      <div role="status" className="gw-connection-result">
        {test.data === undefined || test.isPending ? null : <Result test={test.data.test} />}
      </div>
      {test.isError ? <ErrorPanel error={test.error} /> : null}
    </div>
  );
}

const TONES: Record<ConnectionTest['outcome'], Tone> = {
  connected: 'good',
  sign_in_required: 'info',
  failed: 'bad',
};

function Result({ test }: { test: ConnectionTest }) {
  const { outcome, error, tools, latency_ms: latencyMs } = test;
  const texts = {
    connected: words.connectedText(tools.length, latencyMs),
    sign_in_required: words.signInText,
    failed: error ?? '',
  };
  return (
    <>
      <p className="gw-flat">
        <Badge tone={TONES[outcome]} dot>
          {words.outcomes[outcome]}
        </Badge>{' '}
        {texts[outcome]}
      </p>
      {outcome === 'connected' ? <Preview tools={tools} /> : null}
    </>
  );
}

function Preview({ tools }: Pick<ConnectionTest, 'tools'>) {
  if (tools.length === 0) return <p className="gw-flat gw-dimmed">{words.noTools}</p>;
  return (
    // The list scrolls, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus
    <section className="gw-test-tools" aria-label={words.tools} tabIndex={0}>
      <ul className="gw-plain-list" data-testid="previewed-tools">
        {tools.map(({ name, description }) => (
          <li key={name}>
            <Name value={name} mono />
            {description === null ? null : (
              <div className="gw-dimmed gw-small">
                <Name value={description} clamp />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
