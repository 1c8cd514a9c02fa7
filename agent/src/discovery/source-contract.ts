// What a discovery source is: one file with a name, its platforms and an async generator of what it found.
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { RegistryKey } from './scoped-fs/windows-registry.ts';

/** One sighting of a product. Its id, its source and its owner are added by who asked the source. */
export interface Discovered {
  kind: EntityKind;
  /** The source's own stable identity of the product, the same on every device: never a version, path or user. */
  key: string;
  name: string;
  version?: string | null;
  publisher?: string | null;
  /** Where it stands, as a path on this machine. */
  path?: string | null;
  /** Real paths on this machine; the wire gets the first 64 with the home as `~`. */
  executables?: readonly string[];
  installedAt?: string | null;
  launchHash?: string | null;
  permissions?: readonly string[] | null;
  /** What its owner calls it there, where that is not the product's name. */
  calledThere?: string | null;
  /** What only this source knows. Lists of several sightings are joined. Never a secret. */
  details?: Record<string, unknown>;
  /** How it is started, for telling its process: stays on the device. */
  launch?: Launch | null;
  /** In which configuration it stands, and where there, for taking it out: stays on the device. */
  entry?: ConfigEntry | null;
}

/** A place in a configuration file: the path of the container that holds the entry, and the entry's key. */
export interface ConfigEntry {
  file: string;
  container: string[];
  /** The launch's key as the file alone gives it, by which the entry is found again. */
  key: string;
}

/** The base name of a command and one argument that tells it from others: both must be in a process's command line. */
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

/** What one source said of one place. */
export interface Report {
  source: string;
  owner: string | null;
  state: CoverageState;
  reason: string | null;
  problems: { path: string; reason: string }[];
  found: Discovered[];
  /** Where the source wants them watched: the files that it read, as this machine's file system has them. */
  files?: string[];
  /** Folders in which one of the marks that the source watches for may come to stand. */
  folders?: string[];
  /** What the machine's part was like before it was read; nothing where the source has no sign of that. */
  stamp?: string;
}

/** Where a change tells that a source has something new: files and folders, absolute, or below a home. */
export interface WatchedPlaces {
  machine: readonly string[];
  home: readonly string[];
  /** Each file that it read, and what its looks ask to be watched. */
  filesRead?: boolean;
  /** Folders of a home in which a new folder may hold something; `.` is the home. */
  grown?: readonly string[];
  /** Names that make a folder worth reading when they come to stand in one that a look asked to be watched. */
  marks?: readonly string[];
}

/** What a file or folder is, with links followed as far as the look may follow them. */
export type FileKind = 'file' | 'folder' | 'other';

/**
 * One look at one place: the machine, or one person's home. What it is asked to read it reads safely: regular files only,
 * bounded, never out of a home; what fails is remembered as trouble and shows in the coverage.
 * Paths are `/`-separated: from the root in a machine's look, relative to the home in a home's.
 */
export interface ScopedFs {
  readonly platform: Platform;
  /** Where the machine's file system begins: `/`, or a fixture tree. For readers of the distribution's own databases. */
  readonly root: string;
  /** Whose home this is; null: the machine. */
  readonly owner: string | null;
  /** That home as this machine says it, by all its names; none for the machine. */
  readonly home: readonly string[];
  /** `PATH` and the XDG variables of the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file's text; null where it is not there or cannot be read, which is then remembered. */
  text(path: string, maxBytes?: number): string | null;
  bytes(path: string, maxBytes?: number): Buffer | null;
  /** A folder's names in order; none where it is not there. */
  names(path: string): string[];
  /** The names of a folder's folders, those behind links included where the look may follow them. */
  folders(path: string): string[];
  kindOf(path: string): FileKind | null;
  /** True where something stands there, also a link that leads out: who reads it is then told so. */
  has(path: string): boolean;
  /** True for a folder that stands there itself, not behind a link: safe to walk into, for links can go round. */
  isRealFolder(path: string): boolean;
  /** What fits a pattern of segments: `*` within a segment, `**` for up to four folders. In order. */
  expand(pattern: string): string[];
  /** The real path, as `shown` says it, of an executable file that the look may see; else null. */
  executable(path: string): string | null;
  /** The path as this machine says it. */
  toMachinePath(path: string): string;
  /** From an absolute path as a file on this machine names it to a path of this look; null where it leads out. */
  locate(absolute: string): string | null;
  /** The bytes of a regular file, links followed as far as they may be; null where there is none. Opens nothing. */
  sizeOf(path: string): number | null;
  /** When the file was changed last, or null. */
  changedAt(path: string): string | null;
  /** A real path to open with a library that wants one. Null where it is no regular file or may not be read. */
  realFile(path: string, maxBytes: number): string | null;
  /** To be watched as if it was read: a file that is not there yet. */
  watchFile(path: string): void;
  /** To be watched for the source's marks. */
  watchFolder(path: string): void;
  /** The registry below a key, in Windows' own export form; none elsewhere or where it is not there. */
  registry(key: string): Promise<RegistryKey[]>;
  /** There is something to look at here, although nothing of it was read through this look. */
  markPresent(): void;
  /** Something could not be looked at to its end: it is told, and nothing is inferred from this source for this owner. */
  reportError(path: string, state: CoverageState, reason: string): void;
  /** Something odd that takes nothing from what was read. */
  reportNotice(path: string, reason: string): void;
  /** Parses, and says `unparsed` where that fails; never throws. */
  parse<T>(path: string, parser: () => T): T | null;
  /** To be awaited now and then: lets other work have its turn, and ends the look once its time is used up. */
  yieldToEventLoop(): Promise<void>;
  /** What several sources want of the same home, found once. */
  computeOnce<T>(name: string, make: () => Promise<T>): Promise<T>;
}

export interface Source {
  /** Also the source of its entities on the wire. */
  readonly name: string;
  readonly platforms: readonly Platform[];
  readonly scopes: readonly ('machine' | 'home')[];
  /** True: it reads browser profiles, which a company may decide not to look at. */
  readonly readsBrowserProfiles?: boolean;
  /** Makes it one that is read again within a minute of a change there. */
  readonly watches?: (platform: Platform) => WatchedPlaces;
  /**
   * A text that is another one whenever the machine's part may say something else: cheap to make, where reading is dear.
   * Null where nothing tells, and then it is read. What it misses comes with the next scan that reads everything.
   */
  stamp?(fs: ScopedFs): string | null;
  /** Never executes what it finds. Called once for the machine and once for each home. */
  discover(fs: ScopedFs): AsyncGenerator<Discovered>;
}
