// Electron's security checklist applied to the sources of the tray app, without an Electron: what cannot be shown is a
// problem. The numbers are those of https://www.electronjs.org/docs/latest/tutorial/security.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { parse as parseYaml } from 'yaml';
import { ROOT } from './planted.ts';

/** Texts by path below agent/desktop; `electron-builder.yml` is the file at the root. */
export type ShellSources = Readonly<Record<string, string>>;

export function readShellSources(): Record<string, string> {
  const desktop = join(ROOT, 'agent/desktop');
  const paths = globSync('{*.{ts,json},{src,page}/**/*.{ts,tsx,html,css}}', {
    cwd: desktop,
  }).filter((path) => !/\.test\.ts$|config/.test(path));
  const sources = paths.map((path) => [path, readFileSync(join(desktop, path), 'utf8')]);
  const builder = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
  return Object.fromEntries([...sources, ['electron-builder.yml', builder]]);
}

type Node = { type: string } & Record<string, unknown>;

const PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
};
const FORBIDDEN_PREFERENCES = ['enableBlinkFeatures', 'additionalArguments'];
const FUSES = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
};
const ELECTRON_MAJOR = 45;
const CSP_LINES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];
/** Whatever could bring markup or code into a page. */
const INTO_PAGES =
  /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|<(webview|iframe|object|embed)\b|srcdoc|javascript:/i;

