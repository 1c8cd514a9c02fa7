// What went wrong, with the code and the request id that an operator asks for, and a way to try again.
import { Button } from '@mantine/core';
import { ApiError } from '../api/client.ts';
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
          {texts.errors.code}: <code className="gw-mono">{error.code}</code>
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

/** The code and the request id in one line, for where there is no panel; null where there is neither. */
export function factsOf(error: unknown): string | null {
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
