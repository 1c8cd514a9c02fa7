// Names and values as a description list.
import type { ReactNode } from 'react';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="gw-facts">{children}</dl>;
}

interface FactProps {
  name: string;
  /** Takes the whole line: ids and paths. */
  wide?: boolean;
  children: ReactNode;
}

export function Fact({ name, wide = false, children }: FactProps) {
  return (
    <div className={wide ? 'gw-wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
