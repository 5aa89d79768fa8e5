/**
 * Fulfils with the promise, or with undefined as soon as the signal aborts. Leaves no listener behind; and nothing is kept of
 * what came, as a race against one promise for a whole stream would keep every event of it.
 */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const stop = (): void => aborted.resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
