// Keys that leaked: what the composition and the command line may use.
export { behind, endAll, isOpen } from './find.ts';
export { KIND_NAMES, KIND_WORDS, registerLeakedKeys } from './routes.ts';
export { secretsInStream } from './rules.ts';
