// The contract of a discovery source: a file with a name, its platforms and an async generator of sightings.
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { RegistryKey } from './scoped-fs/registry-key.ts';
import type { FolderName } from './scoped-fs/safe-reader.ts';

/** A sighting of a product. The scan adds its id, its source and its owner. */
export interface Discovered {
  kind: EntityKind;
  /** The source's own stable identity of the product, the same on every device: never a version, path or user. */
  key: string;
  name: string;
  version?: string | null;
  publisher?: string | null;
  /** Path of the product on this machine. */
  path?: string | null;
  /** Real paths on this machine; the wire gets the first 64 with the home as `~`. */
  executables?: readonly string[];
  installedAt?: string | null;
  launchHash?: string | null;
  permissions?: readonly string[] | null;
  /** Name that its owner chose, where it differs from the product's name. */
  calledThere?: string | null;
  /** Details of this source. Lists of several sightings are joined. Never a secret. */
  details?: Record<string, unknown>;
  /** How it is started, for telling its process: stays on the device. */
  launch?: Launch | null;
  /** Configuration that contains the product, for taking it out: stays on the device. */
  entry?: ConfigEntry | null;
}

/** A location in a configuration file: the path of the container with the entry, and the entry's key. */
export interface ConfigEntry {
  file: string;
  container: string[];
  /** The launch's key as the file alone gives it, by which the entry is found again. */
  key: string;
}

/** The base name of a command and a distinctive argument: both must be in a process's command line. */
export interface Launch {
  command: string;
  token: string | null;
  /** The project that the launch is relative to: the process works in this folder, or its script lies below it. */
  directory?: string | null;
}

export interface Problem {
  source: string;
  path: string;
  reason: string;
}

export type CoverageState = 'read' | 'absent' | 'unreadable' | 'unparsed' | 'timed_out' | 'skipped';

/** Report of a source about the machine or a home. */
export interface Report {
  source: string;
  owner: string | null;
  state: CoverageState;
  reason: string | null;
  problems: { path: string; reason: string }[];
  found: Discovered[];
  /** Files that the source read, to be watched, as paths on disk. */
  files?: string[];
  /** Folders that are watched for the source's marks. */
  folders?: string[];
  /** Stamp of the machine's part before it was read; missing where the source has none. */
  stamp?: string;
}

/** Paths that change when there is something new for a source: absolute, or below a home. */
export interface WatchedPlaces {
  machine: readonly string[];
  home: readonly string[];
  /** Each file that it read, and what its looks ask to be watched. */
  filesRead?: boolean;
  /** Folders of a home in which a new folder may be of interest; `.` is the home. */
  grown?: readonly string[];
  /** Names that make a watched folder worth a read when they appear in it. */
  marks?: readonly string[];
}

/** Kind of a file or folder, with links followed inside the scope. */
export type FileKind = 'file' | 'folder' | 'other';

/**
 * The file system of the machine, or of a single home. Reads are safe: regular files only, bounded, never outside of
 * a home; errors are recorded and lower the coverage. Paths are `/`-separated: from the root for the machine,
 * relative to the home for a home.
 */
export interface ScopedFs {
  readonly platform: Platform;
  /** Root of the machine's file system: `/`, or a fixture tree. For readers of the distribution's own databases. */
  readonly root: string;
  /** Owner of this home; null: the machine. */
  readonly owner: string | null;
  /** All names of the home on this machine; none for the machine. */
  readonly home: readonly string[];
  /** `PATH` and the XDG variables of the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file's text; null where it is not there or cannot be read, which is then remembered. */
  text(path: string, maxBytes?: number): string | null;
  bytes(path: string, maxBytes?: number): Buffer | null;
  /** Returns a folder's entries in the order of their names, links not followed; none where it is missing. */
  entries(path: string): FolderName[];
  /** A folder's names in order; none where it is not there. */
  names(path: string): string[];
  /** The names of a folder's folders, those behind links included where the look may follow them. */
  folders(path: string): string[];
  kindOf(path: string): FileKind | null;
  /** Returns whether something exists there, including a link that leads out: its reader reports the link. */
  has(path: string): boolean;
  /**
   * Returns whether a folder exists there itself, not behind a link: safe to walk into, because links can form
   * cycles.
   */
  isRealFolder(path: string): boolean;
  /**
   * Returns the paths that match a pattern of segments: `*` within a segment, `**` for up to four folders. In order.
   */
  expand(pattern: string): string[];
  /** Returns the real path, as `toMachinePath` does, of an executable file that may be read; else null. */
  executable(path: string): string | null;
  /** Returns the path as this machine names it. */
  toMachinePath(path: string): string;
  /** From an absolute path as a file on this machine names it to a path of this look; null where it leads out. */
  locate(absolute: string): string | null;
  /** The bytes of a regular file, links followed as far as they may be; null where there is none. Opens nothing. */
  sizeOf(path: string): number | null;
  /** When the file was changed last, or null. */
  changedAt(path: string): string | null;
  /**
   * Returns a real path for a library that opens files itself; null where it is no regular file or may not be read.
   */
  realFile(path: string, maxBytes: number): string | null;
  /** To be watched as if it was read: a file that is not there yet. */
  watchFile(path: string): void;
  /** To be watched for the source's marks. */
  watchFolder(path: string): void;
  /** The registry at and below a key; none on other systems, and where the key is missing. */
  registry(key: string): RegistryKey[];
  /** There is something to look at here, although nothing of it was read through this look. */
  markPresent(): void;
  /** Reports an error: nothing is inferred from this source for this owner. */
  reportError(path: string, state: CoverageState, reason: string): void;
  /** Something odd that takes nothing from what was read. */
  reportNotice(path: string, reason: string): void;
  /** Parses, and reports `unparsed` where that fails; never throws. */
  parse<T>(path: string, parser: () => T): T | null;
  /** To be awaited now and then: lets other work have its turn, and ends the look once its time is used up. */
  yieldToEventLoop(): Promise<void>;
  /** Returns a result that several sources share, computed once for a home. */
  computeOnce<T>(name: string, make: () => Promise<T>): Promise<T>;
}

export interface Source {
  /** Also the source of its entities on the wire. */
  readonly name: string;
  readonly platforms: readonly Platform[];
  readonly scopes: readonly ('machine' | 'home')[];
  /** True: it reads browser profiles, which a company may decide not to look at. */
  readonly readsBrowserProfiles?: boolean;
  /** Makes the source read again within a minute of a change there. */
  readonly watches?: (platform: Platform) => WatchedPlaces;
  /**
   * Returns a text that changes whenever the machine's part may change: cheap, where reading is expensive. Null where
   * there is no such text, and the part is read. A missed change is found by the next full scan.
   */
  stamp?(fs: ScopedFs): string | null;
  /** Never executes what it finds. Called once for the machine and once for each home. */
  discover(fs: ScopedFs): AsyncGenerator<Discovered>;
}
