// Actions on a device: scan now, move, retire, admit again and erase its user. Offered to permitted roles.
import type { DeviceAnswer } from '@gatewarden/shared/wire/console/devices.ts';
import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { topicKey } from '../api/keys.ts';
import { useMayAdminister, useMayDecide, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { deviceTexts } from './device-texts.ts';
import { ErasePerson } from './ErasePerson.tsx';
import { eraseTexts } from './erase-texts.ts';

type Device = DeviceAnswer['device'];

export function DeviceActions({ device }: { device: Device }) {
  const mayDecide = useMayDecide();
  const isAdmin = useMayAdminister();
  const [open, setOpen] = useState<'move' | 'retire' | 'erase' | null>(null);
  const act = useDeviceWrite(device);
  if (!mayDecide) return null;
  const close = () => {
    setOpen(null);
  };
  return (
    <Section title={deviceTexts.actions}>
      <div className="gw-badges">
        {device.retired_at === null ? (
          <Button
            variant="default"
            onClick={() => {
              act.mutate({ method: 'POST', path: '/scan', done: deviceTexts.scanAsked });
            }}
          >
            {deviceTexts.scan}
          </Button>
        ) : null}
        {device.duplicate_since === null ? null : (
          <Button
            variant="default"
            onClick={() => {
              act.mutate({
                method: 'POST',
                path: '/duplicate-solved',
                done: deviceTexts.solvedDone,
              });
            }}
          >
            {deviceTexts.solved}
          </Button>
        )}
        {isAdmin && device.retired_at === null ? (
          <>
            <Button
              variant="default"
              onClick={() => {
                setOpen('move');
              }}
            >
              {deviceTexts.move}
            </Button>
            <Button
              variant="default"
              color="red"
              onClick={() => {
                setOpen('retire');
              }}
            >
              {deviceTexts.retire}
            </Button>
          </>
        ) : null}
        {isAdmin && device.retired_at !== null ? (
          <Button
            variant="default"
            onClick={() => {
              act.mutate({ method: 'POST', path: '/admit', done: deviceTexts.admitted });
            }}
          >
            {deviceTexts.admit}
          </Button>
        ) : null}
        {isAdmin && device.subscriber_id !== ERASED_USER ? (
          <Button variant="default" color="red" onClick={() => setOpen('erase')}>
            {eraseTexts.open}
          </Button>
        ) : null}
      </div>
      {act.isError ? <ErrorPanel error={act.error} title={deviceTexts.failed} /> : null}
      {open === 'move' ? <Move device={device} onClosed={close} /> : null}
      {open === 'retire' ? <Retire device={device} onClosed={close} /> : null}
      {open === 'erase' ? <ErasePerson person={device.subscriber_id} onClosed={close} /> : null}
    </Section>
  );
}

/** The user of a device after the erasure of its user. */
const ERASED_USER = 'erased';

interface DeviceAction {
  method: 'POST' | 'DELETE';
  path: string;
  body?: object;
  done: string;
}

function useDeviceWrite(device: Device) {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const write = useTenantWrite();
  return useMutation({
    mutationFn: ({ method, path, body }: DeviceAction) =>
      write(
        method,
        `/devices/${device.device_id}${path}`,
        method === 'POST' ? { body: body ?? {} } : {},
      ),
    onSuccess: (_answer, act) => {
      notifications.show({ color: 'teal', message: act.done });
      return queries.invalidateQueries({ queryKey: topicKey(tenantId, 'devices') });
    },
  });
}

interface DialogProps {
  device: Device;
  onClosed: () => void;
}

function Move({ device, onClosed }: DialogProps) {
  const [person, setPerson] = useState(device.subscriber_id);
  const act = useDeviceWrite(device);
  return (
    <Dialog title={deviceTexts.move} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            const body = { subscriber_id: person.trim() };
            act.mutate(
              { method: 'POST', path: '/move', body, done: deviceTexts.moved },
              { onSuccess: close },
            );
          }}
        >
          <p className="gw-dimmed gw-flat">{deviceTexts.moveText}</p>
          <TextInput
            label={deviceTexts.person}
            value={person}
            maxLength={128}
            required
            data-autofocus
            onChange={(event) => {
              setPerson(event.currentTarget.value);
            }}
          />
          {act.isError ? <ErrorPanel error={act.error} title={deviceTexts.failed} /> : null}
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={act.isPending}>
              {deviceTexts.move}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Retire({ device, onClosed }: DialogProps) {
  const act = useDeviceWrite(device);
  return (
    <Dialog title={deviceTexts.retireTitle} onClosed={onClosed}>
      {(close) => (
        <div className="gw-form">
          <p className="gw-dimmed gw-flat">{deviceTexts.retireText}</p>
          {act.isError ? <ErrorPanel error={act.error} title={deviceTexts.failed} /> : null}
          <div className="gw-form-end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.ui.cancel}
            </Button>
            <Button
              color="red"
              loading={act.isPending}
              onClick={() => {
                act.mutate(
                  { method: 'DELETE', path: '', done: deviceTexts.retired },
                  { onSuccess: close },
                );
              }}
            >
              {deviceTexts.retire}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
