// Tools that pixi installed for all of a person's projects: each has an environment of its own, named after it.
import type { Source } from '../source-contract.ts';

const ENVIRONMENTS = '.pixi/envs/*';

export const pixi: Source = {
  name: 'pixi',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['home'],
  async *discover(fs) {
    for (const folder of fs.expand(ENVIRONMENTS)) {
      await fs.yieldToEventLoop();
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      // Conda records each package by name, version and build; the others are what the tool needs.
      const record = fs
        .names(`${folder}/conda-meta`)
        .map((file) => /^(.+)-([^-]+)-[^-]+\.json$/.exec(file))
        .find((parts) => parts?.[1] === name);
      if (record == null) continue;
      const bin = fs.platform === 'win32' ? `${name}.exe` : `bin/${name}`;
      const real = fs.has(`${folder}/${bin}`) ? fs.executable(`${folder}/${bin}`) : null;
      yield {
        kind: 'package',
        key: name.toLowerCase(),
        name,
        version: record[2] ?? null,
        path: fs.toMachinePath(folder),
        executables: real !== null && fs.locate(real) !== null ? [real] : [],
        installedAt: fs.changedAt(folder),
      };
    }
  },
};
