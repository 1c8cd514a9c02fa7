// Sample data on Home: offered to an empty organization, and removed from there.
import type { SampleDataAnswer } from '@gatewarden/shared/wire/console/sample-data.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useMayAdminister, useReload, useResource, useTenantWrite } from '../api/tenant.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Section } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { sampleTexts as t } from './texts.ts';

/** Offers to load sample data, or to remove it. Shown to Admins only. */
export function SampleData() {
  const mayAdminister = useMayAdminister();
  const { data } = useResource<SampleDataAnswer>('overview', '/sample-data');
  if (!mayAdminister || data === undefined) return null;
  if (data.is_empty) return <LoadSampleData />;
  return data.is_loaded ? <RemoveSampleData others={data.other_devices} /> : null;
}

function LoadSampleData() {
  const write = useTenantWrite();
  const reload = useReloadAll();
  const load = useMutation({
    mutationFn: () => write('POST', '/sample-data'),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: t.loaded });
      reload();
    },
  });
  return (
    <Section title={t.offer}>
      <p className="gw-dimmed gw-flat">{t.offerText}</p>
      <Refusal error={load.error} conflict={t.conflict} />
      <div>
        <Button loading={load.isPending} onClick={() => load.mutate()}>
          {t.load}
        </Button>
      </div>
    </Section>
  );
}

function RemoveSampleData({ others }: { others: number }) {
  const write = useTenantWrite();
  const reload = useReloadAll();
  return (
    <Section title={t.present}>
      <p className="gw-dimmed gw-flat">{t.presentText}</p>
      <div>
        <ConfirmButton
          title={t.removeTitle}
          text={t.removeText(others)}
          action={t.remove}
          done={t.removed}
          run={() => write('DELETE', '/sample-data')}
          onDone={reload}
        />
      </div>
    </Section>
  );
}

/** Returns a function that reloads all lists with sample data. */
function useReloadAll() {
  const reload = useReload();
  return () => {
    for (const topic of ['overrides', 'alerts', 'gateway', 'mcp', 'access-requests'] as const) {
      reload(topic);
    }
  };
}
