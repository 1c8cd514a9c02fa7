// A text of the hub's documents, in which backticks mark what is code.
import { visible } from '../ui/visible.ts';

export function Prose({ text }: { text: string }) {
  // One element: in a row that became a stack, each part would stand in a column of its own.
  return (
    <span>
      {text.split('`').map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name, and never move
          <code key={at} className="gw-mono">
            {visible(part)}
          </code>
        ) : (
          visible(part)
        ),
      )}
    </span>
  );
}
