// Starts the tray app in Electron. Usage: gatewarden-tray [--data-dir=FOLDER]
import electron from 'electron';
import { messageOf } from '../../src/runtime/errors.ts';
import { createBridge } from './bridge.ts';
import { dataDirsToTry } from './service-locator.ts';
import { startShell } from './shell.ts';

const named =
  process.argv.find((argument) => argument.startsWith('--data-dir='))?.slice(11) ?? null;

// Not awaited: Electron gets ready only when this file has been evaluated.
startShell(electron, {
  folder: import.meta.dirname,
  bridge: createBridge(dataDirsToTry(named, process.env)),
  now: Date.now,
}).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  electron.app.exit(1);
});
