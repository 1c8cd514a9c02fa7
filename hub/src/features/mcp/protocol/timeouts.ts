// For whom an answer that fails, or comes late, is as good as none.
import { RpcError } from './messages.ts';

/** Null where the server, or its login, gives nothing. */
export async function nullOnRpcError<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

/** Null where it takes too long. */
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
