import type { Person } from "../core/chat.ts";
import { visible } from "../text/visible-text.ts";

/** Somebody as admins have to tell them apart: names are anybody's choice, ids are not. Pure. */
export function describePerson({
  name,
  username,
  id,
}: Pick<Person, "id" | "name" | "username">): string {
  if (name === id && username === undefined) return id;
  // Nothing in it may move what stands behind it, or hide it.
  const called = visible(name);
  return username === undefined
    ? `${called} (${id})`
    : `${called} (@${username}, ${id})`;
}
