// A hub of the previous release, which runs during an upgrade, rejects unknown fields.
import { ApiError } from './client.ts';

/** Sends `body`, and again without `field` if the hub rejects only this field. A rejected request has no effect. */
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
