// The form of an MCP server: its address, its authentication, and the offered tools.
import type {
  AuthKind,
  Backend,
  BackendAnswer,
  BackendInput,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  Button,
  Checkbox,
  NativeSelect,
  PasswordInput,
  Radio,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useTenantRead } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { TestConnection } from './ConnectionTest.tsx';
import { publishTexts } from './publish-texts.ts';
import {
  dropSecretOfOldAddress,
  EMPTY_SERVER,
  KINDS,
  type ServerValues,
  toServerInput,
  toServerValues,
  validateServer,
} from './server-values.ts';
import '../policies/policies.css';
import './mcp.css';

const words = texts.mcp.server;
type Form = UseFormReturnType<ServerValues>;

interface ServerFormProps {
  /** The server to change; null for a new server. */
  original: Backend | null;
  /** Values of a new server. */
  initial?: ServerValues;
  submitText: string;
  /** `current`: the latest version of the server that the user has seen. */
  save: (values: ServerValues, standing: Backend | null) => Promise<void>;
  onCancel: () => void;
}

export function ServerForm(props: ServerFormProps) {
  const { original, initial = EMPTY_SERVER, submitText, save, onCancel } = props;
  const form = useForm<ServerValues>({
    initialValues: original === null ? initial : toServerValues(original),
    validate: (values) => validateServer(values, original),
  });
  const read = useTenantRead();
  // The page behind may show a newer version; the form keeps the version that the user opened.
  const meanwhile = useMergedForm<Backend, ServerValues>(original, {
    read: async ({ id }) => (await read<BackendAnswer>(`/mcp/backends/${id}`)).backend,
    valuesOf: toServerValues,
    values: form.getValues,
    setValues: form.setValues,
    withoutSecret: dropSecretOfOldAddress,
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const submit = async (values: ServerValues) => {
    setRefusal(null);
    meanwhile.forget();
    try {
      await save(values, meanwhile.standing);
    } catch (error) {
      if (!(await meanwhile.refused(error))) setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <div className="gw-form-pair">
        <TextInput
          label={texts.mcp.servers.name}
          maxLength={200}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={words.slug}
          description={words.slugHint}
          maxLength={64}
          required
          spellCheck={false}
          {...form.getInputProps('slug')}
        />
      </div>
      <TextInput
        label={texts.mcp.servers.url}
        description={words.urlHint}
        maxLength={2048}
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <SignInFields form={form} original={original} />
      {original === null ? <TestSettings form={form} /> : null}
      <MoreFields form={form} isNew={original === null} />
      <EditConflict
        both={meanwhile.both}
        address={meanwhile.address}
        labelOf={([field = '']) => LABELS[field] ?? texts.mcp.servers.auth}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submitText}
        </Button>
      </div>
    </form>
  );
}

/** Settings that most servers never need: folded in the form of a new server. */
function MoreFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const fields = (
    <>
      <ToolFields form={form} />
      <LimitFields form={form} />
    </>
  );
  if (!isNew) return fields;
  return (
    <details className="gw-more">
      <summary>{publishTexts.form.more}</summary>
      <div className="gw-form">{fields}</div>
    </details>
  );
}

/** Returns the fields that limit which tools are offered. */
function ToolFields({ form }: { form: Form }) {
  return (
    <>
      <div className="gw-form-pair">
        <Textarea
          label={words.allow}
          description={words.allowHint}
          autosize
          minRows={2}
          {...form.getInputProps('allow')}
        />
        <Textarea
          label={words.deny}
          description={words.denyHint}
          autosize
          minRows={2}
          {...form.getInputProps('deny')}
        />
      </div>
      <NativeSelect
        label={words.drift}
        data={(['flag', 'hide'] as const).map((value) => ({ value, label: words.drifts[value] }))}
        {...form.getInputProps('drift')}
      />
    </>
  );
}

/** Timeouts, headers and the names of the same server on devices. */
function LimitFields({ form }: { form: Form }) {
  return (
    <>
      <div className="gw-form-pair">
        <TextInput
          label={words.idleTimeout}
          description={words.idleTimeoutHint}
          inputMode="numeric"
          maxLength={5}
          required
          {...form.getInputProps('idleTimeout')}
        />
        <TextInput
          label={words.totalTimeout}
          description={words.totalTimeoutHint}
          inputMode="numeric"
          maxLength={5}
          required
          {...form.getInputProps('totalTimeout')}
        />
      </div>
      <Textarea
        label={words.headers}
        description={words.headersHint}
        autosize
        minRows={1}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('headers')}
      />
      <Textarea
        label={words.sameAs}
        description={words.sameAsHint}
        autosize
        minRows={1}
        {...form.getInputProps('sameAs')}
      />
    </>
  );
}

