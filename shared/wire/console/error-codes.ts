// /errors.json: every error code of the hub with its status, its cause and its cure. Backticks in the texts are code.
import { type Static, Type } from 'typebox';

export const ExplainedError = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  section: Type.String({ description: 'what kind of error it is, in words' }),
  cause: Type.String(),
  cure: Type.String(),
});
export type ExplainedError = Static<typeof ExplainedError>;

export const ErrorCodesAnswer = Type.Object({ errors: Type.Array(ExplainedError) });
export type ErrorCodesAnswer = Static<typeof ErrorCodesAnswer>;
