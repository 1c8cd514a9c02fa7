// The collector as a library: a source, a custom sink, and the loop between them.
export { type CollectOptions, collect } from './collect.ts';
export { PageFailed, Refused, type Source } from './page.ts';
export { openFileSink, openStreamSink, type Sink } from './sinks.ts';
