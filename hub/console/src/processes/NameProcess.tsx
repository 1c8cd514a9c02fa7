// Maps an unidentified process to an app, by its exact name or by a pattern with a live preview.
import { globMatches } from '@gatewarden/shared/names.ts';
import type {
  ProcessMappingAnswer,
  ProcessMappingInput,
  UnknownProcessRow,
} from '@gatewarden/shared/wire/console/processes.ts';
import { MAPPING_MATCHES, PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { staleAfter, topicKey } from '../api/keys.ts';
import { oneOf } from '../api/query-string.ts';
import { useTenant, useTenantCreation } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Tried } from './Tried.tsx';
import '../policies/policies.css';

const LONGEST = 512;

interface MappingValues {
  pattern: string;
  match: (typeof MAPPING_MATCHES)[number];
  platform: string;
  application: string;
}

interface NameProcessProps {
  row: UnknownProcessRow;
  onClose: () => void;
}

export function NameProcess({ row, onClose }: NameProcessProps) {
  return (
    <Dialog title={texts.processes.dialogTitle} onClosed={onClose}>
      {(close) => <NameForm row={row} onClose={close} />}
    </Dialog>
  );
}

function NameForm({ row, onClose }: NameProcessProps) {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const create = useTenantCreation();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<MappingValues>({
    initialValues: { pattern: row.name, match: 'exact', platform: row.platform, application: '' },
    validate: { pattern: problemOf, application: problemOf },
  });
  const { pattern, match } = form.values;
  const fits = globMatches(pattern, row.name);
  const submit = async (values: MappingValues) => {
    setRefusal(null);
    try {
      await create<ProcessMappingAnswer>('/process-mappings', {
        body: inputOf(values),
        as: 'mapping',
        among: { query: pattern.trim() },
      });
    } catch (error) {
      setRefusal(error);
      return;
    }
    notifications.show({ color: 'teal', message: texts.processes.stored });
    for (const topic of staleAfter('process-map')) {
      void queries.invalidateQueries({ queryKey: topicKey(tenantId, topic) });
    }
    onClose();
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <TextInput
        label={texts.processes.application}
        description={texts.processes.applicationHint}
        data-autofocus
        required
        {...form.getInputProps('application')}
      />
      <Radio.Group label={texts.processes.match} {...form.getInputProps('match')}>
        <div className="gw-radios">
          {MAPPING_MATCHES.map((value) => (
            <Radio key={value} value={value} label={texts.processes[value]} />
          ))}
        </div>
      </Radio.Group>
      <TextInput
        label={texts.processes.pattern}
        description={texts.processes.patternHint}
        required
        {...form.getInputProps('pattern')}
      />
      {match === 'glob' ? (
        <p className="gw-flat gw-small" role="status">
          {fits ? texts.processes.fits : texts.processes.fitsNot}
        </p>
      ) : null}
      <NativeSelect
        label={texts.processes.onPlatform}
        data={[
          ...PLATFORMS.map((value) => ({ value, label: texts.platforms[value] })),
          { value: '', label: texts.processes.everyPlatform },
        ]}
        {...form.getInputProps('platform')}
      />
      <Tried
        input={{
          process_name: pattern.slice(0, LONGEST),
          match,
          platform: oneOf(PLATFORMS, form.values.platform) ?? null,
        }}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {texts.processes.submit}
        </Button>
      </div>
    </form>
  );
}

function problemOf(text: string): string | null {
  if (text.trim() === '') return texts.processes.needed;
  return text.length > LONGEST ? texts.processes.tooLong : null;
}

function inputOf(values: MappingValues): ProcessMappingInput {
  return {
    process_name: values.pattern.trim(),
    platform: oneOf(PLATFORMS, values.platform) ?? null,
    match: values.match,
    application_name: values.application.trim(),
    entity_id: null,
  };
}
