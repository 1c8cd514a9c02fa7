// Keys of the Windows registry, as discovery reads them.

export interface RegistryKey {
  /** The full path, with the short name of its hive: `HKLM\\SOFTWARE\\…`. */
  path: string;
  /** Texts and whole numbers by lower-case name; other types are left out. */
  values: ReadonlyMap<string, string | number>;
}

/** Returns a key with everything below it; null where the key is missing. Throws where it cannot be read. */
export type ReadRegistry = (key: string) => RegistryKey[] | null;
