// /errors.json: every error code of the hub with its status, cause and remedy. Backticks in the texts are code.
import { type Static, Type } from 'typebox';

export const ExplainedError = Type.Object({
  code: Type.String(),
  status: Type.Integer(),
  section: Type.String({ description: 'The group of the error in the error reference.' }),
  cause: Type.String(),
  cure: Type.String(),
});
export type ExplainedError = Static<typeof ExplainedError>;

export const ErrorCodesAnswer = Type.Object({ errors: Type.Array(ExplainedError) });
export type ErrorCodesAnswer = Static<typeof ErrorCodesAnswer>;
