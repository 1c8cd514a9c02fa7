import { expect, test } from 'vitest';
import { requireConsent, type Terminal } from './terminal.ts';

/** A terminal whose person gives this answer. */
const terminal = (isInteractive: boolean, answer: boolean): Terminal => ({
  isInteractive,
  confirm: async () => answer,
  input: async () => '',
  password: async () => '',
});

test('requires --yes without a terminal, except for commands of the operating contract', async () => {
  const script = terminal(false, true);
  await expect(requireConsent(script, {}, 'Retire it?')).rejects.toThrow(
    'Retire it? Add --yes to confirm, or --dry-run to see what would happen',
  );
  await expect(requireConsent(undefined, {}, 'Retire it?')).rejects.toThrow(/--yes/);
  await requireConsent(script, { yes: true }, 'Retire it?');
  await requireConsent(script, { isScripted: true }, 'Retire it?');
});

test('ends with a negative answer when the person at the terminal declines', async () => {
  await requireConsent(terminal(true, true), {}, 'Retire it?');
  await expect(
    requireConsent(terminal(true, false), { isScripted: true }, 'Retire it?'),
  ).rejects.toMatchObject({ exitCode: 1, code: 'canceled' });
});
