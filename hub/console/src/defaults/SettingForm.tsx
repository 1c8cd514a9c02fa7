// A setting of the tenant, saved with the version that the user saw. Until the user chooses, the form follows the stored
// value.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useMayAdminister, useReloaded, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Refusal } from '../ui/Refusal.tsx';

type Topic = Parameters<ReturnType<typeof useReloaded>>[0];

export function SettingForm<Value extends object>(props: {
  stored: Value & { version: string };
  path: string;
  topic: Topic;
  isSame(a: Value, b: Value): boolean;
  body(value: Value): object;
  texts: { stored: string; conflict: string; submit: string };
  children(value: Value, choose: (value: Value) => void, mayManage: boolean): ReactNode;
}) {
  const { stored, topic } = props;
  const mayManage = useMayAdminister();
  const write = useTenantWrite();
  const reload = useReloaded();
  const [chosen, setChosen] = useState<{ value: Value; version: string } | null>(null);
  const { value, version } = chosen ?? { value: stored, version: stored.version };
  const store = useMutation({
    mutationFn: () => write('PUT', props.path, { body: props.body(value), ifMatch: version }),
    onSuccess: async () => {
      // The chosen value stays until the stored value has arrived; the former value never flashes.
      await reload(topic);
      setChosen(null);
      notifications.show({ color: 'teal', message: props.texts.stored });
    },
    onError: () => void reload(topic),
  });
  // The stored value equals the choice after an error: an earlier attempt was stored.
  const isThere = store.error !== null && chosen !== null && props.isSame(value, stored);
  const { reset } = store;
  useEffect(() => {
    if (!isThere) return;
    setChosen(null);
    reset();
    notifications.show({ color: 'teal', message: props.texts.stored });
  }, [isThere, reset, props.texts.stored]);
  const undo = () => {
    setChosen(null);
    store.reset();
    void reload(topic);
  };
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate();
      }}
    >
      {props.children(value, (next) => setChosen({ value: next, version }), mayManage)}
      <Refusal error={store.error} conflict={props.texts.conflict} />
      {mayManage ? (
        <div className="gw-form-end">
          <Button variant="default" disabled={chosen === null} onClick={undo}>
            {texts.defaults.reset}
          </Button>
          <Button type="submit" disabled={props.isSame(value, stored)} loading={store.isPending}>
            {props.texts.submit}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
