// The password of the signed-in user, where the hub stores it: the current password, and a new password.
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { isStatus, SESSION_PATH, writeJson } from '../api/client.ts';
import { useReload } from '../api/tenant.ts';
import { useSignedIn } from '../app/SignedIn.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { settingsTexts } from './texts.ts';
import '../policies/policies.css';

const words = settingsTexts.password;
const { least: SHORTEST, most: LONGEST } = PASSWORD_LENGTH;

export function OwnPassword() {
  return useSignedIn().has_password ? (
    <Section title={words.title}>
      <p className="gw-flat">{words.lead}</p>
      <PasswordForm />
    </Section>
  ) : null;
}

function PasswordForm() {
  const session = useSignedIn();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm({
    initialValues: { current: '', newPassword: '' },
    validate: {
      current: (text) => (text === '' ? words.currentNeeded : null),
      newPassword: (text) => ([...text].length < SHORTEST ? words.tooShort(SHORTEST) : null),
    },
  });
  const submit = async ({ current, newPassword }: { current: string; newPassword: string }) => {
    setRefusal(null);
    try {
      await writeJson(`${SESSION_PATH}/password`, {
        method: 'PUT',
        csrfToken: session.csrf_token,
        body: { current_password: current, new_password: newPassword },
      });
    } catch (error) {
      if (isStatus(error, 400)) form.setFieldError('current', words.wrong);
      else setRefusal(error);
      return;
    }
    form.reset();
    notifications.show({ color: 'teal', message: words.changed });
    reload('people');
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      {/* Password managers need the user name. */}
      <input type="text" autoComplete="username" value={session.email} readOnly hidden />
      <div className="gw-form-pair">
        <PasswordInput
          label={words.current}
          autoComplete="current-password"
          maxLength={LONGEST}
          required
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label={words.newPassword}
          autoComplete="new-password"
          maxLength={LONGEST}
          required
          {...form.getInputProps('newPassword')}
        />
      </div>
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button type="submit" loading={form.submitting}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}
