import { afterEach, describe, expect, it, vi } from "vitest";
import { findUser } from "../../src/config/system-user.ts";
import { fileSchema } from "../../src/config/file.ts";

const read = (user: unknown, more: object = { command: "x" }) =>
  fileSchema.safeParse({ mcp: { servers: { a: { ...more, user } } } });
const messages = (user: unknown, more?: object) =>
  read(user, more).error?.issues.map(({ message }) => message);

const as = (uid: number) => vi.spyOn(process, "getuid").mockReturnValue(uid);
afterEach(() => vi.restoreAllMocks());

const refused = [
  "expected the name or number of a user in /etc/passwd other than root; Parley itself must run as root, on Linux",
];

describe.runIf(process.platform === "linux")("the user of a program", () => {
  it("is found by name and by number", () => {
    as(0);
    const daemon = findUser("daemon");
    expect(daemon).toMatchObject({ name: "daemon", uid: 1, gid: 1 });
    for (const user of ["daemon", "1", 1])
      expect(read(user).data?.mcp.servers["a"]).toMatchObject({ user: daemon });
    expect(read(undefined).data?.mcp.servers["a"]).not.toHaveProperty("user");
  });

  it.each([["nobody-of-this-name"], ["root"], [0], [""], [["daemon"]], [null]])(
    "%j refuses the start",
    (user) => {
      as(0);
      expect(messages(user)).toEqual(refused);
    },
  );

  it("is refused where Parley can't start a program as somebody else", () => {
    as(1000);
    expect(messages("daemon")).toEqual(refused);
  });

  it("is for programs only", () => {
    as(0);
    expect(messages("daemon", { url: "https://a.example/mcp" })).toEqual([
      "expected either command (with args and env) or url (with headers)",
    ]);
  });
});
