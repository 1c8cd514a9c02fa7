// The policies for apps without a policy of their own, by kind. They are saved together after a preview.
import type {
  DefaultPoliciesAnswer,
  DefaultPoliciesPreviewAnswer,
} from '@gatewarden/shared/wire/console/default-policies.ts';
import { ENTITY_KINDS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isOvertaken } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { useMayAdminister, useReload, useResource, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import type { Both } from '../concurrent-edits/three-way-merge.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { DriftPolicySection } from './DriftPolicy.tsx';
import { bodyOf, changedKinds, type Draft, draftOf, mergedDraft } from './draft.ts';
import { PolicyTable } from './PolicyTable.tsx';
import { TraySettingSection } from './TraySetting.tsx';
import '../policies/policies.css';

export function DefaultPoliciesPage() {
  const answer = useResource<DefaultPoliciesAnswer>('overrides', '/default-policies');
  const shown = shownOf(answer);
  return (
    <Page title={texts.defaults.title} lead={texts.defaults.lead}>
      <div className="gw-stack">
        <Waiting answer={answer} />
        {shown ? <Policies stored={shown} /> : null}
        <DriftPolicySection />
        <TraySettingSection />
      </div>
    </Page>
  );
}

interface Edited {
  draft: Draft;
  /** The stored policies that the draft changes. */
  base: Draft;
  version: string;
}

function labelOf([name = '', field]: readonly string[]): string {
  const kind = oneOf(ENTITY_KINDS, name);
  const what = kind === undefined ? name : texts.kinds[kind];
  return field === 'reason' ? texts.defaults.reasonOf(what) : what;
}

/** Until the user changes a policy, the page follows the stored policies. */
function Policies({ stored }: { stored: DefaultPoliciesAnswer }) {
  const mayManage = useMayAdminister();
  const write = useTenantWrite();
  const reload = useReload();
  const [edited, setEdited] = useState<Edited | null>(null);
  // After an edit conflict: the kinds that both users changed, once the stored policies are loaded.
  const [isOver, setIsOver] = useState(false);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  useEffect(() => {
    if (!isOver || edited === null || edited.version === stored.version) return;
    const base = draftOf(stored.policies);
    const next = mergedDraft(edited.base, edited.draft, base);
    setIsOver(false);
    setEdited({ draft: next.draft, base, version: stored.version });
    setBoth(next.both);
  }, [isOver, edited, stored]);
  const draft = edited?.draft ?? draftOf(stored.policies);
  const changed = edited === null ? [] : changedKinds(draftOf(stored.policies), draft);
  const preview = useSettledPreview<DefaultPoliciesPreviewAnswer>(
    'overrides',
    '/default-policies/preview',
    changed.length === 0 ? null : { policies: bodyOf(draft) },
  );
  const previews = preview.data;
  const store = useMutation({
    mutationFn: () =>
      write<DefaultPoliciesAnswer>('PUT', '/default-policies', {
        body: { policies: bodyOf(draft) },
        ifMatch: edited?.version ?? stored.version,
      }),
    onMutate: () => setBoth(null),
    onError: (error) => {
      if (!isOvertaken(error)) return;
      setIsOver(true);
      reload('overrides');
    },
    onSuccess: () => {
      notifications.show({ color: 'teal', message: texts.defaults.stored });
      setEdited(null);
      reload('overrides');
    },
  });
  const undo = () => {
    setEdited(null);
    setIsOver(false);
    setBoth(null);
    store.reset();
    reload('overrides');
  };
  const table = (
    <PolicyTable
      draft={draft}
      readOnly={!mayManage}
      onChange={(next) => {
        const { base, version } = edited ?? {
          base: draftOf(stored.policies),
          version: stored.version,
        };
        setEdited({ draft: next, base, version });
      }}
    />
  );
  if (!mayManage) return <Section title={texts.defaults.title}>{table}</Section>;
  return (
    <form
      className="gw-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (previews !== undefined) store.mutate();
      }}
    >
      <Section title={texts.defaults.title}>{table}</Section>
      <Section title={texts.defaults.preview}>
        <div
          className="gw-form"
          aria-live="polite"
          data-testid="defaults-preview"
          data-state={previews === undefined ? 'waiting' : 'shown'}
        >
          {changed.length === 0 ? <p className="gw-dimmed">{texts.defaults.unchanged}</p> : null}
          {preview.isError ? (
            <ErrorPanel
              error={preview.error}
              title={texts.defaults.failed}
              onRetry={() => void preview.refetch()}
            />
          ) : null}
          {changed.length > 0 && preview.isPending ? (
            <p className="gw-dimmed">{texts.defaults.loading}</p>
          ) : null}
          {previews === undefined ? null : (
            <ul className="gw-flat">
              {ENTITY_KINDS.filter((kind) => changed.includes(kind)).map((kind) => (
                <li key={kind}>{touchedText(kind, previews)}</li>
              ))}
            </ul>
          )}
          <EditConflict both={both} labelOf={labelOf} />
          {store.error === null || both !== null ? null : (
            <ErrorPanel error={store.error} title={texts.errors.notSaved} />
          )}
          <div className="gw-form-end">
            <Button variant="default" disabled={edited === null} onClick={undo}>
              {texts.defaults.reset}
            </Button>
            <Button
              type="submit"
              disabled={previews === undefined}
              loading={store.isPending}
              title={previews === undefined ? texts.defaults.submitHint : undefined}
            >
              {texts.defaults.submit}
            </Button>
          </div>
        </div>
      </Section>
    </form>
  );
}

function touchedText(
  kind: (typeof ENTITY_KINDS)[number],
  { previews }: DefaultPoliciesPreviewAnswer,
): string {
  const found = previews.find((item) => item.kind === kind);
  if (found === undefined) return texts.defaults.taken(texts.kinds[kind]);
  const touched = texts.defaults.touched(found.devices.count, found.activity.count);
  return `${texts.kinds[kind]}: ${touched}`;
}
