/** The promise's result, unless the signal aborts before: then it rejects with the signal's reason. */
export async function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
