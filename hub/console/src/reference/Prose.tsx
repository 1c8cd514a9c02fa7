// A text of the hub's documents, with code in backticks.
import { visible } from '../ui/visible.ts';

export function Prose({ text }: { text: string }) {
  // A single element, because a stacked row would place each part in its own column.
  return (
    <span>
      {text.split('`').map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id, and never move
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
