// The rules that calls must meet: guardrails, arguments by schema, and whose word they need.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  DETECTORS,
  type Detector,
  type Rule,
  type RuleAnswer,
} from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import {
  Button,
  JsonInput,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Radio,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { oneOf } from '../api/query-string.ts';
import {
  useAllOf,
  useList,
  useMayAdminister,
  useReload,
  useTenantRead,
  useTenantWrite,
} from '../api/tenant.ts';
import { Meanwhile } from '../meanwhile/Meanwhile.tsx';
import { useMeanwhile } from '../meanwhile/use-meanwhile.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { callRuleTexts as t } from './call-rule-texts.ts';
import {
  type CallRuleValues,
  callRuleErrors,
  EMPTY_CALL_RULE,
  inputOfCallRule,
  KINDS,
  valuesOfCallRule,
} from './call-rule-values.ts';
import '../decisions/decisions.css';
import { Refusal } from '../ui/Refusal.tsx';
import { visible } from '../ui/visible.ts';

type Opened = { kind: 'edit'; rule: Rule | null } | { kind: 'delete'; rule: Rule } | null;
const path = (rule: Rule) => `/mcp/call-rules/${rule.id}`;

export function CallRulesPage() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<Opened>(null);
  const list = useList<Rule>('mcp', '/mcp/call-rules');
  const backends = useAllOf<Backend>('mcp', '/mcp/backends');
  const serverOf = (id: string | null) =>
    id === null ? t.allServers : (backends.find((item) => item.id === id)?.name ?? id);
  const write = useTenantWrite();
  const reload = useReload();
  const close = () => setOpened(null);
  const change = useMutation({
    mutationFn: (rule: Rule) =>
      write('PATCH', path(rule), { body: { enabled: !rule.enabled }, ifMatch: rule.version }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? texts.ui.changedMeanwhile : noticeOf(error),
      }),
    onSettled: () => reload('mcp'),
  });
  const columns: readonly Column<Rule>[] = [
    { key: 'name', header: t.name, weight: 1.6, render: (row) => <Name value={row.name} clamp /> },
    { key: 'kind', header: t.kind, render: (row) => t.kinds[row.definition.kind] },
    {
      key: 'target',
      header: t.target,
      weight: 1.8,
      render: (row) => (
        <Name
          value={`${serverOf(row.backend_id)}: ${row.tool === '*' ? t.anyTool : row.tool}`}
          clamp
        />
      ),
    },
    {
      key: 'state',
      header: t.state,
      render: (row) => (
        <Badge tone={row.enabled ? 'good' : 'plain'} dot>
          {row.enabled ? t.on : t.off}
        </Badge>
      ),
    },
    {
      key: 'actions',
      header: texts.ui.actions,
      hiddenHeader: true,
      align: 'end',
      weight: 2,
      render: (rule) =>
        mayAdminister ? (
          <div className="gw-row-actions">
            <Button size="xs" variant="default" onClick={() => setOpened({ kind: 'edit', rule })}>
              {t.edit}
            </Button>
            <Button size="xs" variant="default" onClick={() => change.mutate(rule)}>
              {rule.enabled ? t.turnOff : t.turnOn}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpened({ kind: 'delete', rule })}>
              {t.delete}
            </Button>
          </div>
        ) : null,
    },
  ];
  return (
    <Page title={t.title} lead={t.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setOpened({ kind: 'edit', rule: null })}>{t.new}</Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={t.title}
        columns={columns}
        rowKey={(row) => row.id}
        rowTestId="call-rule-row"
        empty={<Empty title={t.empty} text={t.emptyText} />}
      />
      {opened?.kind === 'edit' ? (
        <EditCallRule rule={opened.rule} backends={backends} onClosed={close} />
      ) : null}
      {opened?.kind === 'delete' ? <DeleteCallRule rule={opened.rule} onClosed={close} /> : null}
    </Page>
  );
}

function DeleteCallRule({ rule, onClosed }: { rule: Rule; onClosed: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmDialog
      title={t.deleteTitle(rule.name)}
      text={t.deleteText}
      action={t.delete}
      done={t.deleted}
      run={() => write('DELETE', path(rule), { ifMatch: rule.version })}
      onDone={() => reload('mcp')}
      onClose={onClosed}
    />
  );
}

interface EditProps {
  rule: Rule | null;
  backends: readonly Backend[];
  onClosed: () => void;
}

/** What is not named here is part of what the rule asks for. */
const LABELS: Record<string, string> = { name: t.name, backend: t.server, tool: t.tool };