/** Returns a line for each point that the shell violates. */
export function shellProblems(sources: ShellSources): string[] {
  const problems: string[] = [];
  const demand = (isMet: boolean, problem: string) => {
    if (!isMet) problems.push(problem);
  };
  const scripts = Object.entries(sources).filter(([path]) => /\.tsx?$/.test(path));
  const trees = new Map(scripts.map(([path, text]) => [path, nodesOf(text)]));
  const inShell = [...trees].filter(([path]) => path.startsWith('src/'));
  const calls = inShell.flatMap(([, nodes]) =>
    nodes.filter((node) => node.type === 'CallExpression'),
  );
  const called = (name: string) => calls.filter((call) => calleeOf(call) === name);

  // 2, 3, 4, 6, 8, 9, 10, 11: every window has these, in plain sight.
  const windows = inShell.flatMap(([, nodes]) =>
    nodes.filter(
      (node) => node.type === 'NewExpression' && nameOf(node.callee) === 'BrowserWindow',
    ),
  );
  demand(windows.length === 1, '3: there is not exactly one place that creates windows');
  for (const window of windows) {
    const preferences = fieldsOf(fieldsOf(argumentOf(window, 0)).webPreferences);
    for (const [name, wanted] of Object.entries(PREFERENCES)) {
      demand(literalOf(preferences[name]) === wanted, `2-11: ${name} is not ${wanted}`);
    }
    for (const name of FORBIDDEN_PREFERENCES) {
      demand(preferences[name] === undefined, `10: ${name} is set`);
    }
    demand(!('...' in preferences), '3: preferences are spread in');
  }
  demand(called('app.enableSandbox').length === 1, '4: app.enableSandbox() is not called');

  // 1, 18: our pages by our own scheme, and nothing else.
  const loads = calls.filter((call) =>
    /\.(loadURL|loadFile|executeJavaScript)$/.test(calleeOf(call)),
  );
  demand(
    loads.length === 1 && loads.every((load) => nameOf(argumentOf(load, 0)) === 'PAGE_URL'),
    '1, 18: something else than PAGE_URL is loaded',
  );
  const addresses = inShell.flatMap(([, nodes]) => nodes.flatMap(textOf)).filter(isAddress);
  demand(addresses.length === 0, `1, 18: addresses in the shell: ${addresses.join(', ')}`);
  demand(called('protocol.handle').length === 1, '18: no protocol of our own is handled');

  // 5: no permission, for anybody.
  const answers = functionOf(argumentOf(called('session.setPermissionRequestHandler')[0], 0));
  const given = nodesIn(answers).filter((node) => node.type === 'CallExpression');
  demand(
    given.length === 1 && given.every((node) => literalOf(argumentOf(node, 0)) === false),
    '5: permission requests are not all refused',
  );
  for (const name of ['setPermissionCheckHandler', 'setDevicePermissionHandler']) {
    const body = functionOf(argumentOf(called(`session.${name}`)[0], 0))?.body as Node | undefined;
    demand(literalOf(body) === false, `5: ${name} does not refuse`);
  }
  demand(called('session.webRequest.onBeforeRequest').length === 1, '1: requests are not blocked');

  // 7: the policy.
  const policy = sources['src/page-files.ts'] ?? '';
  for (const line of CSP_LINES) demand(policy.includes(`"${line}"`), `7: the policy lacks ${line}`);
  const policyTexts = (trees.get('src/page-files.ts') ?? []).flatMap(textOf);
  const loose = policyTexts.filter(
    (text) => /-src/.test(text) && /unsafe|\*|https?:|data:/.test(text),
  );
  demand(loose.length === 0, `7: the policy is loose: ${loose.join(', ')}`);
  demand(policy.includes("'content-security-policy': CSP"), '7: the policy is not sent');

  // Electron gets ready only when the main file has been evaluated: what waits there for that waits for ever.
  demand(
    !/^(?:const .* = )?await /m.test(sources['src/main.ts'] ?? ''),
    'main.ts waits at its top',
  );

  // 12, 13, 14: no way out.
  const confines = called('app.on').some(
    (node) =>
      literalOf(argumentOf(node, 0)) === 'web-contents-created' &&
      nodesIn(functionOf(argumentOf(node, 1))).some((inner) => calleeOf(inner) === 'confine'),
  );
  demand(confines, '12-14: contents are not confined when they are made');
  const confine = inShell
    .flatMap(([, nodes]) => nodes)
    .find((node) => node.type === 'FunctionDeclaration' && nameOf(node.identifier) === 'confine');
  const inside = nodesIn(confine?.body);
  const events = inside.flatMap(textOf);
  for (const event of [
    'will-navigate',
    'will-frame-navigate',
    'will-redirect',
    'will-attach-webview',
  ]) {
    demand(events.includes(event), `12, 13: ${event} is not prevented`);
  }
  const listeners = inside.filter((node) => calleeOf(node) === 'contents.on');
  demand(
    listeners.length === 2 &&
      listeners.every((listener) =>
        nodesIn(functionOf(argumentOf(listener, 1))).some(
          (inner) => calleeOf(inner) === 'event.preventDefault',
        ),
      ),
    '12, 13: an event is not prevented',
  );
  const opener = inside.find((node) => calleeOf(node) === 'contents.setWindowOpenHandler');
  const actions = nodesIn(functionOf(argumentOf(opener, 0)))
    .filter((node) => node.type === 'KeyValueProperty' && nameOf(node.key) === 'action')
    .map((node) => literalOf(node.value));
  demand(actions.length === 1 && actions[0] === 'deny', '14: windows may be opened');

  // 15: nothing is handed to the system to open.
  const callees = calls.map(calleeOf);
  const isOpening = callees.some((name) => /openExternal|openPath|showItemInFolder/.test(name));
  demand(!isOpening, '15: something is handed to the system to open');

  // 16: a version that is kept.
  const manifest = JSON.parse(sources['package.json'] ?? '{}');
  const version = String(manifest.devDependencies?.electron);
  const isExact = /^\d+\.\d+\.\d+$/.test(version) && Number.parseInt(version, 10) >= ELECTRON_MAJOR;
  demand(isExact, `16: electron is ${version}`);

  // 17: who asks is looked at first.
  const handlers = calls.filter((call) =>
    /ipcMain\.(handle|on|once|handleOnce)$/.test(calleeOf(call)),
  );
  demand(handlers.length === 1, '17: there is not exactly one handler of messages');
  for (const handler of handlers) {
    const body = functionOf(argumentOf(handler, 1))?.body as Node | undefined;
    const [first] = (body?.stmts as Node[] | undefined) ?? [];
    const guard = first?.type === 'IfStatement' ? (first as Node & { test: Node }) : null;
    const asks = nodesIn(guard?.test).some((node) => calleeOf(node) === 'isOurPage');
    const ends = nodesIn(guard?.consequent).some((node) => node.type === 'ThrowStatement');
    demand(asks && ends, '17: a handler does not look at who asks first');
  }

  // 19: fuses and the archive.
  const builder = parseYaml(sources['electron-builder.yml'] ?? '') ?? {};
  for (const [name, wanted] of Object.entries(FUSES)) {
    demand(builder.electronFuses?.[name] === wanted, `19: the fuse ${name} is not ${wanted}`);
  }
  demand(builder.asar === true, '19: the app is not packed as asar');
  demand(builder.disableAsarIntegrity !== true, '19: asar integrity is off');
  demand(builder.electronVersion === version, '16: the packed Electron has another version');

  // 20: the preload gives pages a single function, and nothing of Electron.
  const preload = trees.get('src/preload.ts') ?? [];
  const exposed = preload.filter((node) => calleeOf(node) === 'contextBridge.exposeInMainWorld');
  const given20 = Object.entries(fieldsOf(argumentOf(exposed[0], 1)));
  demand(
    exposed.length === 1 &&
      given20.length === 1 &&
      given20.every(([, value]) => (value as Node).type === 'ArrowFunctionExpression'),
    '20: the preload gives more than one function',
  );
  const uses = preload.filter((node) => nameOf(node) === 'ipcRenderer').length;
  const invokes = preload.filter((node) => calleeOf(node) === 'ipcRenderer.invoke');
  demand(
    uses === 2 && invokes.length === 1 && nameOf(argumentOf(invokes[0], 0)) === 'CHANNEL',
    '20: ipcRenderer is used for more than the single channel',
  );
  demand((sources['src/preload.ts'] ?? '').split('\n').length <= 10, '20: the preload is long');

  // Pages: text stays text, and neither Node nor Electron is there.
  for (const [path, text] of Object.entries(sources)) {
    if (!path.startsWith('page/')) continue;
    const found = INTO_PAGES.exec(text)?.[0];
    demand(found === undefined, `pages: ${path} has ${found}`);
    const imported = /from '(node:[^']*|electron)'|require\(/.exec(text)?.[0];
    demand(imported === undefined, `pages: ${path} has ${imported}`);
    const remote = /(?:src|href)="(?!\/)|https?:\/\//.exec(text)?.[0];
    demand(remote === undefined, `1: ${path} names another place: ${remote}`);
    demand(!/<script(?![^>]*\bsrc=)/.test(text), `7: ${path} has a script inside`);
  }
  return problems;
}

