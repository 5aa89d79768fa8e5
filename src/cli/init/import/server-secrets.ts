import { isSecretPath, mask } from "../../../config/problems.ts";
import type { Mapping } from "./source-folder.ts";

const reference = /\$\{\w+\}/g;

/**
 * The key of an MCP server's entry whose text seems to hold a secret: a token, a URL with a user or a
 * query, or what follows `--api-key`, `TOKEN=`, `Authorization:`. References such as `${NAME}` are
 * none. Pure.
 */
export const keyWithSecret = (entry: Mapping, keys: readonly string[]): string | undefined =>
  keys.find((key) => holdsSecret([entry[key] ?? []].flat().map(String).join(" ")));

function holdsSecret(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => !/^(?:bearer|basic)$/i.test(word));
  return words.some((word, index) => {
    const bare = word.replaceAll(reference, "");
    // Without a value, `?key=` is no query.
    const shown = bare.replaceAll(/=(?=&|$)/g, "");
    if (mask(shown) !== shown) return true;
    const [, flag, name = flag, value = ""] =
      /^(?:-+([\w-]+)|([\w-]+)(?=[=:]))(?:[=:](.*))?$/.exec(word) ?? [];
    // What follows `--env` has a name of its own.
    if (name === undefined || name === "env" || !isSecretPath([name])) return false;
    const given = value === "" ? (words[index + 1] ?? "") : value;
    return !given.startsWith("-") && given.replaceAll(reference, "") !== "";
  });
}
