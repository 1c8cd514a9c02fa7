// What a page shows of one answer until it is there: that it is under way, or why it did not come.
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
 * What is shown of an answer: also what was read before, where it could not be read again, so that nothing which is being
 * filled in goes; but nothing that is gone, or no longer theirs to see.
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
