// Descriptions of Node and Python packages in the lists of files that package managers of systems keep. Pure.

/** The ends of their paths. */
const ENDS = ['.dist-info/METADATA', '.egg-info/PKG-INFO', '.egg-info', '/package.json'];
const LINES = ENDS.map((text) => Buffer.from(`${text}\n`));
const LINE_END = 0x0a;

export const isManifestPath = (path: string): boolean => ENDS.some((end) => path.endsWith(end));

/** The lines of a list that end so. The list is searched as bytes: few of its lines are wanted. */
export function manifestLines(list: Buffer): string[] {
  const lines: string[] = [];
  for (const needle of LINES) {
    for (let at = list.indexOf(needle); at >= 0; at = list.indexOf(needle, at + 1)) {
      const end = at + needle.length - 1;
      lines.push(list.toString('utf8', list.lastIndexOf(LINE_END, at) + 1, end));
    }
  }
  return lines;
}
