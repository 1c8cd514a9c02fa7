// The catalog of well-known MCP servers: a choice fills the form of a new server.
import { MCP_CATALOG, type McpCatalogEntry } from '@gatewarden/shared/mcp-catalog.ts';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Badge } from '../ui/Badges.tsx';
import { searchCatalog } from './catalog-values.ts';
import { publishTexts } from './publish-texts.ts';
import './mcp.css';

const words = publishTexts.catalog;

/** `onPick` receives null for a server that the catalog lacks. */
export function CatalogPicker({ onPick }: { onPick: (entry: McpCatalogEntry | null) => void }) {
  const [search, setSearch] = useState('');
  const matches = searchCatalog(MCP_CATALOG, search);
  const isRemote = ({ url }: McpCatalogEntry) => url !== null;
  // Remote servers come first, because they can be published immediately.
  const entries = [...matches.filter(isRemote), ...matches.filter((entry) => !isRemote(entry))];
  return (
    <div className="gw-form">
      <TextInput
        type="search"
        label={words.search}
        maxLength={100}
        data-autofocus
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul className="gw-plain-list gw-catalog" aria-label={words.title}>
        <li>
          <button type="button" className="gw-catalog-entry" onClick={() => onPick(null)}>
            <strong>{words.custom}</strong>
            <span className="gw-dimmed gw-small">{words.customText}</span>
          </button>
        </li>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              className="gw-catalog-entry"
              data-testid="catalog-entry"
              onClick={() => onPick(entry)}
            >
              <span className="gw-catalog-name">
                <strong>{entry.name}</strong>
                <Badge tone={entry.url === null ? 'plain' : 'info'}>
                  {entry.url === null ? words.local : words.remote}
                </Badge>
              </span>
              <span className="gw-dimmed gw-small">{entry.description}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="gw-flat gw-dimmed" role="status">
        {entries.length === 0 ? words.empty : ''}
      </p>
    </div>
  );
}
