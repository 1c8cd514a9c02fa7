// Says that somebody else was quicker; comes into sight by itself, wherever the person has scrolled to.
import type { ReactNode } from 'react';

export function ConflictBox({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert" className="gw-conflict" ref={showWhole}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

const showWhole = (box: HTMLElement | null) => {
  box?.scrollIntoView({ block: 'nearest' });
};
