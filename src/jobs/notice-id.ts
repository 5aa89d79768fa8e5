import { createHash } from "node:crypto";

/** Names a notice in its reader's chat after what it is about: sent again, it is the same. Pure. */
export function noticeId(kind: string, of: string, ...about: readonly string[]): string {
  const digest = createHash("sha256").update(about.join(" ")).digest("base64url");
  return `${kind}-${of}-${digest.slice(0, 12)}`;
}
