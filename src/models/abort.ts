/** Fulfils with the promise, or with undefined as soon as the signal aborts. Leaves no listener behind. */
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
