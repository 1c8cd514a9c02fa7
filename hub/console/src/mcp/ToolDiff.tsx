// Two definitions of a tool side by side, with what differs marked.
import { texts } from '../texts.ts';
import { compared, type Line, shown } from './diff.ts';

const words = texts.mcp.tools;
type Definition = Record<string, unknown> | null;

export function ToolDiff({ before, after }: { before: Definition; after: Definition }) {
  const [then, now] = compared(shown(before), shown(after));
  return (
    <div className="gw-diff">
      <Side title={words.before} lines={then} mark="del" />
      <Side title={words.now} lines={now} mark="ins" />
    </div>
  );
}

function Side({
  title,
  lines,
  mark: Mark,
}: {
  title: string;
  lines: readonly Line[];
  mark: 'ins' | 'del';
}) {
  return (
    <div>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p className="gw-flat gw-dimmed">{words.nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reachable by keyboard
        <pre className="gw-mono" tabIndex={0}>
          {lines.map((line, i) =>
            line.differs ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
              <Mark key={i}>{line.text}</Mark>
            ) : (
              `${line.text}\n`
            ),
          )}
        </pre>
      )}
    </div>
  );
}
