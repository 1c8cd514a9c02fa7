// The notice of an edit conflict. It scrolls into view when it appears.
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
