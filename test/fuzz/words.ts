import { commandData, formData } from "../../src/core/inbound.ts";
import {
  alwaysData,
  approveAllData,
  approveData,
  denyAllData,
  denyData,
  editData,
} from "../../src/core/outbox.ts";
import { actorIds, type IngressWorld } from "./ingress-world.ts";

/** No actor of the fuzzers: these may be let in or banned. */
const victim = "9000";

/**
 * Texts that mean something to ingress: every command, every kind of button, and what they take.
 */
export function wordsOf(world: IngressWorld): readonly string[] {
  const [direct = "", group = ""] = world.approvalIds;
  const names = world.commands.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
  const commands = names.flatMap((name) => [`/${name}`, `/${name} ${argumentsOf(name)}`]);
  return [
    ...commands,
    ...commands.map((command) => command.replace(/^\/(\w+)/, "/$1@parley_bot")),
    ...buttonsOf([direct, group]),
    ...actorIds.map(String),
    direct,
    group,
    direct.slice(-22, -16),
    "yes",
    "no, too dear",
    "hello",
    `telegram:${victim}`,
    `discord:${victim}`,
    "console:1",
  ];
}

const buttonsOf = (ids: readonly string[]): readonly string[] => [
  ...ids.flatMap((id) =>
    [approveData, denyData, approveAllData, denyAllData, editData, alwaysData].map((data) =>
      data(id),
    ),
  ),
  "pa:ABCDEFGH",
  "pd:ABCDEFGH",
  "s:1",
  "t:p:fast",
  "t:c:smart",
  "m:p:AAAAAAAAAA",
  "f:yes",
  commandData("persona", "new"),
  commandData("persona", "pick default"),
  commandData("persona", "approve AAAAAA.1"),
  commandData("persona", "pick #AAAAAAAAAA"),
  formData("persona", "new"),
  formData("persona", "change AAAAAA.1"),
  "ps:AAAAAAAAAA:0",
];

/** What a command would take from someone who may use it. */
export function argumentsOf(name: string): string {
  switch (name) {
    case "allow":
    case "ban":
    case "unban":
      return `telegram:${victim}`;
    case "role":
      return `telegram:${victim} admin`;
    case "limits":
      return "set person messages 1/day";
    case "pause":
    case "resume":
      return "all";
    case "broadcast":
      return "hello everybody";
    case "admin":
      return `ban telegram:${victim}`;
    case "tier":
      return "smart chat";
    case "settings":
      return "tools full";
    case "language":
      return "de";
    case "persona":
      return "new chef";
    default:
      return "all";
  }
}
