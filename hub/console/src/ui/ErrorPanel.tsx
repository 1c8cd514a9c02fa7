// What went wrong, with the code and the request id that an operator asks for, and a way to try again.
import { Button } from '@mantine/core';
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
          {texts.errors.code}: <Code error={error} />
          {error.requestId === null ? null : (
            <>
              {' · '}
              {texts.errors.requestId}: <code className="gw-mono">{error.requestId}</code>
            </>
          )}
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

/**
 * Leads to what the code means, where the hub said it: beside what the person was doing, for a form would lose what was
 * typed into it.
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

/** In one line, for where there is no panel: with the code and the request id, where there are such. */
export function noticeOf(error: unknown): string {
  const facts = factsOf(error);
  return facts === null ? messageOf(error) : `${messageOf(error)} ${facts}`;
}

function factsOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { code, requestId } = error;
  const facts = `${texts.errors.code}: ${code}`;
  return requestId === null ? facts : `${facts} · ${texts.errors.requestId}: ${requestId}`;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.unexpected;
  if (error.status === 0) return texts.errors.unreachable;
  if (error.status === 403 && error.message === '') return texts.errors.forbidden;
  return error.message === '' ? texts.errors.notFound : error.message;
}
