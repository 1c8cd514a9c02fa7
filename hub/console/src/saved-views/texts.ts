// The texts of saved views.
import { visible } from '../ui/visible.ts';

export const viewTexts = {
  views: 'Saved views',
  noView: 'Select a view',
  viewName: 'View name',
  saveView: 'Save view',
  viewSaved: 'View saved.',
  viewDeleted: 'View deleted.',
  viewTaken: 'You already have a view with this name. Saving replaces its filters.',
  viewLost: (filters: readonly string[]) =>
    `Some filters of this view no longer exist (${visible(filters.join(', '))}), so it shows more results. Save the view again.`,
  deleteView: (name: string) => `Delete the view ${visible(name)}`,
} as const;
