// Tests the shell over an Electron that only records calls, because its binary is not available everywhere.
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { describe, expect, test } from 'vitest';
import { texts } from '../texts.ts';
import type { HubResponse } from './contract.ts';
import { type ElectronParts, startShell } from './shell.ts';

type Handler = (...args: never[]) => unknown;
type Permissions = Partial<Record<'request' | 'check' | 'device', Handler>>;

/** An Electron of which what the shell uses is there, and remembers. */
function anElectron(isFirst = true) {
  const noted = {
    windows: [] as { options: Electron.BrowserWindowConstructorOptions; url: string }[],
    notifications: [] as Electron.NotificationConstructorOptions[],
    menus: [] as Electron.MenuItemConstructorOptions[][],
    tips: [] as string[],
    schemes: [] as unknown[],
    permissions: {} as Permissions,
    quits: 0,
    isSandboxed: false,
    request: undefined as Handler | undefined,
    page: undefined as ((request: { url: string }) => Response) | undefined,
    ipc: new Map<string, Handler>(),
  };
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => isFirst,
    quit: () => {
      noted.quits += 1;
    },
    enableSandbox: () => {
      noted.isSandboxed = true;
    },
    whenReady: async () => undefined,
  });
  class BrowserWindow extends EventEmitter {
    shown = 0;
    private readonly noted: { options: Electron.BrowserWindowConstructorOptions; url: string };
    constructor(options: Electron.BrowserWindowConstructorOptions) {
      super();
      this.noted = { options, url: '' };
      noted.windows.push(this.noted);
    }
    loadURL(url: string) {
      this.noted.url = url;
      return Promise.resolve();
    }
    isDestroyed = () => false;
    show = () => undefined;
    focus = () => undefined;
  }
  class Notification extends EventEmitter {
    static isSupported = () => true;
    private readonly options: Electron.NotificationConstructorOptions;
    constructor(options: Electron.NotificationConstructorOptions) {
      super();
      this.options = options;
    }
    show = () => noted.notifications.push(this.options);
  }
  class Tray extends EventEmitter {
    setImage = () => undefined;
    setToolTip = (tip: string) => noted.tips.push(tip);
    setContextMenu = () => undefined;
  }
  const parts = {
    app,
    BrowserWindow,
    Notification,
    Tray,
    ipcMain: { handle: (channel: string, handler: Handler) => noted.ipc.set(channel, handler) },
    Menu: {
      buildFromTemplate: (menu: Electron.MenuItemConstructorOptions[]) => noted.menus.push(menu),
    },
    nativeImage: { createFromPath: (path: string) => path },
    protocol: {
      registerSchemesAsPrivileged: (schemes: unknown[]) => noted.schemes.push(...schemes),
      handle: (_scheme: string, handler: (request: { url: string }) => Response) => {
        noted.page = handler;
      },
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: Handler) => {
          noted.permissions.request = handler;
        },
        setPermissionCheckHandler: (handler: Handler) => {
          noted.permissions.check = handler;
        },
        setDevicePermissionHandler: (handler: Handler) => {
          noted.permissions.device = handler;
        },
        webRequest: {
          onBeforeRequest: (handler: Handler) => {
            noted.request = handler;
          },
        },
      },
    },
  };
  return { noted, app, electron: parts as unknown as ElectronParts };
}

async function started(answers: Record<string, () => HubResponse<unknown>> = {}) {
  const made = anElectron();
  const asked: [unknown, unknown][] = [];
  await startShell(made.electron, {
    folder: '/app/dist',
    bridge: {
      async ask(call, body) {
        asked.push([call, body]);
        return answers[String(call)]?.() ?? { ok: false, problem: 'no_service', why: '' };
      },
    },
    now: () => 0,
    lookEveryMs: 1,
  });
  return { ...made, asked };
}

const frame = (url: string, parent: object | null = null) => ({ senderFrame: { url, parent } });
const HOME = 'gatewarden://app/index.html';

describe('what may ask', () => {
  test('accepts calls of the main frame of its own page only', async () => {
    const { noted, asked } = await started();
    asked.length = 0;
    const ask = noted.ipc.get('gatewarden:ask') as (event: unknown, ...rest: unknown[]) => unknown;
    expect([...noted.ipc.keys()]).toEqual(['gatewarden:ask']);
    for (const event of [
      frame('https://example.com/'),
      frame('file:///etc/passwd'),
      frame('gatewarden://application/index.html'),
      frame('gatewarden://app.example.com/'),
      frame(HOME, {}),
      { senderFrame: null },
    ]) {
      expect(() => ask(event, 'status', null)).toThrow('only our own page');
    }
    expect(asked).toEqual([]);
    expect(await ask(frame(HOME), 'seen', null)).toMatchObject({ ok: false });
    expect(asked).toEqual([['seen', null]]);
  });
});

