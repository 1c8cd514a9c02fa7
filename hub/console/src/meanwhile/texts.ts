// The texts of a form whose record somebody else changed meanwhile.
import { said } from '../ui/visible.ts';

export const meanwhileTexts = {
  title: 'Somebody else changed this meanwhile',
  text: 'Nothing of yours was stored, and it is kept. What you had not touched stands here as it is now. Store it again to put yours in.',
  secretTakenOut: (address: string) =>
    said`The address is ${address} now. The secret that you typed was for another one and is taken out: type it again if it should go there.`,
  both: 'Both of you changed, and yours would take the place of theirs:',
  nowSays: (value: string) => said`now “${value}”`,
  nowEmpty: 'now empty',
} as const;
