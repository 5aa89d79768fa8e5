import type { OutboxEntry } from "../core/outbox.ts";
import type { Services } from "../services.ts";

export const outageNotice = (
  id: string,
  lines: readonly string[],
  silent: boolean,
): OutboxEntry => ({
  v: 1,
  id,
  kind: "notice",
  text: lines.join("\n"),
  ...(silent ? { silent } : {}),
});

/** Undefined: the page is off, or its port isn't known here. */
export function healthUrl({ page }: Services["settings"]): string | undefined {
  if (!page.enabled) return undefined;
  const own = page.port === 0 ? undefined : `http://${page.host}:${page.port}`;
  const url = page.url ?? own;
  return url && `${url}/health`;
}
