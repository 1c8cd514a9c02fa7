// The checklist of the tray app's shell passes for the shell as it is, and fails at every point.
import { expect, test } from 'vitest';
import { readShellSources, shellProblems } from './shell-checklist.ts';

const sources = readShellSources();
const SHELL = 'src/shell.ts';
const FILES = 'src/page-files.ts';
const PRELOAD = 'src/preload.ts';
const BUILDER = 'electron-builder.yml';

test('accepts the shell as it is', () => {
  expect(Object.keys(sources)).toEqual(
    expect.arrayContaining([SHELL, FILES, PRELOAD, BUILDER, 'page/App.tsx', 'page/index.html']),
  );
  expect(shellProblems(sources)).toEqual([]);
});

// File, its text, the text planted in its place, and the expected problem.
test.each<[string, string, string, RegExp]>([
  [SHELL, 'contextIsolation: true', 'contextIsolation: false', /contextIsolation is not true/],
  [SHELL, 'sandbox: true', 'sandbox: false', /sandbox is not true/],
  [SHELL, 'nodeIntegration: false', 'nodeIntegration: isTest', /nodeIntegration is not false/],
  [SHELL, '      webSecurity: true,\n', '', /webSecurity is not true/],
  [
    SHELL,
    'webviewTag: false',
    "webviewTag: false, enableBlinkFeatures: 'X'",
    /enableBlinkFeatures/,
  ],
  [SHELL, 'webviewTag: false', 'webviewTag: false, ...more', /spread/],
  [SHELL, 'webviewTag: false', 'webviewTag: true', /webviewTag/],
  [SHELL, '  app.enableSandbox();\n', '', /^4:/],
  [SHELL, 'window.loadURL(PAGE_URL)', "window.loadURL('https://example.com/')", /^1, 18:/],
  [SHELL, 'window.loadURL(PAGE_URL)', "window.loadFile('page/index.html')", /^1, 18:/],
  [SHELL, 'window.once(', 'new BrowserWindow({}); window.once(', /exactly one place/],
  [SHELL, 'answer(false)', "answer(_permission === 'media')", /^5:/],
  [SHELL, 'setPermissionCheckHandler(() => false)', 'setPermissionCheckHandler(() => true)', /^5:/],
  [SHELL, 'session.webRequest.onBeforeRequest', 'ignore', /not blocked/],
  [SHELL, '(_event, contents) => confine(contents)', '() => undefined', /^12-14:/],
  [SHELL, "'will-redirect'", "'did-navigate'", /will-redirect/],
  [SHELL, "contents.on('will-attach-webview'", "contents.on('did-attach-webview'", /will-attach/],
  [SHELL, '(event) => event.preventDefault()', '() => undefined', /is not prevented/],
  [SHELL, "action: 'deny'", "action: 'allow'", /^14:/],
  [SHELL, 'if (!isOurPage(event)) throw', 'if (!event) throw', /^17:/],
  [
    SHELL,
    'electron.ipcMain.handle(',
    'electron.ipcMain.on("x", () => 0); electron.ipcMain.handle(',
    /^17:/,
  ],
  [
    SHELL,
    "app.on('activate', open);",
    "shell.openExternal(url); app.on('activate', open);",
    /^15:/,
  ],
  ['src/main.ts', 'startShell(electron', 'await startShell(electron', /waits at its top/],
  [FILES, '"script-src \'self\'"', "\"script-src 'self' 'unsafe-inline'\"", /^7:/],
  [FILES, '"default-src \'none\'"', '"default-src *"', /^7:/],
  [FILES, "'content-security-policy': CSP", "'x-policy': CSP", /not sent/],
  [PRELOAD, 'ask: (call', 'electron: ipcRenderer,\n  ask: (call', /^20:/],
  [PRELOAD, 'invoke(CHANNEL', 'invoke(String(call)', /^20:/],
  ['package.json', '"electron": "45', '"electron": "^45', /^16:/],
  ['package.json', '"electron": "45', '"electron": "39', /^16:/],
  [BUILDER, 'runAsNode: false', 'runAsNode: true', /^19:.*runAsNode/],
  [BUILDER, 'onlyLoadAppFromAsar: true', '', /^19:.*onlyLoadAppFromAsar/],
  [BUILDER, 'asar: true', 'asar: false', /^19:/],
  [BUILDER, 'electronVersion: 45', 'electronVersion: 44', /^16:/],
  ['page/App.tsx', '<header>', '<header dangerouslySetInnerHTML={x}>', /^pages:/],
  ['page/main.tsx', "import './style.css';", "import fs from 'node:fs';", /^pages:/],
  ['page/index.html', '<script type="module"', '<script>1</script><script type="module"', /^7:/],
  ['page/index.html', 'src="/main.tsx"', 'src="https://cdn.example.com/x.js"', /^1:/],
])('rejects %s with %j changed to %j', (path, text, planted, problem) => {
  const before = sources[path] ?? '';
  expect(before).toContain(text);
  const problems = shellProblems({ ...sources, [path]: before.replace(text, planted) });
  expect(problems.join('\n')).toMatch(new RegExp(problem, 'm'));
});
