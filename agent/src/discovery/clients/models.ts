// Model stores, and the programs that serve models: a new store or server is a new row.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/**
 * How a store names its models. `ollama`: manifests by registry, namespace, name and tag. `huggingface`: folders
 * `models--OWNER--NAME`. `publishers`: files two folders down, by publisher and model. `models`: a folder for each model,
 * by publisher and name or by name alone. `files`: model files themselves.
 */
export type StoreLayout = 'ollama' | 'huggingface' | 'publishers' | 'models' | 'files';

export interface ModelStore {
  name: string;
  layout: StoreLayout;
  /** Below a home. */
  user?: readonly string[];
  /** From the root of the machine. */
  machine?: Partial<Record<Platform, readonly string[]>>;
}

function everywhere(...paths: string[]) {
  return { linux: paths, darwin: paths, win32: [] };
}

export const MODEL_STORES: readonly ModelStore[] = [
  {
    name: 'Ollama',
    layout: 'ollama',
    user: ['.ollama/models', 'snap/ollama/common/models'],
    machine: everywhere(
      '/usr/share/ollama/.ollama/models',
      '/var/lib/ollama/.ollama/models',
      '/var/lib/ollama/models',
      '/var/snap/ollama/common/models',
    ),
  },
  {
    name: 'LM Studio',
    layout: 'publishers',
    user: ['.lmstudio/models', '.cache/lm-studio/models'],
  },
  {
    name: 'Hugging Face',
    layout: 'huggingface',
    user: ['.cache/huggingface/hub', '.cache/huggingface/transformers'],
    machine: everywhere('/var/cache/huggingface/hub'),
  },
  {
    name: 'llama.cpp',
    layout: 'files',
    user: ['.cache/llama.cpp', 'Library/Caches/llama.cpp', '{L}/llama.cpp'],
  },
  {
    name: 'Jan',
    layout: 'models',
    user: [
      ...['{XD}', '{XC}', '{AS}', '{A}'].flatMap((base) => [
        `${base}/Jan/data/llamacpp/models`,
        `${base}/Jan/data/mlx/models`,
        `${base}/Jan/data/models`,
      ]),
      'jan/models',
      'cortexcpp/models',
    ],
  },
  {
    name: 'GPT4All',
    layout: 'files',
    user: [
      '{XD}/nomic.ai/GPT4All',
      '{AS}/nomic.ai/GPT4All',
      '{L}/nomic.ai/GPT4All',
      '.cache/gpt4all',
    ],
  },
  { name: 'ModelScope', layout: 'models', user: ['.cache/modelscope/hub/models'] },
  { name: 'Foundry Local', layout: 'models', user: ['.foundry/cache/models'] },
  { name: 'Nexa', layout: 'models', user: ['.cache/nexa.ai/nexa_sdk/models'] },
  {
    name: 'Msty',
    layout: 'ollama',
    user: ['{XC}', '{AS}', '{A}'].map((base) => `${base}/Msty/models`),
  },
  {
    name: 'AnythingLLM',
    layout: 'ollama',
    user: ['{XC}', '{AS}', '{A}'].map(
      (base) => `${base}/anythingllm-desktop/storage/models/ollama`,
    ),
  },
  {
    name: 'LocalAI',
    layout: 'files',
    user: ['.localai/models'],
    machine: everywhere('/usr/share/localai/models', '/usr/share/local-ai/models'),
  },
  { name: 'KoboldCpp', layout: 'files', user: ['koboldcpp', 'KoboldCpp/models'] },
  { name: 'Whisper', layout: 'files', user: ['.cache/whisper'] },
  { name: 'Models of the person', layout: 'files', user: ['models', 'Models'] },
];

/** The formats of files with weights, by the ending of the name. */
export const MODEL_FORMATS: Readonly<Record<string, string>> = {
  gguf: 'gguf',
  ggml: 'ggml',
  safetensors: 'safetensors',
  onnx: 'onnx',
  mlx: 'mlx',
  tflite: 'tflite',
  pt: 'pytorch',
  pth: 'pytorch',
  ckpt: 'pytorch',
  bin: 'bin',
  task: 'mediapipe',
  litertlm: 'litert',
};

export interface ModelServer {
  name: string;
  port: number;
  /** Program names, looked for where the system, packages and installers put programs. */
  binaries: readonly string[];
  /** Programs at places of their own, below a home (tokens) or from the root. */
  programs?: readonly string[];
  /** How the process's program is called; other programs may listen on the same port. */
  process: RegExp;
}

export const MODEL_SERVERS: readonly ModelServer[] = [
  {
    ...{ name: 'Ollama', port: 11434, process: /^ollama/i, binaries: ['ollama'] },
    programs: [
      '/Applications/Ollama.app/Contents/Resources/ollama',
      '/snap/ollama/current/bin/ollama',
      '{L}/Programs/Ollama/ollama.exe',
      '/Program Files/Ollama/ollama.exe',
    ],
  },
  {
    ...{ name: 'LM Studio', port: 1234, process: /^(lm[- ]?studio|lms|llmster)/i },
    binaries: ['lm-studio', 'llmster'],
    programs: [
      '/opt/LM-Studio/lm-studio',
      '/opt/LM Studio/lm-studio',
      '/Applications/LM Studio.app/Contents/MacOS/LM Studio',
      '{L}/Programs/LM Studio/LM Studio.exe',
      '.lmstudio/bin/lms',
      '.lmstudio/bin/lms.exe',
    ],
  },
  {
    ...{ name: 'Jan', port: 1337, process: /^(jan|cortex)/i, binaries: ['Jan', 'cortex-server'] },
    programs: [
      '/opt/Jan/jan',
      '/usr/lib/Jan/Jan',
      '/Applications/Jan.app/Contents/MacOS/Jan',
      '{L}/Programs/jan/Jan.exe',
    ],
  },
  {
    ...{ name: 'llama.cpp', port: 8080, process: /^llama-server/i },
    binaries: ['llama-server'],
  },
  {
    ...{ name: 'GPT4All', port: 4891, process: /^(gpt4all|chat)/i, binaries: ['gpt4all'] },
    programs: ['gpt4all/bin/chat', '/Applications/gpt4all/bin/gpt4all.app/Contents/MacOS/gpt4all'],
  },
  { ...{ name: 'LocalAI', port: 8081, process: /^local-?ai/i }, binaries: ['local-ai'] },
  { ...{ name: 'KoboldCpp', port: 5001, process: /^koboldcpp/i }, binaries: ['koboldcpp'] },
  { ...{ name: 'RamaLama', port: 8090, process: /^ramalama/i }, binaries: ['ramalama'] },
  { ...{ name: 'llamafile', port: 8082, process: /llamafile/i }, binaries: ['llamafile'] },
];
