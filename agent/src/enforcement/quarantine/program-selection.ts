// Selects the file of an ended process that is moved aside: never an interpreter, never a file of a package manager
// that supports no diversion.
import { basename } from 'node:path';
import type { Decision } from '@gatewarden/shared/policy.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { isInterpreter } from '../../processes/process-arguments.ts';
import type { CorrelatedProcess, OwnedFile } from '../../processes/process-correlator.ts';
import { findProtectionRule, type SystemContext } from '../protection-rules.ts';

/** Folders of the system's package manager: only dpkg supports diversions. */
const OF_PACKAGES = ['/usr/', '/bin/', '/sbin/', '/lib', '/System/', '/Library/'];
const OF_NOBODY_ELSE = ['/usr/local/'];
/** Images that are mounted, or managed whole. */
const UNTOUCHED = [
  '/snap/',
  '/nix/',
  '/var/lib/flatpak/',
  '/var/lib/snapd/',
  '/proc/',
  '/sys/',
  '/dev/',
];

/** The file that would start it again; null where none may be moved. */
export function selectQuarantineFile(
  correlated: CorrelatedProcess,
  { entity }: Decision<WireOverride>,
  systemContext: SystemContext,
): OwnedFile | null {
  const { script, executable } = correlated;
  const isScript = entity !== null && correlated.scriptEntities.has(entity.entity_id);
  const file = isScript ? script : executable;
  if (file === null || isInterpreter(basename(file.path))) return null;
  if (UNTOUCHED.some((folder) => file.path.startsWith(folder))) return null;
  const ofPackages =
    OF_PACKAGES.some((folder) => file.path.startsWith(folder)) &&
    !OF_NOBODY_ELSE.some((folder) => file.path.startsWith(folder));
  if (ofPackages && file.listed === null) return null;
  const process = { ...correlated.process, executablePath: file.path, name: basename(file.path) };
  const alone = { ...correlated, process, script: null, executable: file };
  return findProtectionRule(alone, systemContext) === null ? file : null;
}
