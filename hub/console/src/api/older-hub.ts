// A hub of the release before, beside this one during an upgrade, refuses a field that it does not know yet.
import { ApiError } from './client.ts';

/** Sends `body`; once more without `field` where the hub refuses just that. What is refused so was not done. */
export async function withoutUnknown<Answer>(
  field: string,
  body: Readonly<Record<string, unknown>>,
  send: (body: Readonly<Record<string, unknown>>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(body);
  } catch (error) {
    if (!isUnknown(error, field)) throw error;
    const { [field]: _unknown, ...known } = body;
    return send(known);
  }
}

const isUnknown = (error: unknown, field: string): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.message === `/${field} is not a field of this request`;