/** Tests the values of the fields; invalid values show errors at their fields instead. */
function TestSettings({ form }: { form: Form }) {
  return (
    <TestConnection
      path="/mcp/connection-test"
      settings={() => {
        const fields = (['url', 'secret', 'headers'] as const).map((name) =>
          form.validateField(name),
        );
        if (fields.some(({ hasError }) => hasError)) return null;
        const { url, auth, headers } = toServerInput(form.getValues()) as BackendInput;
        return { url, auth, headers };
      }}
    />
  );
}

function SignInFields({ form, original }: { form: Form; original: Backend | null }) {
  const { kind } = form.values;
  return (
    <>
      <Radio.Group
        label={texts.mcp.servers.auth}
        {...form.getInputProps('kind')}
        onChange={(value) => {
          form.setFieldValue('kind', oneOf(KINDS, value) ?? ('none' satisfies AuthKind));
        }}
      >
        <div className="gw-radios" data-column="">
          {KINDS.map((item) => (
            <Radio
              key={item}
              value={item}
              label={texts.mcp.servers.kinds[item]}
              description={texts.mcp.servers.kindHints[item]}
            />
          ))}
        </div>
      </Radio.Group>
      {kind === 'shared' ? (
        <PasswordInput
          label={words.secret}
          description={original?.auth.kind === 'shared' ? words.secretKeep : words.secretHint}
          autoComplete="off"
          maxLength={8192}
          {...form.getInputProps('secret')}
        />
      ) : null}
      {kind === 'shared' || kind === 'personal_key' ? (
        <div className="gw-form-pair">
          <TextInput
            label={words.header}
            description={words.headerHint}
            maxLength={64}
            spellCheck={false}
            {...form.getInputProps('header')}
          />
          <TextInput
            label={words.prefix}
            maxLength={40}
            spellCheck={false}
            {...form.getInputProps('prefix')}
          />
        </div>
      ) : null}
      {kind === 'oauth' ? <LoginFields form={form} original={original} /> : null}
    </>
  );
}

function LoginFields({ form, original }: { form: Form; original: Backend | null }) {
  const text = (label: string, field: keyof ServerValues, description?: string) => (
    <TextInput
      label={label}
      {...(description === undefined ? {} : { description })}
      maxLength={2048}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps(field)}
    />
  );
  return (
    <>
      <div className="gw-form-pair">
        {text(words.clientId, 'clientId', words.clientIdHint)}
        <PasswordInput
          label={words.clientSecret}
          description={original?.auth.has_secret === true ? words.secretKeep : words.secretHint}
          autoComplete="off"
          maxLength={8192}
          {...form.getInputProps('clientSecret')}
        />
      </div>
      <div className="gw-form-pair">
        {text(words.issuer, 'issuer', words.issuerHint)}
        {text(words.scopes, 'scopes', words.scopesHint)}
      </div>
      <fieldset className="gw-fieldset">
        <legend>{words.advanced}</legend>
        <p className="gw-flat gw-small gw-dimmed">{words.endpointsHint}</p>
        {text(words.authorizationEndpoint, 'authorizationEndpoint')}
        {text(words.tokenEndpoint, 'tokenEndpoint')}
        {text(words.revocationEndpoint, 'revocationEndpoint')}
        <Checkbox
          label={words.sendResource}
          {...form.getInputProps('sendResource', { type: 'checkbox' })}
        />
      </fieldset>
    </>
  );
}

/** Fields without a label belong to the authentication. */
const LABELS: Record<string, string> = {
  name: texts.mcp.servers.name,
  slug: words.slug,
  url: texts.mcp.servers.url,
  allow: words.allow,
  deny: words.deny,
  drift: words.drift,
  sameAs: words.sameAs,
  idleTimeout: words.idleTimeout,
  totalTimeout: words.totalTimeout,
  headers: words.headers,
};
