// Promises with a time limit, and promises whose failure counts as no result.
import { RpcError } from './messages.ts';

/** Returns null for an RpcError: the server, or its login, failed. */
export async function nullOnRpcError<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

/** Returns null after the timeout. */
export async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
