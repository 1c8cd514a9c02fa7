// Models on the disk: their names, sizes and formats by names, manifests and file sizes. No weights are opened.
import {
  MODEL_FORMATS,
  MODEL_STORES,
  type ModelStore,
  type StoreLayout,
} from '../clients/models.ts';
import { placesOf } from '../clients/path-tokens.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';

const MAX_MANIFEST = 1024 * 1024;
const MAX_MODELS = 2000;
const MAX_FILES = 500;
const AT_ONCE = 20;

interface Model {
  publisher: string | null;
  name: string;
  tag: string | null;
  size: number | null;
  format: string | null;
  /** A path of the look. */
  path: string;
}

export const modelStores: Source = {
  name: 'model_store',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    for (const store of MODEL_STORES) {
      const paths =
        fs.owner === null
          ? (store.machine?.[fs.platform] ?? [])
          : (store.user ?? []).flatMap((path) => placesOf(fs.platform, path));
      for (const path of paths.filter((path) => fs.kindOf(path) === 'folder')) {
        yield* readStore(fs, store, path);
      }
    }
  },
};

async function* readStore(
  fs: ScopedFs,
  store: ModelStore,
  base: string,
): AsyncGenerator<Discovered> {
  let found = 0;
  for await (const model of READERS[store.layout](fs, base)) {
    if (++found > MAX_MODELS) {
      fs.reportError(base, 'timed_out', `more than ${MAX_MODELS} models`);
      break;
    }
    if (found % AT_ONCE === 0) await fs.yieldToEventLoop();
    yield describeModel(fs, store, model);
  }
  // A folder of the person's own is a store only with models in it.
  if (found === 0 && store.layout === 'files') return;
  yield {
    kind: 'ai_tool',
    key: `store:${store.name.toLowerCase()}`,
    name: `${store.name} model store`,
    path: fs.toMachinePath(base),
    details: { type: 'model_store', store: store.name },
  };
}

function describeModel(fs: ScopedFs, store: ModelStore, model: Model): Discovered {
  const name = [model.publisher, model.name].filter((word) => word !== null).join('/');
  return {
    kind: 'ai_tool',
    key: `model:${name.toLowerCase()}`,
    name,
    version: model.tag,
    publisher: model.publisher,
    path: fs.toMachinePath(model.path),
    installedAt: fs.changedAt(model.path),
    calledThere: model.tag === null ? name : `${name}:${model.tag}`,
    details: {
      type: 'model',
      models: [
        {
          store: store.name,
          ...(model.tag === null ? {} : { tag: model.tag }),
          size: model.size,
          format: model.format,
        },
      ],
    },
  };
}

const READERS: Record<StoreLayout, (fs: ScopedFs, base: string) => AsyncGenerator<Model>> = {
  ollama: readOllama,
  huggingface: readHuggingFace,
  publishers: (fs, base) => readFolders(fs, base, 2),
  models: (fs, base) => readFolders(fs, base, 2),
  files: readFiles,
};

/** `manifests/REGISTRY/NAMESPACE/NAME/TAG`: each names the layers, with their sizes. */
async function* readOllama(fs: ScopedFs, base: string): AsyncGenerator<Model> {
  for (const path of fs.expand(`${base}/manifests/*/*/*/*`)) {
    const [registry = '', namespace = '', name = '', tag = ''] = path.split('/').slice(-4);
    if (fs.kindOf(path) !== 'file' || tag.startsWith('.')) continue;
    const manifest = await readJson(fs, path, MAX_MANIFEST);
    const layers = isFields(manifest) && Array.isArray(manifest.layers) ? manifest.layers : [];
    const sizes = layers.flatMap((layer) =>
      isFields(layer) && typeof layer.size === 'number' ? layer.size : [],
    );
    const isOther = registry !== 'registry.ollama.ai';
    yield {
      publisher: isOther ? `${registry}/${namespace}` : namespace === 'library' ? null : namespace,
      ...{ name, tag, path },
      size: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0),
      format: 'gguf',
    };
  }
}

