// Runs the agent as a Windows service: it implements the protocol of the service control manager (SCM), because
// Node.js does not. States: start pending (until the SCM calls `ServiceMain`) → running → stop pending (a stop or a shutdown
// was requested) → stopped (reported after the orderly end).
//
// https://learn.microsoft.com/windows/win32/services/service-control-manager
import type { KoffiFunc } from 'koffi';
import { PlainError } from '../../runtime/errors.ts';
import { loadKoffi } from '../native-library.ts';

/** The name of the service in the SCM, as the installers register it. */
export const SERVICE_NAME = 'gatewarden-agent';

const OWN_PROCESS = 0x10;
const STATES = { stopped: 1, startPending: 2, stopPending: 3, running: 4 } as const;
const CONTROL_STOP = 1;
const CONTROL_SHUTDOWN = 5;
const ACCEPT_STOP_AND_SHUTDOWN = 0x1 | 0x4;
const NO_ERROR = 0;
const ERROR_CALL_NOT_IMPLEMENTED = 120;
const CONTROL_INTERROGATE = 4;
/** The time that the SCM waits for the orderly end, in milliseconds. */
const STOP_HINT_MS = 20_000;

export interface WindowsService {
  /** Resolves when the SCM requests a stop, with its reason. */
  stopRequested: Promise<string>;
  /** Reports the end to the SCM. An end without this report is a crash, which the SCM answers by its recovery actions. */
  reportStopped(): void;
}

/**
 * Connects the process to the SCM and reports `running`. Rejects with a PlainError in a process that the SCM did not start.
 * The dispatcher blocks a thread of koffi until the service has stopped; koffi runs its callbacks on the main thread.
 */
export function connectToServiceManager(name: string = SERVICE_NAME): Promise<WindowsService> {
  const scm = loadFunctions();
  let handle: number | null = null;
  const report = (state: number) => {
    if (handle !== null) scm.setStatus(handle, statusOf(state));
  };
  return new Promise((resolve, reject) => {
    const stop = Promise.withResolvers<string>();
    const handler = scm.registerHandler((control: number) => {
      if (control === CONTROL_INTERROGATE) return NO_ERROR;
      if (control !== CONTROL_STOP && control !== CONTROL_SHUTDOWN)
        return ERROR_CALL_NOT_IMPLEMENTED;
      report(STATES.stopPending);
      stop.resolve(control === CONTROL_STOP ? 'service stop' : 'system shutdown');
      return NO_ERROR;
    });
    const main = scm.registerMain(() => {
      handle = scm.registerControl(name, handler);
      report(STATES.running);
      resolve({ stopRequested: stop.promise, reportStopped: () => report(STATES.stopped) });
    });
    scm.dispatch(name, main, (isConnected) => {
      if (!isConnected) {
        reject(new PlainError('--service is for the service control manager: start the service'));
      }
    });
  });
}

/** Returns a SERVICE_STATUS structure. */
function statusOf(state: number): object {
  const isPending = state === STATES.startPending || state === STATES.stopPending;
  return {
    type: OWN_PROCESS,
    state,
    accepted: state === STATES.running ? ACCEPT_STOP_AND_SHUTDOWN : 0,
    exitCode: NO_ERROR,
    specificExitCode: 0,
    checkPoint: 0,
    waitHintMs: isPending ? STOP_HINT_MS : 0,
  };
}

function loadFunctions() {
  const koffi = loadKoffi();
  const advapi = koffi.load('advapi32.dll');
  const main = koffi.pointer(koffi.proto('void __stdcall ServiceMain(uint32 argc, void *argv)'));
  const handler = koffi.pointer(
    koffi.proto(
      'uint32 __stdcall HandlerEx(uint32 control, uint32 event, void *data, void *context)',
    ),
  );
  const entry = koffi.struct('ServiceTableEntry', { name: 'str16', main });
  const uint32 = 'uint32';
  const status = koffi.struct('ServiceStatus', {
    ...{ type: uint32, state: uint32, accepted: uint32, exitCode: uint32 },
    ...{ specificExitCode: uint32, checkPoint: uint32, waitHintMs: uint32 },
  });
  const dispatcher: KoffiFunc<(table: object[]) => number> = advapi.func(
    'StartServiceCtrlDispatcherW',
    'int',
    [koffi.pointer(entry)],
  );
  const register = advapi.func('RegisterServiceCtrlHandlerExW', 'intptr_t', [
    ...['str16', handler, 'void *'],
  ]);
  const setStatus = advapi.func('SetServiceStatus', 'int', ['intptr_t', koffi.pointer(status)]);
  return {
    registerHandler: (handle: (control: number) => number) => koffi.register(handle, handler),
    registerMain: (start: () => void) => koffi.register(start, main),
    registerControl: (name: string, callback: unknown): number =>
      Number(register(name, callback, null)),
    setStatus: (handle: number, value: object) => void setStatus(handle, value),
    dispatch(name: string, callback: unknown, ended: (isConnected: boolean) => void) {
      const table = [
        { name, main: callback },
        { name: null, main: null },
      ];
      dispatcher.async(table, (_error: unknown, result: number) => ended(result !== 0));
    },
  };
}
