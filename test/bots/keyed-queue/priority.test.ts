import { describe, expect, it } from "vitest";
import { byName, priorityOf, queueEntryOf } from "../../../src/bots/keyed-queue/priority.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import type { Inbound } from "../../../src/core/inbound.ts";

const commands = byName(allCommands.map(({ spec }) => spec));
const arrival = {
  id: "m1",
  address: { platform: "telegram", bot: "7", chat: "1" },
  person: { id: "telegram:1", name: "Ann" },
  direct: true,
  atMs: 1,
} as const;
const file = {
  kind: "image",
  mediaType: "image/png",
  fetch: () => Promise.reject(new Error("not fetched here")),
} as const;
const command = (name: string): Inbound => ({
  ...arrival,
  type: "command",
  name,
  argument: "",
  answersItself: false,
});

describe("how urgent something is", () => {
  it("a message with files takes its time; one without has its turn", () => {
    const message = { ...arrival, type: "message", text: "hi" } as const;
    expect(priorityOf(message, commands)).toBe("in order");
    expect(priorityOf({ ...message, attachments: [] }, commands)).toBe("in order");
    expect(priorityOf({ ...message, attachments: [file] }, commands)).toBe("slow");
    const edit = {
      ...arrival,
      type: "edit",
      text: "",
      messageId: "1",
    } as const;
    expect(priorityOf(edit, commands)).toBe("in order");
  });

  it("a tap overtakes, and so do /stop, /new and whatever only looks or sets", () => {
    expect(priorityOf({ ...arrival, type: "tap", data: "a:1" }, commands)).toBe("overtaking");
    for (const name of ["stop", "cancel", "new", "reset", "status", "usage"])
      expect(priorityOf(command(name), commands)).toBe("overtaking");
    expect(priorityOf(command("no_such_command"), commands)).toBe("overtaking");
  });

  it("the caller that drops it is told of questions and commands, not of talk and edits", () => {
    const message = { ...arrival, type: "message", text: "hi" } as const;
    const personId = message.person.id;
    expect(queueEntryOf(message, commands)).toEqual({
      priority: "in order",
      personId,
      id: "m1",
    });
    expect(queueEntryOf(command("retry"), commands).id).toBe("m1");
    const others: readonly Inbound[] = [
      { ...message, isAddressed: false },
      { ...arrival, type: "edit", text: "", messageId: "1" },
    ];
    for (const each of others)
      expect(queueEntryOf(each, commands)).toEqual({
        priority: "in order",
        personId,
      });
  });

  it("what works on the conversation waits for all that was said", () => {
    for (const name of ["undo", "retry", "compact", "auto", "forget"])
      expect(priorityOf(command(name), commands)).toBe("in order");
  });
});
