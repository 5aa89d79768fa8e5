import { discordSubject } from "../bots/discord/sender-subject.ts";
import { senderContract } from "./sender-contract.ts";

senderContract("Discord", { isRemote: true, setup: discordSubject });
