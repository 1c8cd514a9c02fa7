// Texts of edit conflicts.
import { visibleText } from '../ui/visible.ts';

export const editConflictTexts = {
  title: 'Someone else changed this',
  text: 'Your changes weren’t saved, and your input is still here. Fields you didn’t edit now show the latest values. Save again to apply your changes.',
  secretTakenOut: (address: string) =>
    visibleText`The URL is now ${address}. The secret you entered was for another URL and was cleared. Enter it again if you want to send it there.`,
  both: 'You both changed these fields. Saving overwrites their values:',
  nowSays: (value: string) => visibleText`now “${value}”`,
  nowEmpty: 'now empty',
} as const;
