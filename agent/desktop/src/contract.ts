// The contract between pages and shell: a single call, with the name of a request and its body.
import type {
  LocalAnswer,
  LocalCall,
  LocalRequest,
} from '@gatewarden/shared/wire/local/service.ts';

/** The channel that the preload opens. */
export const CHANNEL = 'gatewarden:ask';

export type Problem = 'no_service' | 'not_ours' | 'not_understood' | 'failed';

export type HubResponse<T> = { ok: true; value: T } | { ok: false; problem: Problem; why: string };

/** The API of a page as `window.gatewarden`. */
export interface PageBridge {
  ask<C extends LocalCall>(call: C, body: LocalRequest<C>): Promise<HubResponse<LocalAnswer<C>>>;
}
