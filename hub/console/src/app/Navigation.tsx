// The pages of a tenant, with the number of open alerts.
import {
  IconActivity,
  IconApi,
  IconApps,
  IconBell,
  IconBellShare,
  IconBooks,
  IconBox,
  IconChartBar,
  IconCoins,
  IconDeviceLaptop,
  IconDevices,
  IconDownload,
  IconFileExport,
  IconGavel,
  IconHandStop,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconKeyOff,
  IconLayoutDashboard,
  IconLink,
  IconListDetails,
  IconLogin2,
  IconMessages,
  IconPlugConnected,
  IconQuestionMark,
  IconShieldCheck,
  IconStack2,
  IconThumbUp,
  IconTool,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconVersions,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { openAlertsText, useOpenAlerts } from '../alerts/open-alerts.ts';
import { useMayAdminister, useTenant } from '../api/tenant.ts';
import { ownDeviceTexts } from '../own/device-texts.ts';
import { ownRequestTexts } from '../own/request-texts.ts';
import { requestTexts } from '../requests/texts.ts';
import { settingsNav } from '../settings/nav-texts.ts';
import { texts } from '../texts.ts';

const DEVICE_PAGES = [
  { to: '/t/$tenantId/overview', text: texts.nav.overview, Icon: IconLayoutDashboard },
  { to: '/t/$tenantId/applications', text: texts.nav.applications, Icon: IconApps },
  { to: '/t/$tenantId/devices', text: texts.nav.devices, Icon: IconDevices },
  { to: '/t/$tenantId/device-groups', text: texts.nav.groups, Icon: IconStack2 },
  { to: '/t/$tenantId/unknown-processes', text: texts.nav.processes, Icon: IconQuestionMark },
  { to: '/t/$tenantId/decisions', text: texts.nav.decisions, Icon: IconGavel },
  { to: '/t/$tenantId/access-requests', text: requestTexts.nav, Icon: IconHandStop },
  { to: '/t/$tenantId/default-policies', text: texts.nav.defaults, Icon: IconShieldCheck },
  { to: '/t/$tenantId/alerts', text: texts.nav.alerts, Icon: IconBell, counted: true },
  {
    to: '/t/$tenantId/alert-routes',
    text: texts.nav.alertRoutes,
    Icon: IconBellShare,
    forAdmins: true,
  },
  { to: '/t/$tenantId/activity', text: texts.nav.activity, Icon: IconActivity },
] as const;

const GATEWAY_PAGES = [
  { to: '/t/$tenantId/gateway/apps', text: texts.nav.gatewayApps, Icon: IconBox },
  { to: '/t/$tenantId/gateway/providers', text: texts.nav.providers, Icon: IconPlugConnected },
  { to: '/t/$tenantId/gateway/requests', text: texts.nav.requests, Icon: IconMessages },
  { to: '/t/$tenantId/gateway/usage', text: texts.nav.usage, Icon: IconCoins },
  { to: '/t/$tenantId/gateway/metrics', text: texts.nav.metrics, Icon: IconChartBar },
  { to: '/t/$tenantId/gateway/export-keys', text: texts.nav.exportKeys, Icon: IconFileExport },
  { to: '/t/$tenantId/gateway/catalogs', text: texts.nav.catalogs, Icon: IconBooks },
  { to: '/t/$tenantId/gateway/audit', text: texts.nav.gatewayAudit, Icon: IconHistory },
] as const;

const MCP_PAGES = [
  { to: '/t/$tenantId/mcp-servers', text: texts.nav.mcpServers, Icon: IconPlugConnected },
  { to: '/t/$tenantId/gateway/tool-calls', text: texts.nav.toolCalls, Icon: IconTool },
  { to: '/t/$tenantId/people-groups', text: texts.nav.peopleGroups, Icon: IconUsersGroup },
  { to: '/t/$tenantId/approvals', text: texts.nav.approvals, Icon: IconThumbUp, forMembers: true },
  { to: '/t/$tenantId/connect', text: texts.nav.connect, Icon: IconLink, forMembers: true },
  {
    to: '/t/$tenantId/connections',
    text: texts.nav.connections,
    Icon: IconKey,
    forMembers: true,
  },
] as const;

const OWN_PAGES = [
  {
    to: '/t/$tenantId/my-devices',
    text: ownDeviceTexts.nav,
    Icon: IconDeviceLaptop,
    forMembers: true,
  },
  {
    to: '/t/$tenantId/my-calls',
    text: texts.own.calls.nav,
    Icon: IconTool,
    forMembers: true,
  },
  {
    to: '/t/$tenantId/my-requests',
    text: ownRequestTexts.nav,
    Icon: IconMessages,
    forMembers: true,
  },
  {
    to: '/t/$tenantId/my-sessions',
    text: settingsNav.sessions,
    Icon: IconUserShield,
    forMembers: true,
  },
] as const;

const SETTINGS_PAGES = [
  { to: '/t/$tenantId/people', text: settingsNav.people, Icon: IconUsers, forAdmins: true },
  {
    to: '/t/$tenantId/enrolment',
    text: settingsNav.enrolment,
    Icon: IconDownload,
    forAdmins: true,
  },
  { to: '/t/$tenantId/agent-releases', text: settingsNav.releases, Icon: IconVersions },
  {
    to: '/t/$tenantId/keys',
    text: settingsNav.keys,
    Icon: IconKeyOff,
    forAdmins: true,
  },
  { to: '/t/$tenantId/settings', text: settingsNav.settings, Icon: IconLogin2, forAdmins: true },
  { to: '/t/$tenantId/audit', text: settingsNav.audit, Icon: IconListDetails, forAdmins: true },
  {
    to: '/t/$tenantId/hub-health',
    text: settingsNav.health,
    Icon: IconHeartbeat,
    forAdmins: true,
  },
  {
    to: '/t/$tenantId/reference',
    text: settingsNav.reference,
    Icon: IconApi,
    forMembers: true,
  },
] as const;

const PARTS = [
  { name: texts.nav.devicesPart, pages: DEVICE_PAGES },
  { name: texts.nav.gatewayPart, pages: GATEWAY_PAGES },
  { name: texts.nav.mcpPart, pages: MCP_PAGES },
  { name: settingsNav.part, pages: SETTINGS_PAGES },
  { name: ownDeviceTexts.part, pages: OWN_PAGES },
] as const;

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { tenantId } = useTenant();
  const mayAdminister = useMayAdminister();
  const isMember = useTenant().role === 'Member';
  return (
    <nav aria-label={texts.ui.mainNavigation}>
      {PARTS.map((part) => ({
        ...part,
        pages: part.pages.filter(
          (page) =>
            (mayAdminister || !('forAdmins' in page)) && (!isMember || 'forMembers' in page),
        ),
      }))
        .filter((part) => part.pages.length > 0)
        .map((part) => (
          <section key={part.name} aria-label={part.name}>
            <h2 className="gw-nav-part">{part.name}</h2>
            <ul className="gw-nav">
              {part.pages.map((page) => (
                <li key={page.to}>
                  <Link
                    to={page.to}
                    params={{ tenantId }}
                    className="gw-nav-link"
                    onClick={onChosen}
                  >
                    <page.Icon size={18} stroke={1.7} aria-hidden />
                    <span>{page.text}</span>
                    {'counted' in page ? <OpenCount /> : null}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </nav>
  );
}

function OpenCount() {
  const open = useOpenAlerts();
  const count = openAlertsText(open.data);
  if (count === null) return null;
  return (
    <span className="gw-nav-count" data-testid="open-alerts">
      <span aria-hidden="true">{count}</span>
      <span className="gw-vh">{texts.nav.openAlerts(count)}</span>
    </span>
  );
}
