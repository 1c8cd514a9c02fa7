// The complete API of pages: a function that calls the shell. No Node, nothing of Electron.
import { contextBridge, ipcRenderer } from 'electron';
import { CHANNEL } from './contract.ts';

contextBridge.exposeInMainWorld('gatewarden', {
  ask: (call: unknown, body: unknown) => ipcRenderer.invoke(CHANNEL, call, body),
});
