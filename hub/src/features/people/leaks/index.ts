// Keys that leaked: what the composition and the command line may use.
export { behind, endAll, isOpen, type Leak } from './find.ts';
export { KIND_NAMES, registerLeakedKeys } from './routes.ts';
export { secretsInStream } from './rules.ts';
