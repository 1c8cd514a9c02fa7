// What a discovery source is: one file with a name, its platforms and an async generator of what it found.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Home } from './homes.ts';

export interface DiscoverContext {
  platform: Platform;
  /** Where the file system begins: `/`, or a fixture tree. */
  root: string;
  homes: readonly Home[];
  /** `PATH` and the XDG variables of the service. */
  env: Readonly<Record<string, string | undefined>>;
  /** True once the time of this source is used up: it should end and say `timed_out`. */
  isOverdue(): boolean;
}

export type DiscoveredEntity = Omit<WireEntity, 'removed' | 'executables'> & {
  kind: EntityKind;
  /** All of them, as real paths on this machine; the wire gets the first 64 with the home as `~`. */
  executables: string[];
};

export interface Problem {
  source: string;
  path: string;
  reason: string;
}

export type CoverageState = 'read' | 'absent' | 'unreadable' | 'unparsed' | 'timed_out' | 'skipped';

export type Finding =
  | { is: 'entity'; owner: string | null; entity: DiscoveredEntity }
  | { is: 'problem'; path: string; reason: string }
  | { is: 'coverage'; owner: string | null; state: CoverageState; reason: string | null };

export interface Source {
  readonly name: string;
  readonly platforms: readonly Platform[];
  /** Never executes what it finds, never follows a link out of what it reads. */
  discover(context: DiscoverContext): AsyncGenerator<Finding>;
}
