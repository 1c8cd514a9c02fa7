// Purpose: the tray app's main process: icon, menu, window and notifications.
// Main types: the contract of pages in contract.ts, the state in state.ts.
// Invariants: pages reach the service only through the contract; nothing leads out of the app's own pages.
// Depends on: bridge (requests to the service), notification-reducer (what is notified), page-files (pages).
// Start reading at `startShell`.
import { join } from 'node:path';
import type { LocalAnswer } from '@gatewarden/shared/wire/local/service.ts';
import type * as Electron from 'electron';
import { escapeMarkup } from '../../src/enforcement/desktop-notifier.ts';
import { texts } from '../texts.ts';
import type { Bridge } from './bridge.ts';
import { CHANNEL } from './contract.ts';
import { type Memory, NOTHING_KNOWN, observe } from './notification-reducer.ts';
import { ORIGIN, PAGE_URL, pageFile, SCHEME } from './page-files.ts';
import { stateOf, type TrayState } from './state.ts';

export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'Notification'
  | 'protocol'
  | 'session'
  | 'Tray'
>;

const LOOK_EVERY_MS = 3000;

/** Starts the app; a second instance in a session only opens the window of the first. */
export async function startShell(
  electron: ElectronParts,
  parts: { folder: string; bridge: Bridge; now: () => number; lookEveryMs?: number },
): Promise<void> {
  const { app } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.enableSandbox();
  electron.protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true } },
  ]);
  app.on('web-contents-created', (_event, contents) => confine(contents));
  // The tray stays.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  closeSession(electron.session.defaultSession);
  servePages(electron.protocol, join(parts.folder, 'page'));
  electron.ipcMain.handle(CHANNEL, (event, call: unknown, body: unknown) => {
    if (!isOurPage(event)) throw new Error('only our own page may ask');
    return parts.bridge.ask(call, body);
  });
  let window: Electron.BrowserWindow | null = null;
  const open = () => {
    if (window !== null && !window.isDestroyed()) {
      window.show();
      window.focus();
      return;
    }
    window = openWindow(electron, parts.folder);
  };
  app.on('second-instance', open);
  app.on('activate', open);
  const icons = readIcons(electron, parts.folder);
  const tray = new electron.Tray(icons.away);
  tray.on('click', open);
  let shown: TrayState | null = null;
  let memory: Memory = NOTHING_KNOWN;
  const look = async () => {
    const status = await parts.bridge.ask('status', null);
    const known = status.ok ? (status.value as LocalAnswer<'status'>) : null;
    const answer = status.ok ? await parts.bridge.ask('notices', null) : null;
    const notices = answer?.ok ? (answer.value as LocalAnswer<'notices'>).notices : null;
    const state = stateOf(known);
    if (state !== shown) {
      shown = state;
      showState(electron, tray, icons, state, open);
    }
    const seen = observe(memory, known, notices, parts.now());
    memory = seen.memory;
    for (const { title, text } of seen.news) notify(electron, title, text, open);
  };
  const lookOn = async () => {
    await look();
    setTimeout(() => void lookOn(), parts.lookEveryMs ?? LOOK_EVERY_MS).unref();
  };
  await lookOn();
}

/** The page cannot navigate, open a window or embed a page. */
function confine(contents: Electron.WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  for (const way of ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const) {
    contents.on(way as 'will-navigate', (event: Electron.Event) => event.preventDefault());
  }
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** No permission for anybody, and no request but for our own files. */
function closeSession(session: Electron.Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) =>
    answer({ cancel: !isOurUrl(details.url) }),
  );
}

function servePages(protocol: Electron.Protocol, folder: string): void {
  protocol.handle(SCHEME, (request) => {
    const url = new URL(request.url);
    const file = pageFile(folder, url.host === 'app' ? url.pathname : '');
    return new Response(file.body, { status: file.status, headers: file.headers });
  });
}

/** The main frame of a page of ours: nothing that was put into it, nothing that came from elsewhere. */
function isOurPage({ senderFrame }: Electron.IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOurUrl(senderFrame.url);
}

const isOurUrl = (url: string) => url.startsWith(`${ORIGIN}/`);

function openWindow({ BrowserWindow }: ElectronParts, folder: string): Electron.BrowserWindow {
  const window = new BrowserWindow({
    width: 560,
    height: 720,
    minWidth: 360,
    minHeight: 400,
    show: false,
    autoHideMenuBar: true,
    title: texts.product,
    icon: join(folder, 'icons/icon.png'),
    webPreferences: {
      preload: join(folder, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      devTools: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(PAGE_URL);
  return window;
}

function readIcons(
  { nativeImage }: ElectronParts,
  folder: string,
): Record<TrayState, Electron.NativeImage> {
  const icon = (state: TrayState) => nativeImage.createFromPath(join(folder, `icons/${state}.png`));
  return {
    ok: icon('ok'),
    attention: icon('attention'),
    paused: icon('paused'),
    away: icon('away'),
  };
}

function showState(
  { app, Menu }: ElectronParts,
  tray: Electron.Tray,
  icons: Record<TrayState, Electron.NativeImage>,
  state: TrayState,
  open: () => void,
): void {
  const stateText = texts.states[state];
  tray.setImage(icons[state]);
  tray.setToolTip(`${texts.product}: ${stateText}`);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: stateText, enabled: false },
      { type: 'separator' },
      { label: texts.menu.open, click: open },
      { label: texts.menu.quit, click: () => app.quit() },
    ]),
  );
}

function notify(
  { Notification }: ElectronParts,
  title: string,
  text: string,
  open: () => void,
): void {
  if (!Notification.isSupported()) return;
  const body = process.platform === 'linux' ? escapeMarkup(text) : text;
  const notification = new Notification({ title, body });
  notification.on('click', open);
  notification.show();
}
