// The node that sent a row. Only the node knows the reasons of its decisions.
import type { SentBy } from '@gatewarden/shared/wire/console/call-why.ts';
import { Name } from '../ui/Name.tsx';
import { callWhyTexts as t } from './call-texts.ts';

export function SentByText({ sentBy }: { sentBy: SentBy }) {
  if (sentBy === null) return <div className="gw-dimmed">{t.sentBy.unknown}</div>;
  if (sentBy.kind === 'gateway') return <div>{t.sentBy.gateway}</div>;
  return (
    <div>
      {sentBy.node === null ? (
        t.sentBy.sharedNode
      ) : (
        <>
          {t.sentBy.node} <Name value={sentBy.node} />
        </>
      )}
      . {t.nodesWord}
    </div>
  );
}
