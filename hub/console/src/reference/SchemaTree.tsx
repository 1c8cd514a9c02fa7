// A schema as a tree: names with type and bounds; nested members expand.
import { visible } from '../ui/visible.ts';
import { Prose } from './Prose.tsx';
import type { SchemaNode } from './schema-tree.ts';
import { referenceTexts as t } from './texts.ts';
import './reference.css';

/** The root: its members are expanded. */
export function SchemaTree({ node }: { node: SchemaNode }) {
  if (node.children.length === 0) {
    return (
      <div className="gw-schema">
        <Line node={node} />
      </div>
    );
  }
  return (
    <>
      <p className="gw-flat gw-dimmed gw-small">
        <Said node={node} />
      </p>
      <Members nodes={node.children} />
    </>
  );
}

function Members({ nodes }: { nodes: readonly SchemaNode[] }) {
  return (
    <ul className="gw-schema">
      {nodes.map((node) => (
        <li key={node.name}>
          {node.children.length === 0 ? (
            <Line node={node} />
          ) : (
            <details>
              <summary>
                <Line node={node} />
              </summary>
              <Members nodes={node.children} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Line({ node }: { node: SchemaNode }) {
  return (
    <>
      {node.name === null ? null : <code className="gw-mono">{visible(node.name)}</code>}{' '}
      <span className="gw-dimmed gw-small">
        <Said node={node} />
      </span>
    </>
  );
}

/** Type, bounds and description on a single line. */
export function Said({ node }: { node: SchemaNode }) {
  const facts = [node.type, ...(node.name !== null && node.isRequired ? [t.required] : [])];
  return (
    <>
      {[...facts, ...node.notes].map(visible).join(' · ')}
      {node.values.length === 0 ? null : (
        <>
          {` · ${t.mayBe} `}
          <code className="gw-mono">{node.values.map(visible).join(' | ')}</code>
        </>
      )}
      {node.description === '' ? null : (
        <>
          {' — '}
          <Prose text={node.description} />
        </>
      )}
    </>
  );
}
