// Erases a user without a device: a user of a gateway, of an access request or of a policy.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErasePerson } from '../devices/ErasePerson.tsx';
import { eraseTexts as words } from '../devices/erase-texts.ts';
import { Section } from '../ui/Page.tsx';

export function EraseUserByName() {
  const [name, setName] = useState('');
  const [subject, setSubject] = useState<string | null>(null);
  return (
    <Section title={words.somebodyTitle}>
      <p className="gw-flat gw-dimmed">{words.somebodyText}</p>
      <form
        className="gw-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') setSubject(name.trim());
        }}
      >
        <TextInput
          label={words.somebodyName}
          value={name}
          maxLength={128}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="gw-form-end">
          <Button type="submit" variant="default" color="red" disabled={name.trim() === ''}>
            {words.open}
          </Button>
        </div>
      </form>
      {subject === null ? null : <ErasePerson person={subject} onClosed={() => setSubject(null)} />}
    </Section>
  );
}
