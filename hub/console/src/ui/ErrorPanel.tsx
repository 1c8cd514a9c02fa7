// An error: a sentence, the request id to copy, the code, and a way to try again.
import { Button, CopyButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { use } from 'react';
import { ApiError } from '../api/client.ts';
import { TenantContext } from '../api/tenant.ts';
import { texts } from '../texts.ts';

interface ErrorPanelProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

export function ErrorPanel({ error, title = texts.errors.title, onRetry }: ErrorPanelProps) {
  return (
    <div className="gw-error" role="alert">
      <strong>{title}</strong>
      <div>{messageOf(error)}</div>
      {error instanceof ApiError ? (
        <div className="gw-error-facts">
          {error.requestId === null ? null : <RequestId id={error.requestId} />}
          <span>
            {texts.errors.code}: <Code error={error} />
          </span>
        </div>
      ) : null}
      {onRetry === undefined ? null : (
        <Button variant="default" size="xs" onClick={onRetry}>
          {texts.ui.retry}
        </Button>
      )}
    </div>
  );
}

/** The request id with a copy button: an operator finds the error in the log by it. */
function RequestId({ id }: { id: string }) {
  return (
    <span>
      {texts.errors.requestId}: <code className="gw-mono">{id}</code>{' '}
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={texts.errors.copyRequestId}
            onClick={copy}
          >
            {copied ? texts.ui.copied : texts.ui.copy}
          </Button>
        )}
      </CopyButton>
    </span>
  );
}

/**
 * A link to the explanation of an error code of the hub. It opens in a new tab, because a form on the page would lose its
 * input.
 */
function Code({ error }: { error: ApiError }) {
  const tenant = use(TenantContext);
  const code = <code className="gw-mono">{error.code}</code>;
  if (tenant === null || error.requestId === null) return code;
  return (
    <Link
      to="/t/$tenantId/settings/api-reference/errors/$code"
      params={{ tenantId: tenant.tenantId, code: error.code }}
      target="_blank"
      className="gw-link"
      title={texts.errors.codeHint}
    >
      {code}
    </Link>
  );
}

/** Returns the error on a single line, with the code and the request id if known. */
export function noticeOf(error: unknown): string {
  const facts = factsOf(error);
  return facts === null ? messageOf(error) : `${messageOf(error)} ${facts}`;
}

function factsOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { code, requestId } = error;
  const facts = `${texts.errors.code}: ${code}`;
  return requestId === null ? facts : `${texts.errors.requestId}: ${requestId} · ${facts}`;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.unexpected;
  if (error.status === 0) return texts.errors.unreachable;
  if (error.status === 403 && error.message === '') return texts.errors.forbidden;
  // A pointer into the address means nothing to people who followed a link.
  if (/^\/(path|query|header)\//.test(error.message)) return texts.errors.badAddress;
  return error.message === '' ? texts.errors.notFound : error.message;
}
