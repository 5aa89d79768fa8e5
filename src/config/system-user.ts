import { readFileSync } from "node:fs";

/** A user of the system, as `/etc/passwd` describes them. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/**
 * Whether this process may start programs as another user: requires root and
 * Linux.
 */
export const canChangeUser = (): boolean =>
  process.platform === "linux" && process.getuid?.() === 0;

/** The user with this name or number; undefined where there is none. */
export function findUser(nameOrId: string): SystemUser | undefined {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const line of lines) {
    const [name = "", , uid = "", gid = "", , home = ""] = line.split(":");
    if (name !== "" && (name === nameOrId || uid === nameOrId))
      return { name, uid: Number(uid), gid: Number(gid), home: home || "/" };
  }
  return undefined;
}
