// Similar apps, to be added to the selection of a bulk policy.
import type {
  SimilarAnswer,
  SimilarApplication,
} from '@gatewarden/shared/wire/console/applications.ts';
import { Button } from '@mantine/core';
import { useResource } from '../api/tenant.ts';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { ApprovalBadge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { ApplicationLink } from './ApplicationLink.tsx';
import { reviewTexts as words } from './review-texts.ts';

interface SimilarProps {
  entityId: string;
  /** Selected apps are not suggested. */
  selected: ReadonlyMap<string, string>;
  onAdd: (some: readonly { entity_id: string; name: string }[]) => void;
}

const useSimilar = (entityId: string) =>
  useResource<SimilarAnswer>('applications', `/discovered-apps/${entityId}/similar`, {}, 'aside');

/** Renders nothing without similar apps. */
export function SimilarToSelected({ entityId, selected, onAdd }: SimilarProps) {
  const answer = useSimilar(entityId);
  const left = (answer.data?.items ?? []).filter((item) => !selected.has(item.entity_id));
  if (left.length === 0) return null;
  return (
    <section
      className="gw-notice gw-alike"
      aria-label={words.similarTo(selected.get(entityId) ?? '')}
    >
      <span>{words.similarTo(selected.get(entityId) ?? '')}</span>
      {left.map((item) => (
        <Button
          key={item.entity_id}
          size="compact-xs"
          variant="default"
          title={whyText(item)}
          data-testid="similar"
          onClick={() => onAdd([item])}
        >
          <Name
            value={words.add(item.name, texts.platforms[item.platform], sourceLabel(item.source))}
          />
        </Button>
      ))}
      {left.length > 1 ? (
        <Button size="compact-xs" onClick={() => onAdd(left)}>
          {words.addAll(left.length)}
        </Button>
      ) : null}
    </section>
  );
}

/** The similar apps on the page of an app. */
export function SimilarList({ entityId }: { entityId: string }) {
  const answer = useSimilar(entityId);
  const items = answer.data?.items ?? [];
  if (items.length === 0) return <p className="gw-dimmed">{words.similarNone}</p>;
  return (
    <ul className="gw-plain-list">
      {items.map((item) => (
        <li key={item.entity_id} data-testid="similar">
          <ApplicationLink entityId={item.entity_id} name={item.name} />{' '}
          <ApprovalBadge status={item.approval_status} />
          <div className="gw-dimmed gw-small">
            {texts.kinds[item.kind]} · <Name value={sourceLabel(item.source)} /> ·{' '}
            {texts.platforms[item.platform]} · {words.devices(item.device_count)} · {whyText(item)}
          </div>
        </li>
      ))}
    </ul>
  );
}

const whyText = ({ why }: SimilarApplication): string =>
  why.map((reason) => words.likeness[reason]).join(', ');
