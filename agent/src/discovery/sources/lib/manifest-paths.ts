// Descriptions of Node and Python packages in the lists of files that package managers of systems keep. Pure.

/** The ends of their paths. */
const ENDS = ['.dist-info/METADATA', '.egg-info/PKG-INFO', '.egg-info', '/package.json'];
/** Parts by which a search finds these ends and little else. */
const NEEDLES = ['-info', '/package.json\n'].map((text) => Buffer.from(text));
const LINE_END = 0x0a;

export const isManifestPath = (path: string): boolean => ENDS.some((end) => path.endsWith(end));

/** The lines of a list that end so. The list is searched as bytes: few of its lines are wanted. */
export function manifestLines(list: Buffer): string[] {
  const lines: string[] = [];
  for (const needle of NEEDLES) {
    for (let at = list.indexOf(needle); at >= 0; at = list.indexOf(needle, at)) {
      const end = list.indexOf(LINE_END, at);
      const line = list.toString(
        'utf8',
        list.lastIndexOf(LINE_END, at) + 1,
        end < 0 ? list.length : end,
      );
      if (isManifestPath(line)) lines.push(line);
      if (end < 0) break;
      at = end;
    }
  }
  return lines;
}
