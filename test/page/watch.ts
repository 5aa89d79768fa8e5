import { onTestFinished } from "vitest";

/** Opens a view's stream, as htmx does. */
export async function watch({ url }: { readonly url: string }, secret: string, path = "/") {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const response = await fetch(url + path, {
    headers: { cookie: `parley=${secret}`, accept: "text/html, text/event-stream" },
    redirect: "manual",
    signal: over.signal,
  });
  const read = { text: "", isOver: false };
  void (async () => {
    for await (const chunk of response.body ?? []) read.text += Buffer.from(chunk).toString();
  })().then(
    () => (read.isOver = true),
    () => (read.isOver = true),
  );
  return { response, read };
}
