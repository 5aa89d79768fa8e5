import type { pageEn } from "./en.ts";

export const pageFr: typeof pageEn = {
  skip: "Aller au contenu",
  menu: "Vues",
  logOut: "Se déconnecter",
  notFound: "Il n'y a rien ici.",
  failedTitle: "Une erreur s'est produite",
  failed: (errorId) =>
    `Désolé, une erreur s'est produite. Les détails sont dans le journal (erreur ${errorId}).`,
  refused: "Cette requête a été refusée. Reviens en arrière, recharge la page et réessaie.",
  tooOften: "C'était trop souvent. Réessaie dans une minute.",
  reload: "Recharger",
  titles: {
    now: "En cours",
    approvals: "Approbations",
    spend: "Dépenses",
    chats: "Discussions",
    turn: "Réponse",
    schedules: "Planifications",
    dead: "Non distribués",
    people: "Personnes et lieux",
    health: "État",
    audit: "Journal",
  },
  login: {
    title: "Se connecter",
    how: "Envoie /dashboard au bot dans une discussion privée. Il répond avec un lien.",
    code: "Code",
    codeHint: "Le code est ce qui suit # dans le lien.",
    button: "Se connecter",
    wrong: "Ce code a déjà servi ou a expiré. Envoie /dashboard pour obtenir un nouveau lien.",
  },
  done: {
    stopped: "Arrêté.",
  },
  now: {
    empty: "Aucune réponse en cours, en attente ou en file.",
  },
  approvals: {
    empty: "Rien n'attend d'approbation.",
  },
  spend: {
    empty: "Rien n'a encore été dépensé.",
  },
  chats: {
    empty: "Personne n'a encore parlé au bot.",
  },
  turn: {
    empty: "Il n'y a rien à montrer de cette réponse.",
  },
  schedules: {
    empty: "Il n'y a aucune planification.",
  },
  dead: {
    empty: "Tous les messages ont été distribués.",
  },
  people: {
    empty: "Personne n'a encore parlé au bot.",
  },
  health: {
    empty: "Rien n'a encore été vérifié.",
  },
  audit: {
    empty: "Rien n'a encore été modifié.",
  },
};
