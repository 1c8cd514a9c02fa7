// The setup checklist on Home: each step of a new organization with a link, until all steps are done or the list is hidden.
// The hub derives the steps from facts; a browser hides the list for itself.
import type { SetupAnswer } from '@gatewarden/shared/wire/console/setup.ts';
import type { SetupStep } from '@gatewarden/shared/wire/console/setup-steps.ts';
import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMayAdminister, useResource, useTenant } from '../api/tenant.ts';
import { linkTo } from '../app/area-link.ts';
import { Section } from '../ui/Page.tsx';
import { setupTexts as t } from './texts.ts';

const PATHS: Record<SetupStep, string> = {
  device: '/devices/add',
  policy: '/inventory/all',
  notification_channel: '/settings/notifications',
  provider: '/gateway/providers',
  app_key: '/gateway/apps',
  request: '/gateway/apps',
  mcp_server: '/gateway/mcp-servers',
  colleague: '/settings/users',
};

/** Shown to Admins only. */
export function SetupChecklist() {
  const mayAdminister = useMayAdminister();
  return mayAdminister ? <Checklist /> : null;
}

function Checklist() {
  const { tenantId } = useTenant();
  const [isHidden, setHidden] = useLocalStorage({
    ...{ key: `gw-setup-hidden-${tenantId}`, defaultValue: false, getInitialValueInEffect: false },
  });
  const { data } = useResource<SetupAnswer>('setup', isHidden ? null : '/setup', {}, 'aside');
  const done = data?.steps.filter((step) => step.is_done).length ?? 0;
  if (isHidden || data === undefined || done === data.steps.length) return null;
  return (
    <Section
      title={t.title}
      aside={
        <Button size="compact-xs" variant="subtle" onClick={() => setHidden(true)}>
          {t.hide}
        </Button>
      }
    >
      <p className="gw-dimmed gw-small gw-flat">{t.progress(done, data.steps.length)}</p>
      <ol className="gw-setup-steps">
        {data.steps.map(({ step, is_done: isDone }) => (
          <li key={step} data-testid="setup-step" data-done={isDone ? '' : undefined}>
            {isDone ? (
              <>
                <IconCircleCheck size={20} aria-hidden />
                <span>
                  <span className="gw-vh">{t.done}</span> {t.steps[step]}
                </span>
              </>
            ) : (
              <>
                <IconCircle size={20} aria-hidden />
                <Link {...linkTo(PATHS[step], tenantId)} className="gw-link">
                  {t.steps[step]}
                </Link>
              </>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