/** `models--OWNER--NAME`, with blobs, references and snapshots. */
async function* readHuggingFace(fs: ScopedFs, base: string): AsyncGenerator<Model> {
  for (const folder of fs.folders(base)) {
    const parts = /^models--(.+)$/.exec(folder)?.[1]?.split('--');
    if (parts === undefined) continue;
    const path = `${base}/${folder}`;
    const blobs = fs.names(`${path}/blobs`).slice(0, MAX_FILES);
    const sizes = blobs.map((blob) => fs.sizeOf(`${path}/blobs/${blob}`) ?? 0);
    const files = fs.expand(`${path}/snapshots/*/*`).slice(0, MAX_FILES);
    yield {
      publisher: parts.length > 1 ? (parts[0] ?? null) : null,
      name: parts.slice(parts.length > 1 ? 1 : 0).join('--'),
      ...{ tag: null, path },
      size: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0),
      format: files.map(formatOf).find((file) => file !== null) ?? null,
    };
  }
}

/** Returns folders with files of weights: up to `depth` folders below the store. */
async function* readFolders(fs: ScopedFs, base: string, depth: number): AsyncGenerator<Model> {
  const waiting = [{ folder: base, names: [] as string[] }];
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (++looked > MAX_MODELS) return;
    if (looked % AT_ONCE === 0) await fs.yieldToEventLoop();
    const { folder, names } = next;
    const weights = weightsIn(fs, folder);
    if (weights.length > 0 || fs.has(`${folder}/model.yml`)) {
      yield* modelsIn(fs, { folder, names, weights });
    } else if (names.length < depth) {
      for (const name of fs.folders(folder)) {
        if (!name.startsWith('.')) {
          waiting.push({ folder: `${folder}/${name}`, names: [...names, name] });
        }
      }
    }
  }
}

/** Each GGUF file is a separate model, in another quantization; files of other formats belong to the same model. */
function* modelsIn(
  fs: ScopedFs,
  { folder, names, weights }: { folder: string; names: readonly string[]; weights: string[] },
): Generator<Model> {
  const single = weights.filter((path) => formatOf(path) === 'gguf');
  const parts = weights.filter((path) => formatOf(path) !== 'gguf');
  const [publisher = null, name = null] = names.length > 1 ? names : [null, names[0] ?? null];
  for (const path of single) {
    const file = fileName(path);
    const size = fs.sizeOf(path);
    yield {
      publisher,
      name: name ?? file,
      tag: name === null ? null : file,
      size,
      format: 'gguf',
      path,
    };
  }
  if (single.length > 0) return;
  const size = parts.reduce((sum, path) => sum + (fs.sizeOf(path) ?? 0), 0);
  const format = parts.map(formatOf).find((part) => part !== null) ?? null;
  const shown = name ?? folder.slice(folder.lastIndexOf('/') + 1);
  yield {
    publisher,
    name: shown,
    tag: null,
    size: parts.length === 0 ? null : size,
    format,
    path: folder,
  };
}

/** Files with weights of which each is a model; llama.cpp writes the publisher before the first underscore. */
async function* readFiles(fs: ScopedFs, base: string): AsyncGenerator<Model> {
  for (const path of weightsIn(fs, base)) {
    const file = fileName(path);
    const owner = base.endsWith('llama.cpp') ? /^([\w.-]+?)_(.+)$/.exec(file) : null;
    yield {
      publisher: owner?.[1] ?? null,
      name: owner?.[2] ?? file,
      ...{ tag: null, path },
      size: fs.sizeOf(path),
      format: formatOf(path),
    };
  }
}

function weightsIn(fs: ScopedFs, folder: string): string[] {
  return fs
    .names(folder)
    .filter((name) => formatOf(name) !== null)
    .slice(0, MAX_FILES)
    .map((name) => `${folder}/${name}`);
}

const fileName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

function formatOf(path: string): string | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(MODEL_FORMATS, ending) ? (MODEL_FORMATS[ending] ?? null) : null;
}
