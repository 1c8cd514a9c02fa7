// The configuration of an app, by section: edited in place and stored as a single change.
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
import { appPath } from './app-path.ts';
import { changedSections, readConfig } from './draft-changes.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { SchemaField } from './SchemaForm.tsx';
import {
  countValues,
  type Fault,
  getSectionField,
  parseFault,
  SECTION_NAMES,
  type SectionName,
  settingLabel,
  setValue,
} from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import type { AppWritten, GatewayApp } from './wire.ts';

const t = gatewayTexts.settings;

export function AppSettings({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  const { opened, mounted, toggle } = useSections(app);
  const form = useConfigForm(app, (name) => toggle(name, true));
  const summaries = useRef(new Map<SectionName, HTMLElement>());
  /** The section that receives the focus after a reset of the form. */
  const focusAfterReset = useRef<SectionName | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round mounts its sections again
  useEffect(() => {
    if (focusAfterReset.current !== null) summaries.current.get(focusAfterReset.current)?.focus();
    focusAfterReset.current = null;
  }, [form.round]);
  return (
    <div className="gw-card gw-section gw-settings">
      <p className="gw-flat gw-dimmed">{t.lead}</p>
      {SECTION_NAMES.map((name) => (
        <ConfigSection
          key={`${name}-${form.round}-${form.remounts[name] ?? 0}`}
          name={name}
          form={form}
          readOnly={!mayAdminister}
          isOpen={opened.includes(name)}
          isMounted={mounted.has(name)}
          onToggle={toggle}
          summaryRef={(element) => {
            if (element !== null) summaries.current.set(name, element);
          }}
        />
      ))}
      {mayAdminister ? (
        <StoreBar
          app={form.base}
          changes={form.changes}
          problems={Object.values(form.problems)}
          both={form.both}
          onTry={form.hideConflict}
          onStored={(stored) => {
            focusAfterReset.current = SECTION_NAMES.find((name) => name in form.changes) ?? null;
            form.reset(stored);
          }}
          onRefused={form.showRefusal}
          onDiscard={() => form.reset(app)}
        />
      ) : null}
    </div>
  );
}

/** Returns the open sections: at first the sections with values. */
function useSections(app: GatewayApp) {
  const [opened, setOpened] = useState<readonly SectionName[]>(() =>
    SECTION_NAMES.filter((name) => countValues(getSectionField(name), readConfig(app)) > 0),
  );
  // A section stays mounted once it was opened, so that incomplete JSON stays in its field.
  const [mounted, setMounted] = useState<ReadonlySet<SectionName>>(() => new Set(opened));
  const toggle = (name: SectionName, isOpen: boolean) => {
    if (isOpen) setMounted((former) => new Set([...former, name]));
    setOpened((former) => [...former.filter((item) => item !== name), ...(isOpen ? [name] : [])]);
  };
  return { opened, mounted, toggle };
}

type ConfigForm = ReturnType<typeof useConfigForm>;

/** Returns the edited configuration with its errors. A save that conflicts merges the draft into the reloaded app. */
function useConfigForm(app: GatewayApp, openSection: (name: SectionName) => void) {
  // The app that the user began with, so that a concurrent change is not overwritten unseen.
  const [base, setBase] = useState(app);
  // The version in the cache when the form was reset; right after a save, the cache still has the previous version.
  const [baseVersion, setBaseVersion] = useState(app.version);
  const [draft, setDraft] = useState(() => readConfig(app));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<Fault | null>(null);
  const [round, setRound] = useState(0);
  const [remounts, setRemounts] = useState<Partial<Record<SectionName, number>>>({});
  // The hub rejected a save because of a concurrent change; `both` lists the fields in conflict once the app is reloaded.
  const [isConflicting, setIsConflicting] = useState(false);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  const change = useCallback((path: string[], value: unknown) => {
    setDraft((former) => setValue(former, path, value));
    setFault((former) => (path.every((name, at) => name === former?.path[at]) ? null : former));
  }, []);
  const reportProblem = useCallback((path: string, problem: string | null) => {
    setProblems(({ [path]: _removed, ...rest }) =>
      problem === null ? rest : { ...rest, [path]: problem },
    );
  }, []);
  const changes = changedSections(readConfig(base), draft);
  const reset = (from: GatewayApp) => {
    setBase(from);
    setBaseVersion(app.version);
    setDraft(readConfig(from));
    setProblems({});
    setFault(null);
    setIsConflicting(false);
    setBoth(null);
    setRound((former) => former + 1);
  };
  const showRefusal = (error: unknown) => {
    if (isOvertaken(error)) setIsConflicting(true);
    const parsed = parseFault(messageOf(error));
    setFault(parsed);
    const name = SECTION_NAMES.find((item) => item === parsed?.path[0]);
    if (name !== undefined) openSection(name);
  };
  const isTouched = Object.keys(changes).length > 0 || Object.keys(problems).length > 0;
  const hasNewerVersion = app.version !== baseVersion && app.version !== base.version;
  if (hasNewerVersion && !isTouched) reset(app);
  // After a conflict, the form merges the typed values into the reloaded app.
  useEffect(() => {
    if (!isConflicting || app.version === base.version) return;
    const next = merged(readConfig(base), draft, readConfig(app));
    setIsConflicting(false);
    setBase(app);
    setBaseVersion(app.version);
    setDraft(next.values);
    setBoth(next.both);
    setRemounts((former) =>
      countRemounts(former, findMergedSections(next.values, draft, problems)),
    );
  }, [isConflicting, app, base, draft, problems]);
  const hideConflict = () => setBoth(null);
  return {
    ...{ base, draft, changes, problems, fault, both, round, remounts },
    ...{ change, reportProblem, reset, showRefusal, hideConflict },
  };
}

/** Returns the sections to mount again, because their fields show typed text. Sections with errors keep their text. */
function findMergedSections(
  merge: Record<string, unknown>,
  draft: Record<string, unknown>,
  problems: Readonly<Record<string, string>>,
): SectionName[] {
  const withErrors = new Set(Object.keys(problems).map((path) => path.split('.')[0]));
  return SECTION_NAMES.filter((name) => !isSame(merge[name], draft[name]) && !withErrors.has(name));
}

const countRemounts = (
  former: Partial<Record<SectionName, number>>,
  names: readonly SectionName[],
): Partial<Record<SectionName, number>> => ({
  ...former,
  ...Object.fromEntries(names.map((name) => [name, (former[name] ?? 0) + 1])),
});

interface ConfigSectionProps {
  name: SectionName;
  form: ConfigForm;
  readOnly: boolean;
  isOpen: boolean;
  isMounted: boolean;
  onToggle: (name: SectionName, isOpen: boolean) => void;
  summaryRef: (element: HTMLElement | null) => void;
}

function ConfigSection({ name, form, isOpen, isMounted, ...props }: ConfigSectionProps) {
  const field = getSectionField(name);
  const valueCount = countValues(field, form.draft);
  return (
    <details open={isOpen} onToggle={(event) => props.onToggle(name, event.currentTarget.open)}>
      <summary ref={props.summaryRef}>
        {field.label}{' '}
        <span className="gw-dimmed gw-small">
          {valueCount === 0 ? t.notSet : t.set(valueCount)}
        </span>
      </summary>
      <div>
        {isMounted ? (
          <SchemaField
            field={field}
            draft={form.draft}
            stored={readConfig(form.base)}
            fault={form.fault}
            readOnly={props.readOnly}
            onChange={form.change}
            onProblem={form.reportProblem}
          />
        ) : null}
      </div>
    </details>
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
  const reloadGateway = useReloadGateway();
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
    onSettled: () => reloadGateway(),
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
