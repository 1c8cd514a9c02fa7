// Sends a short request of an app through the gateway, and shows the answer with its latency and cost.
import type {
  TestRequest,
  TestRequestInput,
} from '@gatewarden/shared/wire/console/test-requests.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { usd } from '../logs/usd.ts';
import { Badge } from '../ui/Badges.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { visible } from '../ui/visible.ts';
import { connectTexts as t } from './connect-texts.ts';

interface TestRequestButtonProps {
  appKey: string;
  providerLabel: string;
  model: string;
}

export function TestRequestButton({ appKey, providerLabel, model }: TestRequestButtonProps) {
  const write = useTenantWrite();
  const send = useMutation({
    mutationFn: () => {
      const body: TestRequestInput = { app_key: appKey, provider_label: providerLabel, model };
      return write<{ test: TestRequest }>('POST', '/llm/test-requests', { body });
    },
  });
  return (
    <>
      <div className="gw-form-end">
        <Button
          variant="default"
          disabled={appKey === '' || model === ''}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {t.send}
        </Button>
      </div>
      <div role="status">
        {send.data === undefined ? null : <TestResult test={send.data.test} />}
      </div>
      {send.isError ? <ErrorPanel error={send.error} /> : null}
    </>
  );
}

const TONES = { answered: 'good', refused: 'bad', unreachable: 'bad' } as const;

function TestResult({ test }: { test: TestRequest }) {
  const { tenantId } = useTenant();
  const { outcome, status, text, gateway_request_id: id } = test;
  return (
    <div className="gw-test-result" data-testid="test-request-result">
      <Badge tone={TONES[outcome]}>{t.outcomes[outcome]}</Badge>
      {text === null ? null : <p className="gw-flat">{visible(text)}</p>}
      <Facts>
        <Fact name={t.latency}>{t.milliseconds(test.latency_ms)}</Fact>
        {outcome === 'answered' ? (
          <>
            <Fact name={t.tokens}>{t.tokenCounts(test.tokens_request, test.tokens_response)}</Fact>
            <Fact name={t.cost}>{test.cost_usd === null ? t.noPrice : usd(test.cost_usd)}</Fact>
          </>
        ) : null}
        {outcome !== 'refused' ? null : <Fact name={t.status}>{status}</Fact>}
      </Facts>
      {id === null ? null : (
        // A new tab, because the key of this page is shown once or typed in.
        <Link
          to="/t/$tenantId/activity/llm-requests"
          params={{ tenantId }}
          search={{ request_id: id }}
          target="_blank"
          rel="noreferrer"
          className="gw-link"
        >
          {t.openRequest}
        </Link>
      )}
    </div>
  );
}
