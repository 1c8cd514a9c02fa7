// Requests a trace and renders its steps.
import type { ReactNode } from 'react';
import { useResource } from '../api/tenant.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import type { Chain } from './address.ts';

interface ReadChainProps<Why> extends Pick<Chain, 'path' | 'topic'> {
  children: (why: Why) => ReactNode;
}

export function ReadChain<Why>({ path, topic, children }: ReadChainProps<Why>) {
  const answer = useResource<Why>(topic, path);
  const why = shownOf(answer);
  return (
    <>
      <Waiting answer={answer} />
      {why ? (
        <ol className="gw-why" data-testid="why">
          {children(why)}
        </ol>
      ) : null}
    </>
  );
}
