// The libraries that read formats, each loaded when the first file of its kind is there: most machines need few of them.

export const loadJsonc = () => import('jsonc-parser');
export const loadJson5 = () => import('json5');
export const loadYaml = () => import('yaml');
export const loadToml = () => import('smol-toml');
export const loadZip = () => import('yauzl');
export const loadXml = () => import('@xmldom/xmldom');
export const loadPlist = () => import('plist');
export const loadBinaryPlist = () => import('bplist-parser');

/** All that homes may need, for a reader who can load nothing more once it is somebody else. */
export async function loadLibraries(): Promise<void> {
  await Promise.all([loadJsonc(), loadJson5(), loadYaml(), loadToml(), loadZip(), loadXml()]);
  await Promise.all([loadPlist(), loadBinaryPlist()]);
}
