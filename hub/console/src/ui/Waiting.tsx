// What a page shows of one answer until it is there: that it is under way, or why it did not come.
import { texts } from '../texts.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import { Skeletons } from './ListView.tsx';

interface WaitingProps {
  answer: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };
}

export function Waiting({ answer }: WaitingProps) {
  return (
    <>
      {answer.isError ? (
        <div className="gw-card">
          <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />
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
