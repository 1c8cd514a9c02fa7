// Homes of Windows are wherever the registry has them, and their known folders may have been moved out.
import { expect, test } from 'vitest';
import { locateInScope, toDiskPath, toMachinePath } from '../scoped-fs/machine-path.ts';
import { shortenHome } from './home-list.ts';
import { homesFromProfiles } from './windows-profiles.ts';

const ADA = 'S-1-5-21-1-2-3-1001';
const BOB = 'S-1-5-21-1-2-3-1002';
const profile = (sid: string, path: string) => ({
  path: `HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList\\${sid}`,
  values: new Map([['profileimagepath', path]]),
});
const PROFILES = [profile(ADA, '%SystemDrive%\\Users\\Ada'), profile(BOB, 'E:\\Profiles\\bob')];

function homesWith(folders: Record<string, string>) {
  const shellFolders = new Map([[ADA, new Map(Object.entries(folders))]]);
  return homesFromProfiles('C:\\', { profiles: PROFILES, shellFolders });
}

test('keeps the drive of a profile', () => {
  expect(homesWith({}).map(({ path }) => path)).toEqual(['C:\\Users\\Ada', 'E:\\Profiles\\bob']);
});

test('lists the folders that OneDrive, another drive or a server has instead of the home', () => {
  const [ada] = homesWith({
    appdata: '\\\\files\\home$\\ada\\AppData',
    'local appdata': '%USERPROFILE%\\AppData\\Local',
    personal: '%USERPROFILE%\\OneDrive - Acme\\Documents',
    desktop: 'D:\\Ada\\Desktop\\',
    '{374de290-123f-4565-9164-39c4925e467b}': '%HOMESHARE%\\Downloads',
  });
  expect(ada?.redirected).toEqual([
    { usual: 'AppData/Roaming', path: '\\\\files\\home$\\ada\\AppData' },
    { usual: 'Documents', path: 'C:\\Users\\Ada\\OneDrive - Acme\\Documents' },
    { usual: 'Desktop', path: 'D:\\Ada\\Desktop' },
  ]);
});

test.each([
  'C:\\',
  'C:\\Users',
  'e:\\profiles\\BOB\\Documents',
  'E:\\Profiles',
  'Documents',
  '\\\\.\\pipe\\x',
])('refuses %s as a redirected folder: it is no folder of this user alone', (path) => {
  const [ada] = homesWith({ personal: path });
  expect(ada?.redirected).toBe(undefined);
});

test('translates between paths of a redirected home and paths of the machine', () => {
  const [ada] = homesWith({ appdata: '\\\\files\\ada\\AppData' });
  if (ada === undefined) throw new Error('no home');
  const at = (path: string) => locateInScope(path, 'C:\\', ada, 'win32');
  expect(at('c:\\users\\ADA\\.cursor\\mcp.json')).toBe('.cursor/mcp.json');
  expect(at('\\\\files\\ada\\AppData\\Code\\User')).toBe('AppData/Roaming/Code/User');
  expect(at('C:\\Users\\Ada\\..\\bob')).toBe(null);
  expect(at('C:\\Users\\Adam')).toBe(null);
  expect(toDiskPath(ada.path, ada, 'AppData/Roaming/Code')).toMatch(
    /^\\\\files\\ada\\AppData.Code$/,
  );
  expect(shortenHome('\\\\files\\ada\\AppData\\Code', [ada])).toBe('~\\AppData\\Roaming\\Code');
  expect(shortenHome('C:\\Users\\Ada\\x', [ada])).toBe('~\\x');
});

test('finds programs on every local drive, and none on a server', () => {
  const at = (path: string) => locateInScope(path, 'C:\\', null, 'win32');
  expect(at('C:\\Tools\\x.exe')).toBe('/Tools/x.exe');
  expect(at('D:/Tools/x.exe')).toBe('/D:/Tools/x.exe');
  expect(at('\\\\files\\x.exe')).toBe(null);
  expect(at('tools')).toBe(null);
  expect(toMachinePath('win32', 'C:\\', 'C:\\ProgramData/x')).toBe('C:\\ProgramData\\x');
  expect(toMachinePath('win32', '/tmp/tree', '/tmp/tree/Users/ada')).toBe('C:\\Users\\ada');
});