const isAddress = (text: string) => /^(https?|file|ftp|wss?|data|blob):/i.test(text);

function nodesOf(text: string): Node[] {
  return nodesIn(parseSync(text, { syntax: 'typescript', tsx: true, target: 'esnext' }));
}

/** All nodes of a tree, the root first. */
function nodesIn(root: unknown): Node[] {
  if (Array.isArray(root)) return root.flatMap(nodesIn);
  if (typeof root !== 'object' || root === null) return [];
  const below = Object.values(root).flatMap(nodesIn);
  return 'type' in root ? [root as Node, ...below] : below;
}

function nameOf(node: unknown): string {
  const { type, value } = (node ?? {}) as Partial<Node>;
  return type === 'Identifier' ? String(value) : '';
}

/** `a.b.c` of `a.b.c(…)`; empty for anything else. */
function calleeOf(node: Node | undefined): string {
  return node?.type === 'CallExpression' ? pathOf(node.callee) : '';
}

function pathOf(node: unknown): string {
  const { type, object, property } = (node ?? {}) as Partial<Node>;
  if (type !== 'MemberExpression') return nameOf(node);
  const before = pathOf(object);
  return `${before === 'electron' ? '' : `${before}.`}${nameOf(property)}`;
}

function argumentOf(node: Node | undefined, at: number): Node | undefined {
  const given = (node?.arguments as { expression: Node }[] | undefined)?.[at];
  return given?.expression;
}

function functionOf(node: Node | undefined): Node | undefined {
  return node?.type === 'ArrowFunctionExpression' ? node : undefined;
}

/** Returns the fields of an object literal; a spread is `...`. */
function fieldsOf(node: unknown): Record<string, unknown> {
  const { type, properties } = (node ?? {}) as Partial<Node>;
  if (type !== 'ObjectExpression') return {};
  return Object.fromEntries(
    (properties as Node[]).map((property) =>
      property.type === 'KeyValueProperty'
        ? [nameOf(property.key), property.value]
        : ['...', property],
    ),
  );
}

function literalOf(node: unknown): unknown {
  const { type, value } = (node ?? {}) as Partial<Node>;
  return type === 'BooleanLiteral' || type === 'StringLiteral' ? value : undefined;
}

function textOf(node: Node): string[] {
  if (node.type === 'StringLiteral') return [String(node.value)];
  return node.type === 'TemplateElement' ? [String(node.cooked)] : [];
}
