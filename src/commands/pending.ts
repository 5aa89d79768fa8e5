import { describePerson } from "../access/describe-person.ts";
import { openRequests, pairingButtons } from "../access/pairing.ts";
import type { AnswerButton } from "../core/inbound.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

/** Each has two buttons, of which an answer takes 25. */
const maxShown = 10;
/** UTF-16 units of a name on a button. */
const maxLabel = 24;

/** `/pending`: who asks to be let in, the newest first. */
export const pendingCommand: Command = {
  spec: { ...described("pending", ({ pending }) => pending.description), adminOnly: true },
  role: "admin",
  isPrivate: true,
  async run({ locale }, { pairing }) {
    const { contact } = locale;
    const requests = await openRequests(pairing);
    if (requests.length === 0) return answer(contact.nobodyWaits);
    const shown = requests.slice(0, maxShown);
    const lines = shown.map(({ person, code }) => `• ${describePerson(person)}: ${code}`);
    const more = requests.length - shown.length;
    const buttons = shown.flatMap(({ person, code }): readonly AnswerButton[] => {
      const typed = [`/allow ${code}`, `/ban ${person.id}`];
      const name = person.name.slice(0, maxLabel).toWellFormed();
      return pairingButtons(code, locale.pairing).map(({ label, data }, index) => ({
        label: `${label}: ${name}`,
        data,
        typed: typed[index] ?? "",
      }));
    });
    return {
      ...answer(
        contact.waiting,
        ...lines,
        ...(more > 0 ? [contact.more(more)] : []),
        contact.howToAllow,
      ),
      buttons,
    };
  },
};
