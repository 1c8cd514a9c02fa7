// What passes between a page and the shell: one call, by name, with what the service is asked for.
import type {
  LocalAnswer,
  LocalCall,
  LocalRequest,
} from '@gatewarden/shared/wire/local/service.ts';

/** The one channel that the preload opens. */
export const CHANNEL = 'gatewarden:ask';

export type Problem = 'no_service' | 'not_ours' | 'not_understood' | 'failed';

export type Answered<T> = { ok: true; value: T } | { ok: false; problem: Problem; why: string };

/** What a page finds as `window.gatewarden`. */
export interface PageBridge {
  ask<C extends LocalCall>(call: C, body: LocalRequest<C>): Promise<Answered<LocalAnswer<C>>>;
}
