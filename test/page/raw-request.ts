import { Agent, request, type IncomingHttpHeaders } from "node:http";

/** Sockets are kept, for those who ask often. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Given {
  readonly path: string;
  readonly method?: string;
  /** Any of them, also those that browsers and `fetch` don't let one set. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly fields?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request over a real socket. */
export async function ask(base: string, given: Given): Promise<Answer> {
  const { path, method = "GET", headers = {}, fields } = given;
  const body = fields && new URLSearchParams(fields).toString();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const asked = request(
    new URL(base + path),
    { agent, method, headers: { ...type, ...headers } },
    (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on("error", reject);
    },
  );
  asked.on("error", reject);
  asked.end(body);
  return await promise;
}
