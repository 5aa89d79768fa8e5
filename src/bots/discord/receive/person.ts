import type { Person } from "../../../core/chat.ts";
import type { MemberPayload, UserPayload } from "./payloads.ts";

/** As the others see them: nickname here, else display name, else user name. */
export function displayName(user: UserPayload, member: MemberPayload | undefined): string {
  return member?.nick || user.global_name || user.username;
}

export function personOf(
  user: UserPayload,
  {
    member,
    locale,
  }: {
    readonly member: MemberPayload | undefined;
    readonly locale?: string | undefined;
  },
): Person {
  return {
    id: `discord:${user.id}`,
    name: displayName(user, member),
    username: user.username,
    ...(locale === undefined ? {} : { language: locale }),
  };
}
