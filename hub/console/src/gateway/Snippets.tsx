// The snippets of an app as tabs: curl, Python, TypeScript and Claude Code.
import { Tabs } from '@mantine/core';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { connectTexts as t } from './connect-texts.ts';
import {
  claudeCodeSnippet,
  curlSnippet,
  pythonSnippet,
  type SnippetFacts,
  typescriptSnippet,
} from './snippets.ts';

const TABS = [
  { name: 'curl', label: 'curl', snippet: curlSnippet },
  { name: 'python', label: 'Python', snippet: pythonSnippet },
  { name: 'typescript', label: 'TypeScript', snippet: typescriptSnippet },
  { name: 'claude-code', label: 'Claude Code', snippet: claudeCodeSnippet },
] as const;

export function Snippets({ facts }: { facts: SnippetFacts }) {
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label={t.snippets}>
        {TABS.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map(({ name, label, snippet }) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Snippet label={label} text={snippet(facts)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Snippet({ label, text }: { label: string; text: string | null }) {
  if (text === null) return <p className="gw-flat">{t.noClaudeCode}</p>;
  return <CopyBlock label={label} text={text} />;
}
