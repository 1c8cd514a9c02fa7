// Decides which accounts of a device may act for the user that it is enrolled for, such as to file access requests.
// The local socket is open to all accounts; a key that only a single account can read identifies the caller.
import { basename } from 'node:path';
import type { Home } from '../discovery/homes/home-list.ts';
import { PlainError } from '../runtime/errors.ts';
import type { UserKeys } from './user-keys.ts';

export interface OwnerCheckParts {
  people: Pick<UserKeys, 'uidOf'>;
  homes: () => readonly Pick<Home, 'uid' | 'path'>[];
  /** `backend.owner` of agent.toml: the name or the id of an account. */
  owner: string | null;
  /** The account of the service; null on Windows, where keys do not exist. */
  serviceUid: number | null;
}

/**
 * Returns a check that throws a `PlainError` unless the key belongs to the owner, to root or to the service's
 * account. Without `backend.owner` the owner is the only account with a home; several accounts need the setting.
 */
export function createOwnerCheck(parts: OwnerCheckParts): (key: string | null) => void {
  const { people, homes, owner, serviceUid } = parts;
  return (key) => {
    // Windows offers no key that only a single account can read.
    if (serviceUid === null) return;
    const uid = people.uidOf(key);
    if (uid === null) {
      throw new PlainError('only the owner of this device may do this, with their own account');
    }
    if (uid === 0 || uid === serviceUid) return;
    const accounts = homes().filter((home) => home.uid !== null && home.uid !== serviceUid);
    if (owner === null && accounts.length > 1) {
      throw new PlainError(
        'several people use this device: an administrator names its owner with backend.owner in agent.toml',
      );
    }
    const isOwner = accounts.some(
      (home) =>
        home.uid === uid &&
        (owner === null || owner === String(uid) || owner === basename(home.path)),
    );
    if (!isOwner) throw new PlainError('only the owner of this device may do this');
  };
}
