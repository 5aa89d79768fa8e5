import { expect, it } from "vitest";
import { questionOf } from "../../../src/bots/console/send/questions.ts";
import { pairingButtons } from "../../../src/access/pairing.ts";
import { cardButtons } from "../../../src/delivery/card-buttons.ts";
import { languages, localeFor } from "../../../src/locales/locale-for.ts";

const chunk = { text: "Run it?" };
const card = {
  approvalId: "s1-abc",
  tool: "buy",
  arguments: "{}",
  requesterName: "you",
  approvers: "requester",
  expiresAtMs: 1,
};
const call = { card, status: "pending", decidedBy: "", reason: "" } as const;

it.each(languages)("a card is a question in %s", (language) => {
  const locale = localeFor(language);
  expect(questionOf("1", chunk, cardButtons([call], locale))).toMatchObject({
    prompt: `${locale.cards.approve}? [y/n]`,
    yes: "a:s1-abc",
    no: "d:s1-abc",
  });
  const [first, second, third] = [call, call, call];
  const several = cardButtons([first, second, third], locale);
  expect(questionOf("1", chunk, several)).toMatchObject({
    yes: "aa:s1-abc",
    no: "da:s1-abc",
  });
  const pairing = pairingButtons("ABCDEFGH", locale.pairing);
  expect(questionOf("1", chunk, pairing)).toMatchObject({
    yes: "pa:ABCDEFGH",
    no: "pd:ABCDEFGH",
  });
});

it("other buttons are no question", () => {
  const { yes } = localeFor().forget;
  const buttons = [{ label: yes.chat, data: "f:chat" }];
  expect(questionOf("1", chunk, buttons)).toBeUndefined();
  const picks = [
    { label: "Deny", data: "p:deny" },
    { label: "Approve", data: "p:approve" },
  ];
  expect(questionOf("1", chunk, picks)).toBeUndefined();
});
