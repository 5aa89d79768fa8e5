import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { senderContract } from "./sender-contract.ts";

senderContract("Telegram", { isRemote: true, setup: telegramSubject });
senderContract("Telegram with rich messages", {
  isRemote: true,
  setup: () => telegramSubject({ richMessages: true }),
});