function EditCallRule({ rule, backends, onClosed }: EditProps) {
  const write = useTenantWrite();
  const once = useSentOnce();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<CallRuleValues>({
    initialValues: rule === null ? EMPTY_CALL_RULE : valuesOfCallRule(rule),
    validate: callRuleErrors,
  });
  const read = useTenantRead();
  const meanwhile = useMeanwhile<Rule, CallRuleValues>(rule, {
    read: async (item) => (await read<RuleAnswer>(path(item))).rule,
    valuesOf: valuesOfCallRule,
    values: form.getValues,
    setValues: form.setValues,
  });
  const { standing } = meanwhile;
  const submit = (close: () => void) => async (values: CallRuleValues) => {
    setRefusal(null);
    meanwhile.forget();
    try {
      const body = inputOfCallRule(values);
      if (standing === null) {
        await once<unknown>(
          body,
          (id) =>
            withoutUnknown('rule_id', { ...body, rule_id: id }, (sent) =>
              write('POST', '/mcp/call-rules', { body: sent }),
            ),
          () => Promise.resolve(),
        );
      } else await write('PATCH', path(standing), { body, ifMatch: standing.version });
      notifications.show({ color: 'teal', message: t.stored });
      reload('mcp');
      close();
    } catch (error) {
      if (!(await meanwhile.refused(error))) setRefusal(error);
    }
  };
  return (
    <Dialog wide title={rule?.name ?? t.new} onClosed={onClosed}>
      {(close) => (
        <form className="gw-form" noValidate onSubmit={form.onSubmit(submit(close))}>
          <TextInput
            label={t.name}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <NativeSelect
            label={t.server}
            data={[
              { value: '', label: t.allServers },
              ...backends.map((item) => ({ value: item.id, label: visible(item.name) })),
            ]}
            {...form.getInputProps('backend')}
          />
          <TextInput
            label={t.tool}
            description={t.toolHint}
            maxLength={200}
            spellCheck={false}
            {...form.getInputProps('tool')}
          />
          <Radio.Group
            label={t.kind}
            value={form.values.kind}
            onChange={(value) => form.setFieldValue('kind', oneOf(KINDS, value) ?? 'guardrail')}
          >
            <div className="gw-radios" data-column="">
              {KINDS.map((item) => (
                <Radio
                  key={item}
                  value={item}
                  label={t.kinds[item]}
                  description={t.kindHints[item]}
                />
              ))}
            </div>
          </Radio.Group>
          <Definition form={form} />
          <Meanwhile both={meanwhile.both} labelOf={([field = '']) => LABELS[field] ?? t.kind} />
          <Refusal error={refusal} conflict={texts.ui.changedMeanwhile} />
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={form.submitting}>
              {rule === null ? t.create : t.store}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

const named = <K extends string>(names: Readonly<Record<K, string>>) =>
  (Object.keys(names) as K[]).map((value) => ({ value, label: names[value] }));

type Form = Pick<
  ReturnType<typeof useForm<CallRuleValues>>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue'
>;

function Definition({ form }: { form: Form }) {
  const { kind } = form.values;
  if (kind === 'arguments') {
    return (
      <JsonInput
        label={t.schema}
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        validationError={t.badJson}
        {...form.getInputProps('schema')}
      />
    );
  }
  if (kind === 'approval') {
    return (
      <>
        <NativeSelect label={t.by} data={named(t.byOf)} {...form.getInputProps('by')} />
        <NumberInput
          label={t.minutes}
          min={1}
          max={1_440}
          allowDecimal={false}
          {...form.getInputProps('minutes')}
        />
      </>
    );
  }
  return (
    <>
      <NativeSelect
        label={t.direction}
        data={named(t.directions)}
        {...form.getInputProps('direction')}
      />
      <NativeSelect label={t.action} data={named(t.actions)} {...form.getInputProps('action')} />
      <MultiSelect
        label={t.detectors}
        data={DETECTORS.map((value) => ({ value, label: t.detectorNames[value] }))}
        value={form.values.detectors}
        error={form.errors.detectors}
        onChange={(chosen) => form.setFieldValue('detectors', chosen as Detector[])}
      />
      <Textarea
        label={t.patterns}
        description={t.patternsHint}
        autosize
        minRows={2}
        spellCheck={false}
        {...form.getInputProps('patterns')}
      />
      <TagsInput label={t.words} maxLength={100} {...form.getInputProps('words')} />
    </>
  );
}
