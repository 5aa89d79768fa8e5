import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server on 127.0.0.1, which goes with its test. */
export interface WebServer extends AsyncDisposable {
  readonly port: number;
  /** `<host> <path>` of every request, in order. */
  readonly asked: readonly string[];
  /** Connections that were opened to it. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
}

export async function startWebServer(answer: RequestListener): Promise<WebServer> {
  const asked: string[] = [];
  const open = new Set<unknown>();
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host?.replace(/:\d+$/, "")} ${request.url}`);
    answer(request, response);
  });
  // It says so, and clients keep their connections for as long, if they keep any.
  server.keepAliveTimeout = 600_000;
  server.on("connection", (socket) => {
    connections += 1;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // All of 127.0.0.0/8, so that a forbidden address would be answered where the system has it.
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    open: () => open.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
