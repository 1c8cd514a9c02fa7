// The account menu: the signed-in user, appearance, and sign-out.
import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBook,
  IconFileCode,
  IconLogout,
  IconTerminal2,
  IconUserCircle,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { oneOf } from '../api/query-string.ts';
import { signOut } from '../api/session.ts';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { linkTo } from './area-link.ts';
import { MY_AREA } from './areas.ts';
import { navTexts } from './nav-texts.ts';
import { asCurl, asYaml, listReads } from './page-as.ts';
import { switchSingleKeys, useSingleKeys } from './single-keys.ts';
import { pageAsTexts } from './texts.ts';

const SCHEMES = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[];

/** Copies the page's requests as commands and its responses as YAML; not for members, who have no tokens. */
function PageAs() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const take = async (make: () => string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await make());
      notifications.show({ message: pageAsTexts.taken });
    } catch {
      // The clipboard is unavailable over plain HTTP, and if the user denied access.
      notifications.show({ color: 'red', message: pageAsTexts.notTaken });
    }
  };
  const reads = () => listReads(queries, tenantId);
  return (
    <>
      <Menu.Item
        leftSection={<IconTerminal2 size={16} aria-hidden />}
        onClick={() => void take(() => asCurl(reads(), window.location.origin))}
      >
        {pageAsTexts.curl}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFileCode size={16} aria-hidden />}
        onClick={() => void take(() => asYaml(reads()))}
      >
        {pageAsTexts.yaml}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

function SingleKeys() {
  const on = useSingleKeys();
  return (
    <>
      <Menu.CheckboxItem checked={on} onChange={switchSingleKeys} closeMenuOnClick={false}>
        {navTexts.singleKeys}
      </Menu.CheckboxItem>
      <Menu.Divider />
    </>
  );
}

/** The user's own pages; members have them as tabs already, except their sessions and the API reference. */
function Workspace() {
  const { tenantId, role } = useTenant();
  const isMember = role === 'Member';
  const tabs = MY_AREA.tabs.filter((tab) => !isMember || tab.shown === 'menu');
  return (
    <>
      <Menu.Label>{MY_AREA.text}</Menu.Label>
      {tabs.map((tab) => (
        <Menu.Item
          key={tab.path}
          renderRoot={(props) => <Link {...props} {...linkTo(tab.path, tenantId)} />}
        >
          {tab.text}
        </Menu.Item>
      ))}
      {isMember ? (
        <Menu.Item
          renderRoot={(props) => (
            <Link {...props} to="/t/$tenantId/settings/api-reference" params={{ tenantId }} />
          )}
        >
          {navTexts.settings.reference}
        </Menu.Item>
      ) : null}
    </>
  );
}

export function AccountMenu() {
  const { email, role, csrfToken } = useTenant();
  // Mantine would pause transitions with an injected <style>, which the security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const leave = async () => {
    try {
      await signOut(csrfToken);
    } catch (error) {
      notifications.show({
        color: 'red',
        title: texts.account.signOutFailed,
        message: noticeOf(error),
      });
    }
  };
  return (
    <Menu position="bottom-end" width={260} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className="gw-account"
          aria-label={`${texts.account.menu}: ${email}`}
          leftSection={<IconUserCircle size={20} stroke={1.6} aria-hidden />}
        >
          <span className="gw-account-name">{email}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi className="gw-name">{email}</bdi>
          <br />
          {texts.account.role}: {role}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{texts.account.theme}</Menu.Label>
        <Menu.RadioGroup
          aria-label={texts.account.theme}
          value={colorScheme}
          onChange={(value) => {
            setColorScheme(oneOf(SCHEMES, value) ?? 'auto');
          }}
        >
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {texts.account[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {role === 'Member' ? null : <SingleKeys />}
        <Workspace />
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/docs/"
          target="_blank"
          leftSection={<IconBook size={16} aria-hidden />}
        >
          {navTexts.documentation}
        </Menu.Item>
        {role === 'Member' ? null : <PageAs />}
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {texts.account.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
