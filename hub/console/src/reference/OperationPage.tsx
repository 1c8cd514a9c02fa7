// An operation: its access, parameters, responses, and an example request.
import { Tabs } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { examplesOf, LANGUAGES, type Language } from './examples.ts';
import { type Operation, operationsOf } from './operations.ts';
import { Prose } from './Prose.tsx';
import { Said, SchemaTree } from './SchemaTree.tsx';
import { treeOf } from './schema-tree.ts';
import { TryIt } from './TryIt.tsx';
import { referenceTexts as t } from './texts.ts';
import { useDocument } from './use-reference.ts';
import type { ApiDocument, Security } from './wire.ts';
import './reference.css';

const route = getRouteApi('/t/$tenantId/settings/api-reference/$operationId');

interface PartProps {
  document: ApiDocument;
  operation: Operation;
}

export function OperationPage() {
  const { tenantId } = useTenant();
  const { operationId } = route.useParams();
  const answer = useDocument();
  const document = shownOf(answer);
  const operation =
    document === undefined
      ? undefined
      : operationsOf(document).find((item) => item.id === operationId);
  const isUnknown = document !== undefined && operation === undefined;
  return (
    <Page
      title={isUnknown ? t.unknown : operation?.summary || operationId}
      crumb={
        <Link to="/t/$tenantId/settings/api-reference" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{t.title}</CrumbText>
        </Link>
      }
      lead={
        operation === undefined ? undefined : (
          <code className="gw-mono">
            {operation.method} {operation.path}
          </code>
        )
      }
    >
      <Waiting answer={answer} />
      {isUnknown ? (
        <div className="gw-card">
          <Empty title={t.unknown} text={t.unknownText} />
        </div>
      ) : null}
      {document === undefined || operation === undefined ? null : (
        <div className="gw-stack" key={operation.id}>
          <Callers document={document} operation={operation} />
          <Example document={document} operation={operation} />
          <TryIt document={document} operation={operation} />
          <Parameters document={document} operation={operation} />
          <Body document={document} operation={operation} />
          <Answers document={document} operation={operation} />
          <Refusals document={document} operation={operation} />
        </div>
      )}
    </Page>
  );
}

function Callers({ document, operation }: PartProps) {
  const { security, leastRole } = operation;
  return (
    <Section title={t.who.title}>
      {security.length === 0 ? <p className="gw-flat">{t.who.anybody}</p> : null}
      {security.map((item, at) => (
        <p key={Object.keys(item).join()} className="gw-flat">
          {at === 0 ? null : `${t.who.or} `}
          <Credential document={document} security={item} />
        </p>
      ))}
      {leastRole === null ? null : <p className="gw-flat">{t.who.leastRole(leastRole)}</p>}
    </Section>
  );
}

function Credential({ document, security }: { document: ApiDocument; security: Security }) {
  return Object.entries(security).map(([name, scopes]) => {
    const scheme = document.components?.securitySchemes?.[name];
    const sent =
      scheme?.type === 'http'
        ? t.who.bearer
        : scheme?.in === 'cookie'
          ? t.who.cookie
          : t.who.header(scheme?.name ?? name);
    return (
      <Fragment key={name}>
        <Prose text={scheme?.description ?? name} /> <span className="gw-dimmed">({sent})</span>
        {scopes.length === 0 ? null : ` ${t.who.scopes(scopes)}`}
      </Fragment>
    );
  });
}

