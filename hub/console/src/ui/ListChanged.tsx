// The notice that other users changed a list with several loaded pages. At the start of the list the first page is reloaded;
// elsewhere the rows stay until the user reloads.
import { Button } from '@mantine/core';
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { List } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { standsAtTop } from './list-place.ts';

export function ListChanged<Row>({
  list,
  frame,
}: {
  list: List<Row>;
  frame: RefObject<HTMLElement | null>;
}) {
  const { isBehind, beginAnew } = list;
  const [isTold, setTold] = useState(false);
  const first = list.data?.pages[0]?.items.length ?? 0;
  const all = list.data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  useLayoutEffect(() => {
    if (!isBehind) setTold(false);
    else if (isTold) return;
    else if (isLeftAlone(frame.current, first, all)) beginAnew();
    else setTold(true);
  }, [isBehind, isTold, beginAnew, frame, first, all]);
  return (
    <div role="status" className="gw-list-changed" data-empty={isTold ? undefined : ''}>
      {isTold ? (
        <>
          {texts.ui.listChanged}
          <Button
            size="compact-sm"
            onClick={() => {
              frame.current?.focus({ preventScroll: true });
              void list.refetch();
            }}
          >
            {texts.ui.showChanges}
          </Button>
        </>
      ) : null}
    </div>
  );
}

/** Returns whether the list may be reloaded: scrolled to its start, and no focus in a row that could be removed. */
function isLeftAlone(frame: HTMLElement | null, first: number, all: number): boolean {
  const focused = document.activeElement;
  if (frame === null || (focused !== frame && frame.contains(focused))) return false;
  const { top, height } = frame.getBoundingClientRect();
  return standsAtTop({ top, height, firstShare: first / all, sight: window.innerHeight });
}
