// The texts of saved views.
import { said } from '../ui/visible.ts';

export const viewTexts = {
  views: 'Saved views',
  noView: 'Select a view',
  viewName: 'View name',
  saveView: 'Save view',
  viewSaved: 'View saved.',
  viewDeleted: 'View deleted.',
  viewTaken: 'You already have a view with this name. Saving replaces its filters.',
  viewLost: (filters: readonly string[]) =>
    said`Some filters of this view no longer exist (${filters.join(', ')}), so it shows more results. Save the view again.`,
  deleteView: (name: string) => said`Delete the view ${name}`,
} as const;
