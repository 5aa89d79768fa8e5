import { createServer } from "node:net";

/**
 * A loopback port that is free now; another process may take it before the
 * caller does.
 */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? done(address.port)
          : fail(new Error("the system gave no port")),
      );
    });
  });
}
