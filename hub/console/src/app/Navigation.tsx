// The sidebar with the areas, and the tab bar of the current area. Members have only the tab bar.
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { pickRange, type RangeSearch } from '../activity-shell/time-range.ts';
import { openAlertsText, useOpenAlerts } from '../alerts/open-alerts.ts';
import { useTenant } from '../api/tenant.ts';
import { openRequestsText, useOpenRequests } from '../requests/open-requests.ts';
import { texts } from '../texts.ts';
import { linkTo } from './area-link.ts';
import {
  type Area,
  type BadgeName,
  findPlace,
  MY_AREA,
  type Place,
  pathBelowTenant,
  type Tab,
  visibleArea,
  visibleAreas,
} from './areas.ts';
import { navTexts } from './nav-texts.ts';

/** Returns the place of the address in the table of areas; for members always their own area. */
function usePlace(): Place | null {
  const { role } = useTenant();
  const path = useLocation({ select: ({ pathname }) => pathBelowTenant(pathname) });
  const place = findPlace(path);
  if (role !== 'Member' || place?.area.key === 'my') return place;
  return { area: MY_AREA, tab: null, view: null };
}

/** The tabs of Activity share their time range. */
const KEEP_RANGE = { search: ((former: RangeSearch) => pickRange(former)) as never };

/** Marks the area's link; the router marks only the link of the exact page. */
const EXACT = { exact: true, includeSearch: false };

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { role, tenantId } = useTenant();
  const place = usePlace();
  return (
    <nav aria-label={texts.ui.mainNavigation}>
      <ul className="gw-nav">
        {visibleAreas(role).map((area) => (
          <li key={area.key}>
            <Link
              {...linkTo(area.tabs[0]?.path ?? '', tenantId)}
              className="gw-nav-link"
              data-current={area.key === place?.area.key || undefined}
              aria-current={area.key === place?.area.key ? 'true' : undefined}
              activeOptions={EXACT}
              onClick={onChosen}
            >
              <area.Icon size={18} stroke={1.7} aria-hidden />
              <span>{area.text}</span>
              {areaBadges(area).map((name) => (
                <CountBadge key={name} name={name} />
              ))}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const areaBadges = (area: Area): BadgeName[] => area.tabs.flatMap(({ badge }) => badge ?? []);

function CountBadge({ name, inTab = false }: { name: BadgeName; inTab?: boolean }) {
  return name === 'alerts' ? <AlertBadge inTab={inTab} /> : <RequestBadge inTab={inTab} />;
}

function AlertBadge({ inTab }: { inTab: boolean }) {
  const count = openAlertsText(useOpenAlerts().data);
  return <Count count={count} {...(inTab ? {} : { testId: 'open-alerts' })} />;
}

function RequestBadge({ inTab }: { inTab: boolean }) {
  const count = openRequestsText(useOpenRequests().data);
  return <Count count={count} {...(inTab ? {} : { testId: 'open-requests' })} />;
}

function Count({ count, testId }: { count: string | null; testId?: string }) {
  if (count === null) return null;
  return (
    <span className="gw-nav-count" data-testid={testId}>
      <span aria-hidden="true">{count}</span>
      <span className="gw-vh">{navTexts.open(count)}</span>
    </span>
  );
}

/** The tabs of the current area, and the views of the current tab. */
export function AreaTabs() {
  const { role, tenantId } = useTenant();
  const place = usePlace();
  if (place === null) return null;
  const { tabs, text, key } = visibleArea(place.area, role);
  const shown = tabs.filter((tab) => isInBar(tab, place));
  const buttons = tabs.filter((tab) => tab.shown === 'button' && tab.text !== place.tab?.text);
  const isPortal = role === 'Member';
  if (shown.length + buttons.length < 2) return null;
  return (
    <div className="gw-tabs" data-area={key}>
      <nav
        aria-label={isPortal ? texts.ui.mainNavigation : navTexts.pagesLabel(text)}
        className="gw-tab-bar"
      >
        <ul className="gw-tab-list">
          {shown.map((tab) => (
            <li key={tab.text}>
              <TabLink tab={tab} isCurrent={tab.text === place.tab?.text} />
            </li>
          ))}
        </ul>
      </nav>
      {buttons.map((tab) => (
        <Button
          key={tab.text}
          size="xs"
          renderRoot={(props) => <Link {...props} {...linkTo(tab.path, tenantId)} />}
        >
          {tab.text}
        </Button>
      ))}
      <Views place={place} />
    </div>
  );
}

const isInBar = (tab: Tab, place: Place) =>
  tab.shown === undefined || (tab.shown !== 'menu' && tab.text === place.tab?.text);

function TabLink({ tab, isCurrent }: { tab: Tab; isCurrent: boolean }) {
  const { tenantId } = useTenant();
  return (
    <Link
      {...linkTo(tab.path, tenantId)}
      {...(tab.path.startsWith('/activity/') ? KEEP_RANGE : {})}
      className="gw-tab"
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      activeOptions={EXACT}
    >
      {tab.text}
      {tab.badge === undefined ? null : <CountBadge name={tab.badge} inTab />}
    </Link>
  );
}

function Views({ place }: { place: Place }) {
  const { role, tenantId } = useTenant();
  const tab = visibleArea(place.area, role).tabs.find(({ text }) => text === place.tab?.text);
  if (tab?.views === undefined || tab.views.length < 2) return null;
  return (
    <nav aria-label={navTexts.viewsLabel(tab.text)} className="gw-views">
      <ul className="gw-tab-list">
        {tab.views.map((view) => {
          const isCurrent = view.path === place.view?.path;
          return (
            <li key={view.path}>
              <Link
                {...linkTo(view.path, tenantId)}
                className="gw-view"
                data-current={isCurrent || undefined}
                aria-current={isCurrent ? 'page' : undefined}
                activeOptions={EXACT}
              >
                {view.text}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
