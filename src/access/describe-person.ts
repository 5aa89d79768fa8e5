import { platformNames, platforms, type Person } from "../core/chat.ts";
import { visible } from "../text/visible-text.ts";

/**
 * Describes a person so that admins can't confuse them: anyone can choose a
 * name, but a user name is theirs alone on its platform. Without one their id
 * is shown. Pure.
 */
export function describePerson({
  name,
  username,
  id,
}: Pick<Person, "id" | "name" | "username">): string {
  if (name === id && username === undefined) return id;
  // The name must not move or hide the text after it.
  const called = visible(name);
  const [kind = ""] = id.split(":");
  const platform = platforms.find((each) => each === kind);
  return username === undefined
    ? `${called} (${id})`
    : `${called} (@${username}, ${platform === undefined || platform === "console" ? kind : platformNames[platform]})`;
}
