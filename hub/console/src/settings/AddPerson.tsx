// The form that creates a user, where the hub has the built-in login provider.
import type {
  LoginProviderAnswer,
  UserAnswer,
  UserInput,
} from '@gatewarden/shared/wire/console/users.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { isStatus } from '../api/client.ts';
import { useReload, useResource, useTenant, useTenantCreation } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { ErrorPanel, noticeOf } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { settingsTexts } from './texts.ts';

const words = settingsTexts.people;

export const refusalOf = (error: unknown): string =>
  isStatus(error, 412) ? texts.ui.changedMeanwhile : noticeOf(error);

/** Users of an external login provider need no password here. */
function AddPerson() {
  const create = useTenantCreation();
  const reload = useReload();
  const form = useForm({ initialValues: { email: '', role: 'Viewer' as Role } });
  const add = useMutation({
    mutationFn: (body: UserInput) =>
      create<UserAnswer>('/users', { body, as: 'user', among: { query: body.email } }),
    onSuccess: async ({ user }) => {
      form.reset();
      notifications.show({ color: 'teal', message: words.added(user.email) });
      await reload('people');
    },
  });
  return (
    <form
      className="gw-form"
      onSubmit={form.onSubmit(({ email, role }) => add.mutate({ email: email.trim(), role }))}
    >
      <div className="gw-form-pair">
        <TextInput
          type="email"
          required
          maxLength={320}
          label={words.email}
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label={words.role}
          data={ROLES.map((value) => ({ value, label: words.roles[value] }))}
          {...form.getInputProps('role')}
        />
      </div>
      {add.isError ? <ErrorPanel error={add.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button type="submit" loading={add.isPending}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}

export function Adding() {
  const { tenantId } = useTenant();
  const answer = useResource<LoginProviderAnswer>('people', '/login-provider', {}, 'aside');
  const provider = answer.data?.provider;
  if (provider === undefined) return null;
  const isEmbedded = provider.kind === 'embedded';
  return (
    <Section title={words.addTitle}>
      <p className="gw-flat">{isEmbedded ? words.addEmbedded : words.addOpenid}</p>
      {isEmbedded ? (
        <CopyBlock label={words.addCommandLabel} text={words.addCommand(tenantId)} />
      ) : (
        <AddPerson />
      )}
      <p className="gw-flat gw-dimmed gw-small">{words.roleOrigin}</p>
    </Section>
  );
}
