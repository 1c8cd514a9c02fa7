// Finds an agent of the whole machine beside an agent of a user: two agents would report the device twice.
import { readRegistryValues } from '../native/windows/registry.ts';
import { SERVICE_NAME } from '../native/windows/service-control.ts';
import { PlainError } from '../runtime/errors.ts';
import { agentScope } from './agent-scope.ts';

const SERVICE_KEY = `HKLM\\SYSTEM\\CurrentControlSet\\Services\\${SERVICE_NAME}`;

/** Throws a `PlainError` in a user's agent on Windows where the service of a machine's agent is installed. */
export function refuseBesideMachineAgent(): void {
  if (process.platform !== 'win32' || agentScope() === 'machine') return;
  if (readRegistryValues(SERVICE_KEY) === null) return;
  throw new PlainError(
    `the service ${SERVICE_NAME} serves all users of this device: uninstall this user's agent`,
  );
}
