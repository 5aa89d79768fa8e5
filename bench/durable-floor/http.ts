import { Pool } from "undici";

interface Post {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Without time limits; a connection for every request under way, kept for the next one. */
export const openPool = (url: string): Pool =>
  new Pool(new URL(url).origin, { keepAliveTimeout: 60_000, bodyTimeout: 0, headersTimeout: 0 });

/**
 * Passes the body on as it arrives, by undici's dispatcher alone: no `fetch`, no web streams, no
 * response object. Fulfils at the end of the body; rejects for any status but 200.
 */
export const post = (pool: Pool, request: Post, onData: (chunk: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    pool.dispatch(
      { method: "POST", ...request },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status !== 200) throw new Error(`${request.path}: status ${status}`);
        },
        onResponseData: (_controller, chunk) => onData(chunk),
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
