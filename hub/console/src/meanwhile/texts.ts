// The texts of a form whose record somebody else changed meanwhile.
import { said } from '../ui/visible.ts';

export const meanwhileTexts = {
  title: 'Somebody else changed this meanwhile',
  text: 'Nothing of yours was stored, and it is kept. What you had not touched stands here as it is now. Store it again to put yours in.',
  both: 'Both of you changed, and yours would take the place of theirs:',
  nowSays: (value: string) => said`now “${value}”`,
  nowEmpty: 'now empty',
} as const;
