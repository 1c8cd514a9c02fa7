// The adapter of oidc-provider: its models are in PostgreSQL, so that any hub process can continue a sign-in. A sign-in
// before its password is verified is stored in the browser (login-state.ts).
import { sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';
import type { LoginState } from './login-state.ts';

interface Stored {
  payload: AdapterPayload;
  consumed_at: Date | null;
}

/** Models that are written only after a password was verified. */
const STORED_MODELS = ['Interaction', 'Session', 'Grant', 'AuthorizationCode', 'AccessToken'];

/** Returns the adapter factory of oidc-provider on this database. */
export function oidcAdapter(db: Db, state: LoginState): (model: string) => Adapter {
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      if (!STORED_MODELS.includes(model)) throw new Error(`${model} is not stored`);
      // Only the result of a verified password is worth a row.
      if (model === 'Interaction' && payload.result === undefined) return state.write(id, payload);
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await sql`
        INSERT INTO oidc_payloads (model, id, payload, grant_id, uid, user_code, expires_at)
        VALUES (${model}, ${id}, ${JSON.stringify(payload)}::jsonb, ${payload.grantId ?? null},
          ${payload.uid ?? null}, ${payload.userCode ?? null}, ${expiresAt})
        ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload,
          grant_id = excluded.grant_id, uid = excluded.uid, user_code = excluded.user_code,
          expires_at = excluded.expires_at`.execute(db);
    },
    async find(id) {
      const stored = await selectPayload(db, sql`model = ${model} AND id = ${id}`);
      return stored ?? (model === 'Interaction' ? state.read(id) : undefined);
    },
    findByUid: (uid) => selectPayload(db, sql`model = ${model} AND uid = ${uid}`),
    findByUserCode: (code) => selectPayload(db, sql`model = ${model} AND user_code = ${code}`),
    async consume(id) {
      await sql`
        UPDATE oidc_payloads SET consumed_at = now()
        WHERE model = ${model} AND id = ${id}`.execute(db);
    },
    async destroy(id) {
      await sql`DELETE FROM oidc_payloads WHERE model = ${model} AND id = ${id}`.execute(db);
    },
    async revokeByGrantId(grantId) {
      await sql`DELETE FROM oidc_payloads WHERE grant_id = ${grantId}`.execute(db);
    },
  });
}

/** Deletes sessions, interactions and codes of an account: the next sign-in asks for the password. */
export async function deleteSignIns(tx: Tx, accountId: string): Promise<void> {
  await sql`
    DELETE FROM oidc_payloads
    WHERE payload ->> 'accountId' = ${accountId}
      OR payload #>> '{result,login,accountId}' = ${accountId}
      OR payload #>> '{session,accountId}' = ${accountId}`.execute(tx);
}

async function selectPayload(
  db: Db,
  where: ReturnType<typeof sql>,
): Promise<AdapterPayload | undefined> {
  const stored = await row(
    db,
    sql<Stored>`
      SELECT payload, consumed_at FROM oidc_payloads
      WHERE ${where} AND (expires_at IS NULL OR expires_at > now())`,
  );
  if (stored === null) return undefined;
  return stored.consumed_at === null
    ? stored.payload
    : { ...stored.payload, consumed: Math.floor(stored.consumed_at.getTime() / 1000) };
}