function Example({ document, operation }: PartProps) {
  const { tenantId } = useTenant();
  const [language, setLanguage] = useState<Language>('curl');
  const examples = examplesOf(operation, { document, origin: window.location.origin, tenantId });
  return (
    <Section title={t.example}>
      <p className="gw-flat gw-dimmed">{t.exampleLead}</p>
      <Tabs
        value={language}
        keepMounted={false}
        onChange={(next) => setLanguage((next ?? 'curl') as Language)}
      >
        <Tabs.List mb="sm">
          {LANGUAGES.map((item) => (
            <Tabs.Tab key={item} value={item}>
              {t.languages[item]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map((item) => (
          <Tabs.Panel key={item} value={item}>
            <CopyBlock label={t.exampleIn(t.languages[item])} text={examples[item]} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

function Parameters({ document, operation }: PartProps) {
  if (operation.parameters.length === 0) return null;
  return (
    <Section title={t.parameters}>
      <ul className="gw-schema">
        {operation.parameters.map((item) => {
          const node = treeOf(document, item.schema ?? {}, {
            name: item.name,
            isRequired: item.required === true,
            through: [],
          });
          const description = item.description ?? node.description;
          return (
            <li key={`${item.in} ${item.name}`}>
              <code className="gw-mono">{item.name}</code>{' '}
              <span className="gw-dimmed gw-small">
                {t.places[item.in]}
                {' · '}
                <Said node={{ ...node, description }} />
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Body({ document, operation }: PartProps) {
  const { body } = operation;
  if (body === null) return null;
  return (
    <Section title={t.body}>
      <p className="gw-flat gw-dimmed gw-small">
        {t.bodyType(body.type)} {body.isRequired ? null : t.bodyOptional}
      </p>
      <SchemaTree node={treeOf(document, body.schema)} />
    </Section>
  );
}

const isRefusal = (status: string): boolean => /^[45]/.test(status);

function Answers({ document, operation }: PartProps) {
  return (
    <Section title={t.answers}>
      {operation.answers
        .filter(({ status }) => !isRefusal(status))
        .map(({ status, answer }) => {
          const [content] = Object.entries(answer.content ?? {});
          const said = answer.description ?? t.unsaid;
          return (
            <div key={status}>
              <h3 className="gw-flat">
                {status} <Prose text={said === t.unsaid ? (t.statuses[status] ?? '') : said} />
              </h3>
              {Object.entries(answer.headers ?? {}).map(([name, header]) => (
                <p key={name} className="gw-flat gw-small">
                  <code className="gw-mono">{name}</code>{' '}
                  <Prose text={header.description ?? header.schema?.description ?? ''} />
                </p>
              ))}
              {content === undefined ? (
                <p className="gw-flat gw-dimmed gw-small">{t.noBody}</p>
              ) : (
                <>
                  <p className="gw-flat gw-dimmed gw-small">{t.answerType(content[0])}</p>
                  <SchemaTree node={treeOf(document, content[1].schema ?? {})} />
                </>
              )}
            </div>
          );
        })}
    </Section>
  );
}

type Refused = Operation['answers'][number];

const REFUSED: readonly Column<Refused>[] = [
  { key: 'status', header: t.status, render: (row) => row.status },
  {
    key: 'meaning',
    header: t.meaning,
    weight: 3,
    render: (row) => <Prose text={row.answer.description ?? ''} />,
  },
  { key: 'codes', header: t.codes, weight: 2, render: (row) => <CodesOf status={row.status} /> },
];

function CodesOf({ status }: { status: string }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/settings/api-reference/errors"
      params={{ tenantId }}
      search={{ status }}
      className="gw-link"
    >
      {t.codesOf(status)}
    </Link>
  );
}

function Refusals({ document, operation }: PartProps) {
  const refusals = operation.answers.filter(({ status }) => isRefusal(status));
  const [content] = Object.values(refusals[0]?.answer.content ?? {});
  if (refusals.length === 0) return null;
  return (
    <Section title={t.refusals}>
      <DataTable
        caption={t.refusals}
        columns={REFUSED}
        rows={refusals}
        rowKey={(row) => row.status}
        rowTestId="refusal-row"
      />
      {content?.schema === undefined ? null : (
        <details className="gw-tag">
          <summary>{t.refusalForm}</summary>
          <SchemaTree node={treeOf(document, content.schema)} />
        </details>
      )}
    </Section>
  );
}
