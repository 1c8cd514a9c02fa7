// How a child gives up root for good, before it touches anything of a home's owner.

/** Real, effective and saved ids, and no group of ours besides. Throws where that did not work. */
export function becomeOwner({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid) {
    throw new Error('the privileges of root could not be given up');
  }
}
