import { randomBytes } from "node:crypto";
import type { ErasureJob } from "../../store/erasure/erasures.ts";
import { sleep } from "../../util/sleep.ts";
import {
  chatArgument,
  parseAdminArguments,
  refuseArguments,
  type AdminCommand,
} from "./admin-command.ts";

/** How long it is waited for the running deployment. Milliseconds. */
const timeoutMs = 60_000;
const lookMs = 250;

/** Erases a chat or a person, as `/forget` does. The running deployment carries it out. */
export const forgetCommand: AdminCommand = {
  name: "forget",
  summary: "Delete a chat, or everything about a person",
  usage: ["forget chat <chat> --yes", "forget person <platform:id> --yes"],
  async run({ services, printer, say, signal }, given) {
    const { values, positionals } = parseAdminArguments(forgetCommand, given, {
      yes: { type: "boolean", default: false },
    });
    const of = targetOf(positionals);
    if (!values.yes)
      refuseArguments(forgetCommand, "This can't be undone: repeat it with --yes to confirm");
    const { erasures, audit } = services;
    const id = randomBytes(12).toString("hex");
    await audit.write(id, {
      action: "erasure-asked",
      target: of.what === "chat" ? of.chat : of.personId,
      details: { from: "shell" },
    });
    await erasures.ask({ id, of, by: "operator" });
    const endMs = performance.now() + timeoutMs;
    while ((await erasures.list()).some((job) => job.id === id)) {
      signal.throwIfAborted();
      if (performance.now() > endMs) {
        say(
          "It is written down and not carried out yet: that is done by a running Parley with a worker, as soon as there is one.",
        );
        return false;
      }
      await sleep(lookMs);
    }
    await printer.print("Erased.");
    return true;
  },
};

/** @throws PermanentError when the words name neither a chat nor a person. */
function targetOf([what, name, ...rest]: readonly string[]): ErasureJob["of"] {
  if (rest.length > 0 || name === undefined)
    return refuseArguments(forgetCommand, "expected chat or person, and which one");
  switch (what) {
    case "chat":
      return { what, chat: chatArgument(forgetCommand, name) };
    case "person":
      if (!/^(telegram|discord):\d+$|^console:local$/.test(name))
        refuseArguments(
          forgetCommand,
          `"${name}" is no person: expected platform:id, such as telegram:12345`,
        );
      return { what, personId: name };
    default:
      return refuseArguments(forgetCommand, `"${what}" can't be erased: expected chat or person`);
  }
}
