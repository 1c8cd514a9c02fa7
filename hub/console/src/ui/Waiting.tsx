// The content of a query: loading, failed, or its data.
import { isStatus } from '../api/client.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import { Skeletons } from './ListView.tsx';

interface WaitingProps {
  answer: {
    data: unknown;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
}

/**
 * Returns the data to show: also earlier data after a failed reload, so that no form loses its input; but no data of a deleted
 * or forbidden record.
 */
export function shownOf<Data>(answer: {
  data: Data | undefined;
  error: unknown;
}): Data | undefined {
  const isTaken = [403, 404, 410].some((status) => isStatus(answer.error, status));
  return isTaken ? undefined : answer.data;
}

export function Waiting({ answer }: WaitingProps) {
  return (
    <>
      {answer.isError ? (
        <div className="gw-card">
          <ErrorPanel
            error={answer.error}
            title={shownOf(answer) === undefined ? texts.errors.title : texts.errors.notAgain}
            onRetry={() => void answer.refetch()}
          />
        </div>
      ) : null}
      {answer.isPending ? (
        <div className="gw-card">
          <Skeletons label={texts.ui.loading} />
        </div>
      ) : null}
    </>
  );
}
