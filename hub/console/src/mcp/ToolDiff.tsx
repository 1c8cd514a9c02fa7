// Two definitions of a tool side by side, with marked differences.
import { texts } from '../texts.ts';
import { compareLines, type Line, printDefinition } from './diff.ts';

const words = texts.mcp.tools;
type Definition = Record<string, unknown> | null;

export function ToolDiff({ before, after }: { before: Definition; after: Definition }) {
  const [then, now] = compareLines(printDefinition(before), printDefinition(after));
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus
        <pre className="gw-mono" tabIndex={0}>
          {lines.map((line, i) =>
            line.differs ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key, and never move
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
