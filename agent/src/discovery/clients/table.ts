// How the tables of clients name their places.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** Patterns of paths; tokens such as `{XC}` and `{ED}` are explained in places.ts. */
export interface ClientLocations {
  /** Null: the editor of the folder `{ED}`, or the client of the plug-in. */
  client: string | null;
  /** Below a home. */
  user?: readonly string[];
  /** Below the root of a project. */
  project?: readonly string[];
  /** Below the root of a plug-in. */
  plugin?: readonly string[];
  /** From the root of the machine, by platform. */
  system?: Partial<Record<Platform, readonly string[]>>;
}
