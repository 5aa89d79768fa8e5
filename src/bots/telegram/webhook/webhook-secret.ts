import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * The default secret. Every process of a deployment knows the token, so all
 * derive the same secret at every start without coordination; the token can't
 * be derived from it.
 */
export const secretFromToken = (token: string): string =>
  createHmac("sha256", token).update("parley webhook 1").digest("base64url");

/** Whether a header is the secret, compared in constant time. */
export function isSecret(secret: string, given: string | readonly string[] | undefined): boolean {
  return typeof given === "string" && timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
