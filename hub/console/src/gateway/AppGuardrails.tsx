// The guardrails of an app as a matrix: content by action, sensitivity and scope, with presets and a trial on a text.
import type {
  GuardrailCategoriesAnswer,
  GuardrailCategory,
} from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import { Button, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { appPath } from './app-path.ts';
import { readConfig } from './draft-changes.ts';
import {
  diffDetection,
  findPreset,
  type GuardrailMatrix,
  type GuardrailRow,
  mergeMatrix,
  PRESETS,
  presetMatrix,
  readMatrix,
  SENSITIVITIES,
} from './guardrail-matrix.ts';
import { guardrailTexts as t } from './guardrail-texts.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { TryGuardrails } from './TryGuardrails.tsx';
import { gatewayTexts } from './texts.ts';
import type { AppWritten, GatewayApp } from './wire.ts';

export function AppGuardrails({ app }: { app: GatewayApp }) {
  const answer = useResource<GuardrailCategoriesAnswer>('gateway', '/llm/guardrail-categories');
  const categories = shownOf(answer)?.items;
  if (categories === undefined) return <Waiting answer={answer} />;
  return <Guardrails app={app} categories={categories} />;
}

interface GuardrailsProps {
  app: GatewayApp;
  categories: readonly GuardrailCategory[];
}

/** Unsaved rows lie over the stored matrix, so that a colleague's change of other rows shows at once. */
function Guardrails({ app, categories }: GuardrailsProps) {
  const mayAdminister = useMayAdminister();
  const [edits, setEdits] = useState<GuardrailMatrix>({});
  const { detection } = readConfig(app);
  const stored = readMatrix(categories, detection);
  const matrix = { ...stored, ...edits };
  const change = (id: string, row: GuardrailRow) => setEdits({ ...edits, [id]: row });
  return (
    <div className="gw-stack">
      <Section title={t.title}>
        <p className="gw-flat gw-dimmed">{t.lead}</p>
        <Presets
          categories={categories}
          matrix={matrix}
          readOnly={!mayAdminister}
          onChoose={setEdits}
        />
        <MatrixTable
          categories={categories}
          matrix={matrix}
          readOnly={!mayAdminister}
          onChange={change}
        />
        <p className="gw-flat gw-small gw-dimmed">{t.advanced}</p>
        {mayAdminister ? (
          <SaveBar
            app={app}
            stored={stored}
            matrix={matrix}
            onSaved={() => setEdits({})}
            onDiscard={() => setEdits({})}
          />
        ) : null}
      </Section>
      <TryGuardrails categories={categories} detection={mergeMatrix(detection, matrix)} />
    </div>
  );
}

interface MatrixProps {
  categories: readonly GuardrailCategory[];
  matrix: GuardrailMatrix;
  readOnly: boolean;
}

function Presets(props: MatrixProps & { onChoose: (matrix: GuardrailMatrix) => void }) {
  const { categories, matrix, readOnly, onChoose } = props;
  const current = findPreset(categories, matrix);
  return (
    <fieldset className="gw-presets">
      <legend className="gw-small gw-dimmed">{t.preset}</legend>
      {PRESETS.map((preset) => (
        <Button
          key={preset}
          size="xs"
          variant={preset === current ? 'filled' : 'default'}
          aria-pressed={preset === current}
          disabled={readOnly}
          onClick={() => onChoose(presetMatrix(categories, preset))}
        >
          {t.presets[preset]}
        </Button>
      ))}
      {current === null ? <span className="gw-small gw-dimmed">{t.custom}</span> : null}
    </fieldset>
  );
}

function MatrixTable(props: MatrixProps & { onChange: (id: string, row: GuardrailRow) => void }) {
  const { categories, matrix, readOnly, onChange } = props;
  const select = <Name extends keyof GuardrailRow>(
    name: Name,
    valuesOf: (category: GuardrailCategory) => readonly GuardrailRow[Name][],
    labels: Record<GuardrailRow[Name], string>,
  ): Column<GuardrailCategory> => ({
    key: name,
    header: t[name],
    weight: 1.2,
    render: (category) => {
      const row = matrix[category.id];
      if (row === undefined) return null;
      const values = valuesOf(category);
      return (
        <NativeSelect
          size="xs"
          aria-label={t.field(category.name, t[name])}
          disabled={readOnly || (name !== 'action' && row.action === 'off')}
          value={row[name]}
          data={values.map((value) => ({ value, label: labels[value] }))}
          onChange={(event) => {
            const value = values.find((item) => item === event.currentTarget.value);
            if (value !== undefined) onChange(category.id, { ...row, [name]: value });
          }}
        />
      );
    },
  });
  return (
    <DataTable
      caption={t.title}
      rows={categories}
      rowKey={({ id }) => id}
      rowTestId="guardrail-row"
      columns={[
        {
          key: 'category',
          header: t.category,
          weight: 1.6,
          render: ({ name, has_detector: hasDetector }) => (
            <>
              {name}
              {hasDetector ? null : <div className="gw-dimmed gw-small">{t.needsModel}</div>}
            </>
          ),
        },
        select('action', ({ actions }) => ['off', ...actions], t.actions),
        select('sensitivity', () => SENSITIVITIES, t.sensitivities),
        select('scope', ({ scopes }) => scopes, t.scopes),
      ]}
    />
  );
}

interface SaveBarProps {
  app: GatewayApp;
  stored: GuardrailMatrix;
  matrix: GuardrailMatrix;
  onSaved: () => void;
  onDiscard: () => void;
}

function SaveBar({ app, stored, matrix, onSaved, onDiscard }: SaveBarProps) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const changed = diffDetection(stored, matrix);
  const save = useMutation({
    mutationFn: () =>
      write<AppWritten>('PATCH', appPath(app.name), {
        body: { detection: changed?.settings },
        ifMatch: app.version,
      }),
    onSuccess: (answer) => {
      onSaved();
      const inactive = answer.inactive_under_gwql?.fields.join(', ');
      notifications.show({
        color: inactive === undefined ? 'teal' : 'yellow',
        message: inactive === undefined ? t.saved : gatewayTexts.apps.inactive(inactive),
      });
    },
    onSettled: () => reloadGateway(),
  });
  if (changed === undefined) return null;
  return (
    <div className="gw-store-bar">
      {isStatus(save.error, 412) ? (
        <p className="gw-flat" role="alert">
          {gatewayTexts.apps.conflictText}
        </p>
      ) : null}
      {save.error === null || isStatus(save.error, 412) ? null : (
        <ErrorPanel error={save.error} title={texts.errors.notSaved} />
      )}
      <div className="gw-form-end">
        <span role="status" className="gw-dimmed">
          {t.changes(changed.count)}
        </span>
        <Button variant="default" onClick={onDiscard}>
          {t.discard}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t.save}
        </Button>
      </div>
    </div>
  );
}
