// The current tenant, and a menu to switch for users of several tenants.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { visible, visibleText } from '../ui/visible.ts';
import { useSignedIn } from './SignedIn.tsx';

export function TenantMenu() {
  const { tenantId, name } = useTenant();
  const { tenants } = useSignedIn();
  const navigate = useNavigate();
  if (tenants.length < 2) {
    return (
      <bdi className="gw-tenant" title={visible(name)}>
        {visible(name)}
      </bdi>
    );
  }
  return (
    <Menu position="bottom-start" width={260} shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className="gw-tenant-switch"
          aria-label={visibleText`${texts.account.tenant}: ${name}`}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <bdi>{visible(name)}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.account.tenant}</Menu.Label>
        <Menu.RadioGroup
          aria-label={texts.account.tenant}
          value={tenantId}
          onChange={(next) => void navigate({ to: '/t/$tenantId', params: { tenantId: next } })}
        >
          {tenants.map((tenant) => (
            <Menu.RadioItem key={tenant.tenant_id} value={tenant.tenant_id}>
              <bdi className="gw-name">{visible(tenant.name)}</bdi>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
