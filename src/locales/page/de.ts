import type { pageEn } from "./en.ts";

export const pageDe: typeof pageEn = {
  skip: "Zum Inhalt springen",
  menu: "Ansichten",
  logOut: "Abmelden",
  notFound: "Hier gibt es nichts.",
  failedTitle: "Etwas ist schiefgegangen",
  failed: (errorId) =>
    `Entschuldigung, das hat nicht geklappt. Einzelheiten stehen im Log (Fehler ${errorId}).`,
  refused:
    "Diese Anfrage wurde abgelehnt. Geh zurück, lade die Seite neu und versuch es noch einmal.",
  tooOften: "Das war zu oft. Versuch es in einer Minute noch einmal.",
  reload: "Neu laden",
  titles: {
    now: "Jetzt",
    approvals: "Freigaben",
    spend: "Kosten",
    chats: "Chats",
    turn: "Antwort",
    schedules: "Zeitpläne",
    dead: "Nicht zugestellt",
    people: "Personen und Orte",
    health: "Zustand",
    audit: "Protokoll",
  },
  login: {
    title: "Anmelden",
    how: "Schick dem Bot in einem Direktchat /dashboard. Er antwortet mit einem Link.",
    code: "Code",
    codeHint: "Der Code steht im Link hinter dem #.",
    button: "Anmelden",
    wrong:
      "Dieser Code wurde schon benutzt oder ist abgelaufen. Mit /dashboard bekommst du einen neuen Link.",
  },
  done: {
    stopped: "Gestoppt.",
  },
  now: {
    empty: "Gerade läuft nichts, und nichts wartet.",
  },
  approvals: {
    empty: "Nichts wartet auf eine Freigabe.",
  },
  spend: {
    empty: "Bisher wurde nichts ausgegeben.",
  },
  chats: {
    empty: "Bisher hat niemand mit dem Bot gesprochen.",
  },
  turn: {
    empty: "Zu dieser Antwort gibt es nichts zu zeigen.",
  },
  schedules: {
    empty: "Es gibt keine Zeitpläne.",
  },
  dead: {
    empty: "Alle Nachrichten wurden zugestellt.",
  },
  people: {
    empty: "Bisher hat niemand mit dem Bot gesprochen.",
  },
  health: {
    empty: "Bisher wurde nichts geprüft.",
  },
  audit: {
    empty: "Bisher wurde nichts geändert.",
  },
};
