// Calls functions of the operating system's libraries through koffi, which is loaded on Windows and macOS only. A call
// takes microseconds, where a child process such as `ps` or `reg` takes hundreds of milliseconds.
import { createRequire } from 'node:module';

type Koffi = typeof import('koffi');

/** An argument: a number or a handle, an address, a text, or memory that the function reads or fills. */
export type NativeArgument = number | bigint | string | Buffer | null;
/** A native function; its result is a status, a count, or a handle. */
export type NativeFunction = (...args: NativeArgument[]) => number;

/** The result type of a function in C, then the types of its parameters. */
export type Signature = readonly [result: string, ...parameters: string[]];

let koffi: Koffi | null = null;

/** Loads koffi, on first use. */
export function loadKoffi(): Koffi {
  koffi ??= createRequire(import.meta.url)('koffi') as Koffi;
  return koffi;
}

/**
 * Returns a function that binds the functions of a library with its first call. Throws where the library or
 * a function does not exist on this system.
 */
export function bindLibrary<Name extends string>(
  file: string,
  signatures: Readonly<Record<Name, Signature>>,
): () => Record<Name, NativeFunction> {
  let bound: Record<Name, NativeFunction> | null = null;
  return () => {
    if (bound !== null) return bound;
    const library = loadKoffi().load(file);
    const functions = Object.entries<Signature>(signatures).map(
      ([name, [result, ...parameters]]) => [
        name,
        library.func(name, result, parameters) as NativeFunction,
      ],
    );
    bound = Object.fromEntries(functions) as Record<Name, NativeFunction>;
    return bound;
  };
}

/** Returns the address of memory, by which pointers inside of it become offsets. */
export function addressOf(memory: Buffer): bigint {
  return loadKoffi().address(memory);
}

/** Returns a copy of `length` bytes of native memory. */
export function copyMemory(address: bigint, length: number): Buffer {
  return Buffer.from(new Uint8Array(loadKoffi().view(address, length)));
}

/** Calls a native function on a thread of the pool. Its memory must stay referenced until the call has ended. */
export function callInBackground(
  called: NativeFunction,
  ...args: readonly NativeArgument[]
): Promise<number> {
  const { async: start } = called as import('koffi').KoffiFunc<NativeFunction>;
  return new Promise((resolve, reject) => {
    start(...args, (error: Error | null, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
