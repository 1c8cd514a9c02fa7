// Browsers of the Chromium and Gecko families with the folders of their profiles: a new browser is a new row.

export interface ChromiumBrowser {
  name: string;
  linux?: readonly string[];
  darwin?: readonly string[];
  win32?: readonly string[];
}

const AS = 'Library/Application Support';
const LOCAL = 'AppData/Local';
const variants = (base: string, endings: readonly string[], rest = '') =>
  ['', ...endings].map((ending) => `${base}${ending}${rest}`);

/** A browser with a single folder on each system. */
const plain = (
  name: string,
  folders: { linux?: string; darwin?: string; win32?: string; flatpak?: string },
): ChromiumBrowser => {
  const { linux, darwin, win32, flatpak } = folders;
  const below = flatpak === undefined ? [] : [`.var/app/${flatpak}/config/${linux}`];
  return {
    name,
    ...(linux === undefined ? {} : { linux: [`.config/${linux}`, ...below] }),
    ...(darwin === undefined ? {} : { darwin: [`${AS}/${darwin}`] }),
    ...(win32 === undefined ? {} : { win32: [`${LOCAL}/${win32}/User Data`] }),
  };
};

/** The folders with profiles of each browser of the Chromium family. */
export const CHROMIUM: readonly ChromiumBrowser[] = [
  {
    name: 'chrome',
    linux: [
      ...variants('.config/google-chrome', ['-beta', '-unstable', '-canary']),
      '.var/app/com.google.Chrome/config/google-chrome',
      '.var/app/com.google.ChromeDev/config/google-chrome-unstable',
    ],
    darwin: variants(`${AS}/Google/Chrome`, [' Beta', ' Dev', ' Canary']),
    win32: variants(`${LOCAL}/Google/Chrome`, [' Beta', ' Dev', ' SxS'], '/User Data'),
  },
  {
    name: 'edge',
    linux: [
      ...variants('.config/microsoft-edge', ['-beta', '-dev', '-canary']),
      '.var/app/com.microsoft.Edge/config/microsoft-edge',
      '.var/app/com.microsoft.EdgeDev/config/microsoft-edge-dev',
    ],
    darwin: variants(`${AS}/Microsoft Edge`, [' Beta', ' Dev', ' Canary']),
    win32: variants(`${LOCAL}/Microsoft/Edge`, [' Beta', ' Dev', ' SxS'], '/User Data'),
  },
  {
    name: 'brave',
    linux: ['.config', '.var/app/com.brave.Browser/config', 'snap/brave/current/.config'].flatMap(
      (base) => variants(`${base}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly']),
    ),
    darwin: variants(`${AS}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly']),
    win32: variants(`${LOCAL}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly'], '/User Data'),
  },
  {
    name: 'chromium',
    linux: [
      '.config/chromium',
      'snap/chromium/common/chromium',
      '.var/app/org.chromium.Chromium/config/chromium',
      '.var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium',
    ],
    darwin: [`${AS}/Chromium`],
    win32: [`${LOCAL}/Chromium`, `${LOCAL}/Chromium/User Data`],
  },
  {
    name: 'vivaldi',
    linux: [
      '.config/vivaldi',
      '.config/vivaldi-snapshot',
      '.var/app/com.vivaldi.Vivaldi/config/vivaldi',
    ],
    darwin: [`${AS}/Vivaldi`],
    win32: [`${LOCAL}/Vivaldi/User Data`],
  },
  {
    name: 'opera',
    linux: [
      ...variants('.config/opera', ['-beta', '-developer']),
      '.var/app/com.opera.Opera/config/opera',
      'snap/opera/current/.config/opera',
    ],
    darwin: variants(`${AS}/com.operasoftware.Opera`, ['GX', 'Next', 'Developer']),
    win32: ['AppData/Roaming', LOCAL].flatMap((base) =>
      ['Stable', 'GX Stable', 'Next', 'Developer'].map(
        (edition) => `${base}/Opera Software/Opera ${edition}`,
      ),
    ),
  },
  {
    name: 'arc',
    darwin: [`${AS}/Arc/User Data`],
    win32: [
      `${LOCAL}/Arc/User Data`,
      // The edition from the store of Windows.
      `${LOCAL}/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data`,
    ],
  },
  { name: 'dia', darwin: [`${AS}/Dia/User Data`] },
  {
    name: 'comet',
    linux: ['.config/Perplexity/Comet'],
    darwin: [`${AS}/Comet`, `${AS}/Perplexity/Comet`],
    win32: [`${LOCAL}/Perplexity/Comet/User Data`],
  },
  {
    name: 'helium',
    linux: [
      '.config/net.imput.helium',
      '.config/helium',
      '.config/Helium',
      '.var/app/net.imput.helium/config/net.imput.helium',
    ],
    darwin: [`${AS}/net.imput.helium`, `${AS}/Helium`],
    win32: [`${LOCAL}/imput/Helium/User Data`, `${LOCAL}/Helium/User Data`],
  },
  {
    name: 'thorium',
    linux: ['.config/thorium', '.config/Thorium', '.var/app/org.chromium.Thorium/config/thorium'],
    darwin: [`${AS}/Thorium`],
    win32: [`${LOCAL}/Thorium/User Data`],
  },
  {
    name: 'yandex',
    linux: variants('.config/yandex-browser', ['-beta']),
    darwin: [`${AS}/Yandex/YandexBrowser`],
    win32: [`${LOCAL}/Yandex/YandexBrowser/User Data`],
  },
  plain('whale', {
    ...{ linux: 'naver-whale', darwin: 'Naver/Whale', win32: 'Naver/Naver Whale' },
    flatpak: 'com.naver.Whale',
  }),
  plain('iridium', { linux: 'iridium', darwin: 'Iridium', win32: 'Iridium' }),
  plain('atlas', { darwin: 'com.openai.atlas/browser-data/host', win32: 'OpenAI/Atlas' }),
  plain('supermium', { win32: 'Supermium' }),
  plain('cromite', { linux: 'cromite', win32: 'Cromite' }),
  plain('catsxp', { linux: 'Catsxp', darwin: 'Catsxp', win32: 'Catsxp' }),
  plain('coccoc', { darwin: 'Coccoc', win32: 'CocCoc/Browser' }),
  plain('centbrowser', { win32: 'CentBrowser' }),
  plain('epic', { darwin: 'HiddenReflex/Epic', win32: 'Epic Privacy Browser' }),
  plain('slimjet', { linux: 'slimjet', win32: 'Slimjet' }),
  plain('iron', { linux: 'SRWare Iron', darwin: 'Iron', win32: 'Chromium Iron' }),
  plain('avast', { darwin: 'AVAST Software/Browser', win32: 'AVAST Software/Browser' }),
  plain('avg', { darwin: 'AVG/Browser', win32: 'AVG/Browser' }),
  plain('ccleaner', { win32: 'CCleaner Browser' }),
  plain('sidekick', { linux: 'sidekick', darwin: 'Sidekick', win32: 'Sidekick' }),
  plain('wavebox', { linux: 'WaveboxApp', darwin: 'WaveboxApp', win32: 'WaveboxApp' }),
  plain('ulaa', { linux: 'Zoho/Ulaa', darwin: 'Zoho/Ulaa', win32: 'Zoho/Ulaa' }),
  plain('genspark', {
    darwin: 'GensparkSoftware/Genspark-Browser',
    win32: 'GensparkSoftware/Genspark-Browser',
  }),
  plain('fellou', { darwin: 'Fellou', win32: 'Fellou' }),
  plain('neon', { darwin: 'com.operasoftware.OperaNeon', win32: 'Opera Software/Opera Neon' }),
  plain('falkon', { linux: 'falkon' }),
  plain('ecosia', { linux: 'EcosiaBrowser', darwin: 'EcosiaBrowser', win32: 'EcosiaBrowser' }),
  plain('duckduckgo', { win32: 'DuckDuckGo' }),
  plain('qqbrowser', { darwin: 'QQBrowser2', win32: 'Tencent/QQBrowser' }),
  plain('360', { linux: '360browser', win32: '360Chrome/Chrome' }),
  plain('maxthon', { darwin: 'Maxthon', win32: 'Maxthon/Application' }),
  plain('island', { linux: 'Island', darwin: 'Island', win32: 'Island/Island' }),
];

/** The folders with profiles.ini of each browser of the Gecko family. */
export const GECKO: Record<string, readonly string[]> = {
  firefox: [
    '.mozilla/firefox',
    '{XC}/mozilla/firefox',
    'snap/firefox/common/.mozilla/firefox',
    '.var/app/org.mozilla.firefox/.mozilla/firefox',
    '.var/app/org.mozilla.firefox/config/mozilla/firefox',
    'snap/firefox/common/.config/mozilla/firefox',
    '{AS}/Firefox',
    '{A}/Mozilla/Firefox',
    // The edition from the store of Windows.
    '{L}/Packages/Mozilla.Firefox_n80bbvh6b1yt2/LocalCache/Roaming/Mozilla/Firefox',
  ],
  zen: ['.zen', '{XC}/zen', '.var/app/app.zen_browser.zen/.zen', '{AS}/zen', '{A}/zen'],
  librewolf: [
    '.librewolf',
    '{XC}/librewolf/librewolf',
    '.var/app/io.gitlab.librewolf-community/.librewolf',
    '{AS}/librewolf',
    '{A}/librewolf',
  ],
  waterfox: [
    '.waterfox',
    '.var/app/net.waterfox.waterfox/.waterfox',
    '{AS}/Waterfox',
    '{A}/Waterfox',
  ],
  floorp: [
    '.floorp',
    '{XC}/floorp',
    '.var/app/one.ablaze.floorp/.floorp',
    '{AS}/Floorp',
    '{A}/Floorp',
  ],
  'mullvad-browser': [
    '.mullvad/mullvadbrowser',
    '.mullvad-browser',
    '{XC}/mullvad-browser',
    '.var/app/net.mullvad.MullvadBrowser/.mullvad/mullvadbrowser',
    '{AS}/MullvadBrowser',
    '{AS}/MullvadBrowser-Data/Browser',
    '{A}/Mullvad/MullvadBrowser',
    '{L}/Mullvad/MullvadBrowser',
  ],
  'tor-browser': [
    '{XD}/torbrowser/tbb/x86_64/tor-browser/Browser/TorBrowser/Data/Browser',
    '.var/app/org.torproject.torbrowser-launcher/data/torbrowser/tbb/x86_64/tor-browser/Browser/TorBrowser/Data/Browser',
    'tor-browser/Browser/TorBrowser/Data/Browser',
    'tor-browser_en-US/Browser/TorBrowser/Data/Browser',
    '{AS}/TorBrowser-Data/Browser',
    'Desktop/Tor Browser/Browser/TorBrowser/Data/Browser',
  ],
  icecat: ['.mozilla/icecat', '{AS}/IceCat', '{A}/Mozilla/icecat', '{A}/IceCat'],
  firedragon: ['.firedragon', '{XC}/firedragon'],
  midori: ['.midori', '{XC}/midori', '{AS}/Midori', '{A}/Midori'],
  mercury: ['.mercury', '{AS}/Mercury', '{A}/mercury'],
  glide: ['.glide', '.glide-browser', '{XC}/glide', '{AS}/Glide', '{A}/Glide'],
  palemoon: [
    '.moonchild productions/pale moon',
    '{AS}/Pale Moon',
    '{A}/Moonchild Productions/Pale Moon',
  ],
  basilisk: ['.basilisk-dev/basilisk', '{A}/Moonchild Productions/Basilisk'],
  seamonkey: ['.mozilla/seamonkey', '{AS}/SeaMonkey', '{A}/Mozilla/SeaMonkey'],
};
