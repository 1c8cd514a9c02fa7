// The configuration of an app, section by section: what is set, changed in place and stored as one change.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isOvertaken } from '../api/client.ts';
import { useMayAdminister, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { type Both, isSame, merged } from '../concurrent-edits/three-way-merge.ts';
import { texts } from '../texts.ts';
import { ErrorPanel, messageOf } from '../ui/ErrorPanel.tsx';
import { useAfterGateway } from './after-gateway.ts';
import { appPath } from './app-path.ts';
import { changedSections, configOf } from './draft-changes.ts';
import { SchemaField } from './SchemaForm.tsx';
import {
  countValues,
  type Fault,
  faultIn,
  fieldOfSection,
  SECTION_NAMES,
  type SectionName,
  settingLabel,
  withValue,
} from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import type { AppWritten, GatewayApp } from './wire.ts';

const t = gatewayTexts.settings;

export function AppSettings({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  // What the person saw when they began: what comes in meanwhile must not be overwritten unseen.
  const [base, setBase] = useState(app);
  // What the hub had said when this round began: the former, for a moment, after a change was stored.
  const [known, setKnown] = useState(app.version);
  const [draft, setDraft] = useState(() => configOf(app));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<Fault | null>(null);
  const [round, setRound] = useState(0);
  const [drawnAnew, setDrawnAnew] = useState<Partial<Record<SectionName, number>>>({});
  // Somebody else was quicker than a try of this person: what both changed, once what stands now has come.
  const [isOver, setIsOver] = useState(false);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  const summaries = useRef(new Map<SectionName, HTMLElement>());
  /** Where the keyboard goes on once the form is made anew. */
  const goOnAt = useRef<SectionName | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round draws its sections anew
  useEffect(() => {
    if (goOnAt.current !== null) summaries.current.get(goOnAt.current)?.focus();
    goOnAt.current = null;
  }, [round]);
  const [opened, setOpened] = useState<readonly SectionName[]>(() =>
    SECTION_NAMES.filter((name) => countValues(fieldOfSection(name), configOf(app)) > 0),
  );
  // Drawn once it was opened, and then kept: what was typed there and is no JSON yet stays.
  const [drawn, setDrawn] = useState<ReadonlySet<SectionName>>(() => new Set(opened));
  const change = useCallback((path: string[], value: unknown) => {
    setDraft((former) => withValue(former, path, value));
    setFault((former) => (path.every((name, at) => name === former?.path[at]) ? null : former));
  }, []);
  const tell = useCallback((path: string, problem: string | null) => {
    setProblems(({ [path]: _gone, ...rest }) =>
      problem === null ? rest : { ...rest, [path]: problem },
    );
  }, []);
  const changes = changedSections(configOf(base), draft);
  const count = Object.keys(changes).length;
  const begin = (from: GatewayApp) => {
    setBase(from);
    setKnown(app.version);
    setDraft(configOf(from));
    setProblems({});
    setFault(null);
    setIsOver(false);
    setBoth(null);
    setRound((former) => former + 1);
  };
  const toggle = (name: SectionName, isOpen: boolean) => {
    if (isOpen) setDrawn((former) => new Set([...former, name]));
    setOpened((former) => [...former.filter((item) => item !== name), ...(isOpen ? [name] : [])]);
  };
  const refused = (error: unknown) => {
    if (isOvertaken(error)) setIsOver(true);
    const found = faultIn(messageOf(error));
    setFault(found);
    const name = SECTION_NAMES.find((item) => item === found?.path[0]);
    if (name !== undefined) toggle(name, true);
  };
  const isTouched = count > 0 || Object.keys(problems).length > 0;
  const isNews = app.version !== known && app.version !== base.version;
  if (isNews && !isTouched) begin(app);
  // The form goes on from what stands now, once that has come; what was typed stays where it was typed.
  useEffect(() => {
    if (!isOver || app.version === base.version) return;
    const next = merged(configOf(base), draft, configOf(app));
    setIsOver(false);
    setBase(app);
    setKnown(app.version);
    setDraft(next.values);
    setBoth(next.both);
    // A field shows what was typed there: where it is something else now, it is made anew. What is no value yet stays.
    const anew = SECTION_NAMES.filter(
      (name) =>
        !isSame(next.values[name], draft[name]) &&
        !Object.keys(problems).some((path) => path.split('.')[0] === name),
    );
    setDrawnAnew((former) => ({
      ...former,
      ...Object.fromEntries(anew.map((name) => [name, (former[name] ?? 0) + 1])),
    }));
  }, [isOver, app, base, draft, problems]);
  return (
    <div className="gw-card gw-section gw-settings">
      <p className="gw-flat gw-dimmed">{t.lead}</p>
      {SECTION_NAMES.map((name) => {
        const field = fieldOfSection(name);
        const set = countValues(field, draft);
        return (
          <details
            key={`${name}-${round}-${drawnAnew[name] ?? 0}`}
            open={opened.includes(name)}
            onToggle={(event) => toggle(name, event.currentTarget.open)}
          >
            <summary
              ref={(element) => {
                if (element !== null) summaries.current.set(name, element);
              }}
            >
              {field.label}{' '}
              <span className="gw-dimmed gw-small">{set === 0 ? t.notSet : t.set(set)}</span>
            </summary>
            <div>
              {drawn.has(name) ? (
                <SchemaField
                  field={field}
                  draft={draft}
                  stored={configOf(base)}
                  fault={fault}
                  readOnly={!mayAdminister}
                  onChange={change}
                  onProblem={tell}
                />
              ) : null}
            </div>
          </details>
        );
      })}
      {mayAdminister ? (
        <StoreBar
          app={base}
          changes={changes}
          problems={Object.values(problems)}
          both={both}
          onTry={() => setBoth(null)}
          onStored={(stored) => {
            goOnAt.current = SECTION_NAMES.find((name) => name in changes) ?? null;
            begin(stored);
          }}
          onRefused={refused}
          onDiscard={() => begin(app)}
        />
      ) : null}
    </div>
  );
}

interface StoreBarProps {
  app: GatewayApp;
  changes: Record<string, unknown>;
  problems: readonly string[];
  both: readonly Both[] | null;
  onTry: () => void;
  onStored: (app: GatewayApp) => void;
  onRefused: (error: unknown) => void;
  onDiscard: () => void;
}

function StoreBar({ app, changes, problems, both, onTry, onStored, ...on }: StoreBarProps) {
  const { onRefused, onDiscard } = on;
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const count = Object.keys(changes).length;
  const store = useMutation({
    mutationFn: () =>
      write<AppWritten>('PATCH', appPath(app.name), { body: changes, ifMatch: app.version }),
    onSuccess: (answer) => {
      onStored(answer.app);
      const inactive = answer.inactive_under_gwql?.fields.join(', ');
      notifications.show({
        color: inactive === undefined ? 'teal' : 'yellow',
        message: [
          inactive === undefined ? t.stored : gatewayTexts.apps.inactive(inactive),
          ...(answer.warnings ?? []).map((item) => item.message),
        ].join(' '),
      });
    },
    onMutate: onTry,
    onError: onRefused,
    onSettled: () => afterGateway(),
  });
  if (count === 0 && problems.length === 0 && both === null) return null;
  return (
    <div className="gw-store-bar">
      {problems.map((problem) => (
        <p key={problem} className="gw-flat" role="alert">
          {problem}
        </p>
      ))}
      <EditConflict both={both} labelOf={(path) => path.map(settingLabel).join(' → ')} />
      {store.error === null || both !== null ? null : (
        <ErrorPanel error={store.error} title={texts.errors.notSaved} />
      )}
      <div className="gw-form-end">
        <span role="status" className="gw-dimmed">
          {t.changes(count)}
        </span>
        <Button variant="default" onClick={onDiscard}>
          {t.discard}
        </Button>
        <Button
          disabled={problems.length > 0 || count === 0}
          loading={store.isPending}
          onClick={() => store.mutate()}
        >
          {t.store}
        </Button>
      </div>
    </div>
  );
}
