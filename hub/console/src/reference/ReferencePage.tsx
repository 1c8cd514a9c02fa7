// All operations of the hub by area, searchable by name, path and method.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTenant } from '../api/tenant.ts';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { found, type Operation, operationsOf, tagsOf } from './operations.ts';
import { referenceTexts as t } from './texts.ts';
import { DOCUMENT_PATH, useDocument } from './use-reference.ts';
import './reference.css';

const route = getRouteApi('/t/$tenantId/settings/api-reference');

export function ReferencePage() {
  const { tenantId } = useTenant();
  const answer = useDocument();
  const document = shownOf(answer);
  const operations = useMemo(
    () => (document === undefined ? null : operationsOf(document)),
    [document],
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <p className="gw-reference-links">
        <Link
          to="/t/$tenantId/settings/api-reference/errors"
          params={{ tenantId }}
          className="gw-link"
        >
          {t.codes}
        </Link>
        <a href={DOCUMENT_PATH} className="gw-link">
          {t.whole}
        </a>
      </p>
      <Waiting answer={answer} />
      {operations === null ? null : <Operations all={operations} />}
    </Page>
  );
}

function Operations({ all }: { all: readonly Operation[] }) {
  const { query, tag } = route.useSearch();
  const navigate = route.useNavigate();
  const tags = tagsOf(all);
  const shown = found(all, { query, tag });
  const isNarrowed = query !== undefined || tag !== undefined;
  return (
    <>
      <div className="gw-filters">
        <SearchBox
          label={t.query}
          placeholder={t.queryHint}
          value={query}
          onChange={(next) => void navigate({ search: { tag, query: next }, replace: true })}
        />
        <Filter
          label={t.tag}
          values={tags}
          names={Object.fromEntries(tags.map((item) => [item, tagLabel(item)]))}
          value={tag}
          onChange={(next) => void navigate({ search: { query, tag: next }, replace: true })}
        />
      </div>
      <p role="status" className="gw-dimmed gw-small">
        {t.found(shown.length)}
      </p>
      <div className="gw-card gw-section">
        {shown.length === 0 ? <Empty title={t.none} text={t.noneText} /> : null}
        {tagsOf(shown).map((item) => (
          // Search results are expanded; all areas together would be hundreds of lines.
          <details key={`${item} ${isNarrowed}`} className="gw-tag" open={isNarrowed}>
            <summary>
              {tagLabel(item)}{' '}
              <span className="gw-dimmed gw-small">
                {t.found(shown.filter((other) => other.tag === item).length)}
              </span>
            </summary>
            <OperationList operations={shown.filter((other) => other.tag === item)} />
          </details>
        ))}
      </div>
    </>
  );
}

/** Returns the name of a tag for people; an unknown tag keeps its own. */
const tagLabel = (tag: string): string => (tag === '' ? t.untagged : (t.tags[tag] ?? tag));

function OperationList({ operations }: { operations: readonly Operation[] }) {
  const { tenantId } = useTenant();
  return (
    <ul className="gw-operations">
      {operations.map((item) => (
        <li key={item.id} data-testid="operation-row">
          <Link
            to="/t/$tenantId/settings/api-reference/$operationId"
            params={{ tenantId, operationId: item.id }}
            className="gw-link"
          >
            {item.summary === '' ? item.id : item.summary}
          </Link>
          <span className="gw-mono gw-call">
            <span className="gw-method">{item.method}</span> <span>{item.path}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
