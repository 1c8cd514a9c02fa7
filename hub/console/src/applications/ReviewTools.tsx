// The toolbar of the app list: selection, saved views, downloads and keyboard shortcuts.
import { Button } from '@mantine/core';
import type { QueryParams } from '../api/query-string.ts';
import { applicationsSearch } from '../app/search.ts';
import { SavedViews } from '../saved-views/SavedViews.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { reviewTexts as words } from './review-texts.ts';

interface ReviewToolsProps {
  search: QueryParams;
  onView: (search: Readonly<Record<string, string>>) => void;
  onKeys: () => void;
}

export function ReviewTools({ search, onView, onKeys }: ReviewToolsProps) {
  return (
    <div className="gw-row-actions">
      <SavedViews list="applications" search={search} parse={applicationsSearch} onView={onView} />
      <Downloads path="/discovered-apps/download" filter={search} />
      <Button size="xs" variant="default" onClick={onKeys}>
        {words.keys}
      </Button>
    </div>
  );
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keysTitle} onClosed={onClose}>
      {() => (
        <dl className="gw-keys">
          {words.keyList.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  );
}
