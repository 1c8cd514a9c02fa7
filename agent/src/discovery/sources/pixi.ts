// Tools that pixi installed for all of a person's projects: each has an environment of its own, named after it.
import type { Source } from '../source-contract.ts';

const ENVIRONMENTS = '.pixi/envs/*';

export const pixi: Source = {
  name: 'pixi',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    for (const folder of look.expand(ENVIRONMENTS)) {
      await look.turn();
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      // Conda records each package by name, version and build; the others are what the tool needs.
      const record = look
        .names(`${folder}/conda-meta`)
        .map((file) => /^(.+)-([^-]+)-[^-]+\.json$/.exec(file))
        .find((parts) => parts?.[1] === name);
      if (record == null) continue;
      const bin = look.platform === 'win32' ? `${name}.exe` : `bin/${name}`;
      const real = look.has(`${folder}/${bin}`) ? look.executable(`${folder}/${bin}`) : null;
      yield {
        kind: 'package',
        key: name.toLowerCase(),
        name,
        version: record[2] ?? null,
        path: look.shown(folder),
        executables: real !== null && look.locate(real) !== null ? [real] : [],
        installedAt: look.changedAt(folder),
      };
    }
  },
};
