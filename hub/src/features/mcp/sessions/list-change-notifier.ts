// Sends `notifications/*/list_changed` to a client stream: every list change of the gateway passes this file.
import { type ListKind, listChangedMessage, type RpcMessage } from '../protocol/index.ts';

/** Debounce of list changes: servers report several changes at the same time. */
const DEBOUNCE_MS = 50;

/** The lists that a client may have cached. */
const LIST_KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/** Debounces the list changes of a stream. States: idle → pending (the timer runs) → idle. */
export class ListChangeNotifier {
  readonly #write: (message: RpcMessage) => void;
  readonly #pending = new Set<ListKind>();

  constructor(write: (message: RpcMessage) => void) {
    this.#write = write;
  }

  /** Notifies of a change after the debounce, once for all changes of the list in that time. */
  notify(kind: ListKind): void {
    if (this.#pending.size === 0) setTimeout(() => this.#flush(), DEBOUNCE_MS).unref();
    this.#pending.add(kind);
  }

  /** Notifies of a change of all lists after the debounce. */
  notifyAll(): void {
    for (const kind of LIST_KINDS) this.notify(kind);
  }

  /** Notifies of a change of all lists at once, because the client may have missed changes. */
  notifyAllNow(): void {
    for (const kind of LIST_KINDS) this.#write(listChangedMessage(kind));
  }

  #flush(): void {
    const kinds = [...this.#pending];
    this.#pending.clear();
    for (const kind of kinds) this.#write(listChangedMessage(kind));
  }
}
