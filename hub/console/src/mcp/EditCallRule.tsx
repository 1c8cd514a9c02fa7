// The dialog that creates or changes a guardrail.
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
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { oneOf } from '../api/query-string.ts';
import { useReload, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { visible } from '../ui/visible.ts';
import { callRuleTexts as t } from './call-rule-texts.ts';
import {
  type CallRuleValues,
  EMPTY_CALL_RULE,
  KINDS,
  toCallRuleInput,
  toCallRuleValues,
  validateCallRule,
} from './call-rule-values.ts';

export const callRulePath = (rule: Rule) => `/mcp/call-rules/${rule.id}`;

interface EditProps {
  rule: Rule | null;
  backends: readonly Backend[];
  onClosed: () => void;
}

/** Errors at other fields concern the requirements of the guardrail. */
const LABELS: Record<string, string> = { name: t.name, backend: t.server, tool: t.tool };

export function EditCallRule({ rule, backends, onClosed }: EditProps) {
  const write = useTenantWrite();
  const once = useSentOnce();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<CallRuleValues>({
    initialValues: rule === null ? EMPTY_CALL_RULE : toCallRuleValues(rule),
    validate: validateCallRule,
  });
  const read = useTenantRead();
  const meanwhile = useMergedForm<Rule, CallRuleValues>(rule, {
    read: async (item) => (await read<RuleAnswer>(callRulePath(item))).rule,
    valuesOf: toCallRuleValues,
    values: form.getValues,
    setValues: form.setValues,
  });
  const { standing } = meanwhile;
  const submit = (close: () => void) => async (values: CallRuleValues) => {
    setRefusal(null);
    meanwhile.forget();
    try {
      const body = toCallRuleInput(values);
      if (standing === null) {
        await once<unknown>(
          body,
          (id) =>
            withoutUnknown('rule_id', { ...body, rule_id: id }, (sent) =>
              write('POST', '/mcp/call-rules', { body: sent }),
            ),
          () => Promise.resolve(),
        );
      } else await write('PATCH', callRulePath(standing), { body, ifMatch: standing.version });
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
          <EditConflict both={meanwhile.both} labelOf={([field = '']) => LABELS[field] ?? t.kind} />
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

const toOptions = <K extends string>(names: Readonly<Record<K, string>>) =>
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
        <NativeSelect label={t.by} data={toOptions(t.byLabels)} {...form.getInputProps('by')} />
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
        data={toOptions(t.directions)}
        {...form.getInputProps('direction')}
      />
      <NativeSelect
        label={t.action}
        data={toOptions(t.actions)}
        {...form.getInputProps('action')}
      />
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