describe('what a page cannot do', () => {
  test('grants no permission, and allows requests for its own files only', async () => {
    const { noted } = await started();
    const answers: unknown[] = [];
    const note = (answer: unknown) => answers.push(answer);
    const call = (handler: Handler | undefined, ...args: unknown[]) =>
      (handler as ((...args: unknown[]) => unknown) | undefined)?.(...args);
    call(noted.permissions.request, null, 'media', note);
    expect(answers).toEqual([false]);
    expect(call(noted.permissions.check)).toBe(false);
    expect(call(noted.permissions.device)).toBe(false);
    for (const [url, cancel] of [
      [HOME, false],
      ['https://example.com/', true],
      ['file:///etc/passwd', true],
      ['ws://127.0.0.1/', true],
    ] as const) {
      answers.length = 0;
      call(noted.request, { url }, note);
      expect([url, answers]).toEqual([url, [{ cancel }]]);
    }
    expect(noted.isSandboxed).toBe(true);
  });

  test('blocks navigation, windows and embedded pages in all contents', async () => {
    const { app } = await started();
    let opened: unknown;
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: () => unknown) => {
        opened = handler();
      },
    });
    app.emit('web-contents-created', {}, contents);
    expect(opened).toEqual({ action: 'deny' });
    for (const way of [
      'will-navigate',
      'will-frame-navigate',
      'will-redirect',
      'will-attach-webview',
    ]) {
      let prevented = 0;
      contents.emit(way, { preventDefault: () => (prevented += 1) });
      expect([way, prevented]).toEqual([way, 1]);
    }
  });

  test('serves no page but its own', async () => {
    const { noted } = await started();
    expect(noted.schemes).toEqual([
      { scheme: 'gatewarden', privileges: { standard: true, secure: true } },
    ]);
    expect(noted.page?.({ url: 'gatewarden://elsewhere/index.html' }).status).toBe(404);
    expect(noted.page?.({ url: 'gatewarden://app/../../etc/passwd' }).status).toBe(404);
  });
});

test('opens its window once, and shows the same window again', async () => {
  const { noted, app } = await started();
  expect(noted.windows).toEqual([]);
  app.emit('second-instance');
  app.emit('activate');
  expect(noted.windows).toHaveLength(1);
  expect(noted.windows[0]).toMatchObject({
    url: HOME,
    options: { webPreferences: { preload: '/app/dist/preload.cjs', sandbox: true } },
  });
});

test('ends a second app of the same session at once', async () => {
  const { noted, electron } = anElectron(false);
  const bridge = { ask: async () => ({ ok: false, problem: 'no_service', why: '' }) as const };
  await startShell(electron, { folder: '/app', bridge, now: () => 0 });
  expect(noted.quits).toBe(1);
  expect(noted.ipc.size).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'updates icon, menu and notifications with the state of the service',
  async () => {
    const status = {
      hub: { reachable: true },
      enforcement: 'enforce',
      breaker: 'closed',
      pause: { until: null },
      alerts_queued: 0,
      alerts_dropped: 0,
    };
    const notices: object[] = [];
    const { noted } = await started({
      status: () => ({ ok: true, value: status }),
      notices: () => ({ ok: true, value: { notices: [...notices] } }),
    });
    expect(noted.tips).toEqual([`Gatewarden: ${texts.states.ok}`]);
    expect(noted.menus[0]?.map((item) => item.label ?? item.type)).toEqual([
      texts.states.ok,
      'separator',
      texts.menu.open,
      texts.menu.quit,
    ]);
    notices.push({
      notice_id: '1',
      kind: 'ended',
      application_name: '<b>Game</b>',
      reason: '<i>no</i>',
    });
    status.hub.reachable = false;
    await expect
      .poll(() => noted.notifications)
      .toEqual([{ title: '<b>Game</b> was ended', body: '&lt;i&gt;no&lt;/i&gt;' }]);
    expect(noted.tips.at(-1)).toBe(`Gatewarden: ${texts.states.attention}`);
  },
);
