import { countedIn, moneyIn, numberIn } from "./counted.ts";
import type { Locale } from "./locale.ts";
import { findingsFr } from "./findings/fr.ts";
import { pageFr } from "./page/fr.ts";

const counted = countedIn("fr");
const n = numberIn("fr");
const { money, exactMoney } = moneyIn("fr");

export const fr: Locale = {
  ingress: {
    notAllowed: "Désolé, je ne réponds qu'aux personnes autorisées.",
    adminsOnly: (command) => `Seuls les admins peuvent utiliser /${command}.`,
    membersOnly: (command) =>
      `Seuls les membres peuvent utiliser /${command}, et tu es invité. Demande à un admin de te faire passer membre.`,
    ownersOnly: (command) => `Seuls les propriétaires peuvent utiliser /${command}.`,
    noCommand: (command) =>
      `Je ne connais pas /${command}. /help all affiche toutes les commandes.`,
    wroteNothing: "Oui ? Que puis-je faire pour toi ?",
    tooLong: (length, limit) =>
      `Ce message est trop long (${n(length)} caractères, la limite est de ${n(limit)}). Envoie-le en plusieurs fois.`,
    full: "J'ai pris du retard dans ce chat et je n'ai pas pu prendre ce message. Renvoie-le dans quelques minutes, s'il te plaît.",
    fullWhilePaused:
      "Je suis en pause, et trop de messages attendent déjà dans ce chat pour que je garde celui-ci. Renvoie-le quand je serai de retour, s'il te plaît.",
    leftOut: (count) =>
      `Non pris en compte à partir d'ici : ${counted(count, { one: "message", other: "messages" })}.`,
    notKept: (errorId) =>
      `Désolé, mon stockage est plein et je n'ai pas pu enregistrer ton message. Renvoie-le plus tard, s'il te plaît. (erreur ${errorId})`,
    notDone: (errorId) =>
      `Désolé, mon stockage est plein et je ne peux pas faire ça pour l'instant. Réessaie plus tard, s'il te plaît. (erreur ${errorId})`,
    tapTooOld: "Ce bouton ne fonctionne plus.",
    tapTooLate: "Ça a pris trop de temps. Appuie encore une fois, s'il te plaît.",
    notAllowedInGroup:
      "Désolé, je ne réponds qu'aux personnes autorisées. Un admin peut m'activer dans ce groupe avec /allow here.",
  },

  files: {
    noVoice: "Je ne peux pas écouter les messages vocaux ici. Écris-le plutôt, s'il te plaît.",
    noImage: (name) => `Impossible d'ouvrir ${name}. Je lis les formats PNG, JPEG, GIF et WebP.`,
    noText: (name) =>
      `Impossible de lire ${name}. Je lis les images (PNG, JPEG, GIF, WebP), les PDF et les fichiers texte.`,
    blind: {
      picture: (name) =>
        `Je ne vois pas les images, donc je ne peux pas lire ${name}. Décris plutôt l'image avec des mots.`,
      file: (name) => `Impossible de lire ${name}. Je lis les PDF et les fichiers texte.`,
      video: "Je ne peux pas regarder les vidéos. Décris plutôt la vidéo avec des mots.",
    },
    reading: (name) => `lecture : ${name} …`,
    nameless: {
      image: "cette image",
      document: "ce document",
      voice: "ce message vocal",
    },
    tooMany: (count, limit) =>
      `Ça fait trop de fichiers (${count}). Envoies-en ${limit} au plus à la fois.`,
    tooLarge: (name, megabytes, limit) =>
      `Désolé, ${name} fait ${megabytes} Mo. La limite est de ${limit} Mo.`,
    chatIsFull: (count, megabytes) =>
      `Ce chat a atteint la limite de fichiers du jour (${count} fichiers ou ${megabytes} Mo). Réessaie demain, s'il te plaît.`,
    empty: (name) => `Il n'y a rien dans ${name}.`,
  },

  inPrivate: {
    askThere: "Voyons ça en privé. Écris-moi directement.",
    full: "Désolé, trop de messages privés attendent déjà de t'être envoyés. Réessaie plus tard, s'il te plaît.",
    answered: "Je t'ai répondu en privé.",
    writeFirst: "Rien reçu ? Commence par m'écrire directement, puis redemande.",
    askedIn: (group) => `Pour le groupe ${group} :`,
    topic: (thread) => `sujet ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} aimerait utiliser ce bot.`,
    code: (code) => `Code : ${code}`,
    allow: "Autoriser",
    deny: "Refuser",
    yourCode: (code) =>
      `Bonjour ! Ce bot est privé. J'ai demandé à son admin de te laisser entrer. Ton code, si on te le demande : ${code}`,
    askedOwner: (code) =>
      `J'ai maintenant un propriétaire, et je lui ai demandé de te laisser entrer. Ton code, si on te le demande : ${code}`,
    unknownCode: "Je ne connais pas ce code. Il a peut-être expiré, ou quelqu'un a déjà décidé.",
    isAdmin: (who) => `${who} est déjà admin.`,
    allowed: (who, admin) => `${admin} a laissé entrer ${who}.`,
    denied: (who, admin) => `${admin} a refusé ${who}.`,
    youMay: "C'est bon, tu as accès ! Demande-moi ce que tu veux.",
    mayUse: (who) => `${who} peut maintenant utiliser ce bot.`,
    neither: (typed) =>
      `Je ne reconnais pas ${typed}. Donne-moi un code de 8 caractères, un nom comme @sam ou un ID comme telegram:12345.`,
    adminsDecide: "Seul un admin peut en décider.",
  },

  start: {
    youAreOwner: "Ce bot est maintenant à toi. Dis bonjour, ou regarde /help.",
    hello: "Bonjour, je suis Parley. Demande-moi ce que tu veux.",

    tools: (count) => `J'ai ${counted(count, { one: "outil", other: "outils" })} (/tools).`,

    direct: "Dans un groupe, mentionne-moi ou réponds à un de mes messages.",
    mention: "Dans ce groupe, mentionne-moi ou réponds-moi.",
    always: "Dans ce groupe, je réponds à tous les messages.",
    privacy: (model) =>
      `Tes messages sont enregistrés et envoyés au modèle d'IA ${model}. /export pour les télécharger, /forget pour les supprimer, /help pour en savoir plus.`,
    question: "Quelle heure est-il à Tokyo ?",
    showTools: "Montre tes outils",
    showSettings: "Montre les réglages",
    wrongCode:
      "Ce code n'est pas le bon. Copie encore une fois la ligne /start affichée dans le terminal.",
    asksFirst: "Avant de modifier quoi que ce soit, je te demande.",
    directOnDiscord: "Sur un serveur, mentionne-moi ou réponds à un de mes messages.",
  },

  help: {
    groups: {
      talk: "Conversation",
      choose: "Ma façon de travailler",
      look: "Ce qui se passe",
      data: "Tes données",
      admin: "Pour les admins",
    },
    more: "/help <commande> explique une commande.",
    alias: (names) => `Aussi : ${names}.`,
    all: "/help all affiche toutes les commandes.",
    terminal: "Dans le terminal",
    quit: "Quitter Parley",
  },

  contact: {
    noOwner:
      "Bonjour ! Ce bot est privé, et je n'ai pas encore de propriétaire. Si c'est toi qui me fais tourner, ouvre le lien affiché dans le terminal.",
    noOwnerOnDiscord:
      "Bonjour ! Ce bot est privé, et je n'ai pas encore de propriétaire. Si c'est toi qui me fais tourner, envoie-moi en message privé le code /start affiché dans le terminal.",
    waiting: "Ces personnes aimeraient utiliser ce bot :",
    more: (count) => `… et ${n(count)} de plus.`,
    nobodyWaits: "Personne n'attend d'être accepté.",
    howToAllow: "/allow suivi d'un code laisse entrer quelqu'un.",
    groupsWait: "Ces groupes aimeraient utiliser ce bot :",
    hello: "Bonjour, je suis Parley.",
    greeting: "Bonjour, je suis Parley. Mentionne-moi ou réponds-moi, et je répondrai.",
    seeHelp: "/help montre ce que je sais faire.",
    askedOwner:
      "Je ne connais pas encore ce groupe. J'ai demandé à mon propriétaire de l'autoriser.",
    letIn: (place) => `Autoriser ${place} ?`,
    addedBy: (who) => `${who} m'a ajouté.`,
    leave: "Quitter",
    stayQuiet: "Rester silencieux",
    placeAllowed: (place, admin) => `${admin} a autorisé ${place}.`,
    placeLeft: (place, admin) => `${admin} m'a fait quitter ${place}.`,
    placeQuiet: (place, admin) => `${admin} veut que je me taise dans ${place}.`,
    alreadyDecided: (outcome) => `C'est déjà décidé. ${outcome}`,
    stillAtLimit: "Cette limite est toujours atteinte.",
    silent: "Ça prend du temps : le modèle n'a encore rien dit. /stop annule.",
  },

  errors: {
    tellOperator: "Préviens la personne qui me gère.",
    toldOwner: "J'ai prévenu mon propriétaire.",
    cause: (cause) => `Cause : ${cause}`,
    fix: {
      "rate-limited": (when) =>
        `Réessaie ${when ?? "dans une minute"}, ou ajoute dans parley.yaml un second modèle au niveau : il répondra à sa place.`,
      overloaded: (when) =>
        `Réessaie ${when ?? "plus tard"}, ou ajoute dans parley.yaml un second modèle au niveau : il répondra à sa place.`,
      timeout:
        "Le serveur du modèle est trop lent. Essaie un modèle plus petit, ou regarde si le serveur est occupé.",
      network:
        "Démarre le serveur du modèle (pour Ollama : ollama serve), ou corrige son adresse (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow":
        "Prends un modèle avec une fenêtre de contexte plus grande, ou moins d'outils.",
      auth: "Vérifie la clé d'API (OPENAI_API_KEY, ou apiKey dans parley.yaml ; pour Ollama, les identifiants dans OLLAMA_HOST).",
      "no-credit":
        "La clé fonctionne, mais le compte n'a plus de crédit. Recharge-le sur la page de facturation du fournisseur, ou augmente la limite de dépenses de la clé.",
      "unknown-model":
        "Indique un modèle que le fournisseur propose (OPENAI_MODEL, OLLAMA_MODEL, ou tiers dans parley.yaml). Pour Ollama, ollama pull le télécharge.",
      "invalid-request": "Le fournisseur a rejeté la requête ; la cause ci-dessus dit pourquoi.",
      moderated:
        "La modération du fournisseur a signalé la requête. Si ça arrive souvent, essaie un autre modèle avec /model.",
      "broken-call":
        "Le modèle n'utilise pas les outils correctement. Essaie un autre modèle avec /model, ou vérifie le parseur d'outils et le gabarit de chat de son serveur.",
      refused: "Le fournisseur a décliné cette demande. Essaie un autre modèle avec /model.",
      empty: "Le modèle n'a rien répondu. Essaie un autre modèle avec /model.",
      poisoned:
        "Un processus a planté trois fois à cette étape. Cherche le code de l'erreur dans le journal.",
    },
    heading: (id) => `Erreur ${id}`,
    latest: "Les erreurs les plus récentes (UTC) :",
    when: (time) => `Quand : ${time} UTC`,
    model: (model) => `Modèle : ${model}`,
    inLog: (path) => `Les détails sont dans ${path}.`,
    trace: (chat) => `Plus de détails dans le shell : npm run trace -- ${chat}`,
    none: "Aucune erreur récemment.",
    unknown: (typed, days) =>
      `Je ne connais pas d'erreur ${typed}. Je garde les plus récentes pendant ${n(days)} jours ; le journal en a peut-être plus.`,
  },

  outage: {
    stopped: (model, since) => `Personne ne reçoit de réponse de ${model} depuis ${since}.`,
    replaced: (model, since) =>
      `${model} est en panne depuis ${since}. Un autre modèle répond à sa place.`,
    cutOff: (platform, bot, since) =>
      `Je n'ai plus accès à ${platform} depuis ${since} (bot ${bot}). Personne n'y reçoit de réponse.`,
    backAgain: (platform, bot, lasted) =>
      `Je suis de retour sur ${platform} après ${lasted} (bot ${bot}).`,
    page: (url) => `Tableau de bord : ${url}`,
    over: (model, lasted) => `${model} répond de nouveau, après ${lasted}.`,
    unanswered: (count) =>
      `${counted(count, { one: "message est resté", other: "messages sont restés" })} sans réponse pendant ce temps.`,
  },

  menu: {
    pending: { description: "Qui demande à utiliser ce bot" },
    error: {
      description: "Ce que je sais d'une erreur",
      id: "Le code entre parenthèses sous l'erreur ; laisse vide pour les plus récentes",
    },
    pause: {
      pause: "Ne plus répondre, partout ou sur une plateforme",
      resume: "Reprendre après /pause",
      platform: "Où (vide = partout)",
      now: "Arrêter aussi les réponses en cours",
    },
    audit: {
      description: "Journal d'audit, le plus récent d'abord",
      count: "Combien de lignes",
      who: "Seulement cette personne, par @nom ou ID",
      what: "Seulement ce type, ou « export » pour tout en fichier",
    },
    stats: { description: "Statistiques du bot" },
    doctor: { description: "Examiner cette installation et dire ce qu'il faut corriger" },
    dashboard: {
      description: "Ouvrir le tableau de bord dans le navigateur",
      action: "off déconnecte tous tes navigateurs",
    },
    import: {
      description: "Importer les infos et les tâches planifiées d'un autre bot",
      code: "Le code que j'ai affiché",
    },
    broadcast: {
      description: "Envoyer un message à tous les chats",
      text: "Le message",
    },
    start: {
      description: "Ce que je sais faire",
      code: "Le code de propriétaire affiché au démarrage",
    },
    help: {
      description: "Ce que tu peux faire",
      command: "Une commande, ou « all » pour toutes",
    },
    new: { description: "Commencer une nouvelle conversation" },
    stop: { description: "Arrêter la réponse en cours" },
    retry: { description: "Réessayer ton dernier message" },
    undo: { description: "Annuler ton dernier message et ma réponse" },
    compact: {
      description: "Résumer la conversation pour libérer de la place",
    },
    auto: {
      description: "Me laisser travailler seul sur un objectif",
      goal: "L'objectif, jusqu'à 2 000 caractères",
      turns: (limit, usual) => `Nombre maximal d'étapes, de 1 à ${limit} (par défaut : ${usual})`,
    },
    tier: {
      description: "Choisir rapidité ou profondeur : fast, smart, deep …",
      tier: "Le niveau, ou « default » pour réinitialiser",
    },
    model: {
      description: "Choisir le modèle",
      model: "Une partie du nom du modèle, ou « default » pour réinitialiser",
    },
    for: "« me » (par défaut) ou « chat » pour tous ici",
    persona: {
      description: "Choisir qui répond, ou créer un persona",
      pick: "Choisir qui répond ici",
      new: "Créer un persona en quatre questions",
      edit: "Modifier un persona",
      show: "Voir le prompt, les outils et le modèle d'un persona",
      delete: "Supprimer un persona",
      history: "Versions précédentes d'un persona",
      name: "Un persona, ou new, edit, show, delete, history",
      persona: "Son nom, ou « default » pour revenir en arrière",
      for: "me (par défaut), chat pour tous ici, place pour tout le groupe ou le serveur",
      newName: "Son nom ; laisse vide et j'en trouverai un",
    },
    settings: {
      description: "Réglages de ce chat",
      name: "Quel réglage (vide = tous)",
      value: "La nouvelle valeur, ou « default » pour réinitialiser",
    },
    activation: {
      description: "Quand je réponds dans ce groupe",
      when: "mention = seulement si on me mentionne ou me répond ; always = tous les messages",
    },
    language: {
      description: "Ma langue",
      language: "Une langue, ou « auto » pour suivre ton appli",
    },
    status: { description: "Ce que je fais en ce moment" },
    approvals: {
      description: "Actions en attente d'approbation",
      id: "Son ID : te montre en privé ses valeurs masquées",
    },
    approve: {
      description: "Approuver une action",
      id: "Son ID, puis un numéro pour une action parmi plusieurs (voir /approvals)",
      always: "L'autoriser un moment sans demander, p. ex. 1h (les admins peuvent ajouter « any »)",
    },
    deny: {
      description: "Refuser une action",
      id: "Son ID, puis un numéro pour une action parmi plusieurs (voir /approvals)",
      reason: "Raison (je la verrai)",
    },
    edit: {
      description: "Modifier une action avant de l'approuver",
      id: "Son ID (voir /approvals)",
      change: "Un ou plusieurs nom=valeur, ou du JSON avec tous les arguments",
    },
    grants: {
      description: "Ce que je peux faire ici sans demander",
      revoke: "« revoke » et un numéro en retire une",
    },
    tools: {
      description: "Mes outils, et lesquels demandent une approbation",
    },
    skills: {
      description: "Voir les compétences, les activer ou les désactiver ici",
      action: "Que faire : on ou off ; pour les admins review, show, approve ou deny",
      skill: "Le nom de la compétence",
    },
    skill: {
      description: "Faire une tâche avec une compétence",
      name: "Le nom de la compétence",
      task: "Ce qu'il faut faire",
    },
    remind: {
      description: "Te rappeler quelque chose",
      when: "dans 20m, demain 9:00, 2027-01-05 09:00, chaque lundi 9:00",
      text: "Ce que je dois te rappeler",
    },
    schedule: {
      description: "Rappels et tâches planifiées de ce chat",
      action: "Que faire : list, run, pause, resume, delete ou zone",
      list: "Voir les rappels et les tâches planifiées",
      run: "En lancer une maintenant",
      pause: "En mettre une en pause",
      resume: "En reprendre une",
      delete: "En supprimer une",
      zone: "Voir ou choisir ton fuseau horaire",
      id: "Son ID, tel que la liste l'affiche",
      city: "Par exemple Europe/Paris",
      page: "Quelle partie d'une longue liste",
    },
    memory: {
      description: "Ce que je retiens de toi et de ce chat",
      action: "Que faire : list, delete, edit ou export",
      list: "Afficher ce que je retiens",
      delete: "Supprimer un élément",
      edit: "Modifier un élément",
      export: "Tout recevoir dans un fichier",
      id: "Son ID, comme dans la liste",
      text: "Le nouveau texte",
    },
    recall: {
      description: "Chercher dans ce qui a été dit ici",
      words: "Mots à chercher",
    },
    todos: { description: "Afficher la liste de tâches de ce chat" },
    limits: {
      description: "Tes limites et ce que tu as utilisé",
      set: "Fixer une limite : personne, chat, rôle, plateforme ou tout le monde",
      reset: "Revenir à la limite configurée",
      scope: "person, @name, un ID comme telegram:1, chat, role:member, platform ou global",
      metric: "Ce qui est limité",
      value: "Combien : 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Tokens et coût de ce chat",
    },
    export: {
      description: "Télécharger cette conversation",
      format: "markdown (par défaut) ou json",
    },
    forget: {
      description: "Supprimer ce chat, ou toutes tes données",
      what: "chat = ce chat ; me = tout ce qui te concerne, partout",
      confirmation: "Le code de confirmation que je t'ai donné",
    },
    whoami: { description: "Ton ID et ton rôle" },
    role: {
      description: "Ton rôle et ce qu'il te permet",
      give: "Changer le rôle de quelqu'un",
      person: "Qui (vide = toi)",
      role: "Le nouveau rôle",
    },
    allow: {
      description: "Donner accès à quelqu'un, ou à tout ce chat",
      person: "Qui",
      code: "Son code ou son ID",
    },
    ban: {
      description: "Bloquer quelqu'un, ou me faire taire dans ce chat",
      person: "Qui",
      reason: "Raison (enregistrée dans le journal d'audit)",
      place: "Au lieu d'une personne : ce chat ou tout le serveur",
    },
    unban: {
      description: "Débloquer quelqu'un, ou effacer la règle de ce chat",
      person: "Qui",
      place: "Au lieu d'une personne : ce chat ou tout le serveur",
    },
    admins: { description: "Afficher les propriétaires et les admins" },
  },

  /** Of `/persona`. */
  personas: {
    owners: {
      person: "à toi",
      chat: "de cette discussion",
      everyone: "de tout le monde",
      file: "de l'opérateur",
    },
    answers: (name, why) => `Ici, c'est ${name} qui te répond (${why}).`,
    why: {
      person: "ton choix",
      chat: "choisi pour cette discussion",
      place: "choisi pour ce groupe ou ce serveur",
      default: "par défaut",
    },
    noneAnswers: "Ici, je réponds moi-même, sans persona.",
    listed: "Personas :",
    noneYet: "Il n'y a pas encore de persona.",
    more: (count) => `… et ${n(count)} de plus.`,
    how: "/persona <nom> change de persona, /persona default revient en arrière.",
    howNew: "/persona new en crée un.",
    make: "Nouveau persona",
    notAnonymously: "Un expéditeur anonyme ne peut pas avoir son propre persona.",
    notForChat: "Seul un admin peut choisir le persona de cette discussion.",
    notForPlace: "Seul un admin peut choisir le persona de tout le groupe ou du serveur.",
    noPlace: "Il n'y a ici ni groupe ni serveur. Retire ce mot, ou écris chat.",
    badScope: (typed) => `${typed} n'est pas possible. Choisis me, chat ou place.`,
    doesNotFit: (name) =>
      `${name} ne peut pas être choisi pour les autres : seulement un persona de cette discussion, de tout le monde ou de l'opérateur.`,
    chosen: {
      person: (name) => `Dès ton prochain message, ${name} te répond ici.`,
      chat: (name) => `Dès le prochain message, ${name} répond dans cette discussion.`,
      place: (name) => `Dès le prochain message, ${name} répond dans tout le groupe ou le serveur.`,
    },
    cleared: {
      person: "Ton choix est annulé.",
      chat: "Le choix de cette discussion est annulé.",
      place: "Le choix de ce groupe ou de ce serveur est annulé.",
    },
    yoursFirst: (name) => `Pour toi, ton propre choix passe avant : ${name}.`,
    starters: "Pour commencer :",
    noPersona: (typed) => `Je ne connais pas le persona ${typed}.`,
    seeAll: "/persona les montre tous.",
    gone: "Ce persona n'existe plus.",
    tools: (what) => `Outils : ${what}`,
    allTools: "tout ce que je peux utiliser ici",
    noTools: "aucun",
    model: (what) => `Modèle : ${what}`,
    automatic: "automatique",
    skills: (what) => `Compétences : ${what}`,
    temperature: (value) => `Température : ${n(value)}`,
    modelCalls: (count) => `Requêtes au modèle par réponse : ${n(count)} au plus`,
    noMemory: "Il ne voit ni notes, ni faits, ni conversations précédentes.",
    saved: (when, number, by) =>
      `Version ${n(number)}, ${when}${by === undefined ? "" : `, par ${by}`}`,
    fromFile: (name) =>
      `Il vient du fichier personas/${name}.md de l'opérateur et ne peut être modifié que là.`,
    prompt: "Prompt :",
    about: (text) => `Description : ${text}`,
    ask: {
      purpose:
        "À quoi sert-il ? Tu peux mettre un nom devant, par exemple « chef: prépare mes dîners ».",
      style: "Comment doit-il parler ? Par exemple : bref et aimable, comme un bon collègue.",
      tools:
        "Que peut-il utiliser ? Choisis, ou envoie des noms d'outils (/tools les montre). Il n'a jamais plus que ce que j'ai ici, et je demande toujours avant, là où je le fais déjà.",
      model:
        "Quel modèle doit répondre ? Choisis, ou envoie le nom d'un modèle (/model les montre).",
      name: "Comment s'appelle-t-il ?",
      description: "Qu'est-ce que c'est, en une ligne ?",
      prompt: "Envoie le nouveau prompt.",
      extras:
        "Envoie les lignes à modifier, comme dans le fichier d'un persona, par exemple « temperature: 0.5 ». Ce que tu ne mentionnes pas reste tel quel ; sans valeur, le réglage par défaut revient. Voici l'état actuel :",
    },
    begin:
      "Créons un persona. Je pose quatre questions et je te montre le résultat avant de l'enregistrer.",
    howToStop: "N'importe quelle commande y met fin, par exemple /stop.",
    replyToAnswer: "Réponds à ce message.",
    none: "Aucun outil",
    all: "Tout",
    auto: "Automatique",
    cancel: "Annuler",
    cancelled: "D'accord, c'est abandonné. Rien n'a été enregistré.",
    left: "Le persona que tu préparais est abandonné. /persona new recommence.",
    wroteNothing: "Réponds avec un peu de texte.",
    tooLong: (length, limit) =>
      `C'est trop long (${n(length)} caractères ; la limite est de ${n(limit)}). Envoie un texte plus court.`,
    badName: (typed, limit) =>
      `${typed} ne peut pas être un nom. Prends des lettres et des chiffres, ${n(limit)} au plus, avec des traits d'union entre les mots.`,
    reservedName: (name) => `« ${name} » est un mot de cette commande. Choisis un autre nom.`,
    lookalikeName: (name) =>
      `Ce nom a des lettres qui ressemblent seulement à d'autres : ${name}. Choisis un autre nom.`,
    taken: (name) => `Il y a déjà un persona ${name}. Choisis un autre nom.`,
    noTool: (typed) => `Je n'ai pas d'outil ${typed}.`,
    seeTools: "/tools les montre.",
    noFields:
      "Je ne comprends pas. Envoie des lignes comme « temperature: 0.5 » ou « memory: off ».",
    noField: (typed) => `Il n'y a pas de réglage ${typed} ici.`,
    expectedStarters: (count, length) =>
      `Il faut une liste de ${n(count)} messages au plus, chacun sur une ligne de ${n(length)} caractères au plus`,
    expectedSkills:
      "Il faut une liste de compétences (/skills les montre), comme [pdf], ou [] pour aucune",
    preview: (name) => `Ton nouveau persona : ${name}`,
    previewOfChange: (name) => `Modifié : ${name}`,
    nothingChanged: "Rien ne changerait.",
    before: "− avant, + après :",
    sampleFollows: (question) => `Voici bientôt un exemple de réponse à « ${question} »`,
    sample: "Qui es-tu et comment aides-tu ? Donne-moi un bref exemple.",
    noSample: (why) => `Je ne peux pas montrer d'exemple de réponse pour l'instant. ${why}`,
    busy: "Trop de messages attendent dans cette discussion.",
    notSavedYet: "Rien n'est enregistré avant ton approbation.",
    approve: "Approuver",
    approveChat: "Approuver pour cette discussion",
    approveEveryone: "Approuver pour tout le monde",
    change: "Modifier",
    whatToChange: "Que veux-tu modifier ?",
    fields: {
      name: "Nom",
      purpose: "À quoi il sert",
      style: "Comment il parle",
      tools: "Ce qu'il peut utiliser",
      model: "Modèle",
      description: "Description",
      prompt: "Prompt",
      extras: "Autres réglages",
    },
    back: "Retour",
    formTitle: "Nouveau persona",
    formTitleOfChange: (name) => `Modifier ${name}`,
    isSaved: (name, owner) => `${name} est enregistré (${owner}).`,
    alreadySaved: (name) => `${name} est déjà enregistré.`,
    use: "L'utiliser ici",
    howToUse: (name) => `/persona {name:${name}} passe à lui.`,
    noDraft: "Il n'y a plus rien à approuver ni à modifier ici. /persona new recommence.",
    outdated: "Cet aperçu n'est plus à jour. Utilise le plus récent.",
    notYetDone: "Il reste une question.",
    changedSince: (name) =>
      `Quelqu'un d'autre a modifié ${name} entre-temps. /persona edit {name:${name}} recommence.`,
    mayNotMake:
      "Seuls les membres peuvent créer des personas, et tu es invité. Mais tu peux en choisir un.",
    mayNotSave: {
      chat: "Seul un admin peut créer un persona pour cette discussion.",
      everyone: "Seul un admin peut créer un persona pour tout le monde.",
    },
    mayNotChange: (name, owner) => `Seul un admin peut modifier ${name} (${owner}).`,
    tooMany: (limit) =>
      `La limite est de ${n(limit)} personas. Supprimes-en d'abord un : /persona delete <nom>.`,
    tooLongToEdit: (name, limit) =>
      `Le prompt de ${name} dépasse les ${n(limit)} caractères qu'on peut modifier dans une discussion.`,
    which: (action) => `Lequel ? /persona ${action} <nom>`,
    delete: "Supprimer",
    sureToDelete: (name, owner) => `Supprimer ${name} (${owner}) et toutes ses versions ?`,
    deleted: (name) => `${name} est supprimé.`,
    history: (name) => `Versions de ${name} :`,
    current: "actuelle",
    rollBack: (number) => `Revenir à la ${n(number)}`,
    rolledBack: (name, number) => `${name} est revenu à la version ${n(number)}.`,
    noVersion: (name, typed) => `${name} n'a plus de version ${typed}.`,
    badTarget: (typed) => `${typed} n'est pas possible. Choisis me, chat ou everyone.`,
    badAction: (typed) => `Je ne connais pas /persona ${typed}.`,
  },

  control: {
    full: "Trop de messages attendent dans ce chat : la limite est atteinte. Réessaie plus tard, s'il te plaît.",
    begun: "Un instant.",
    dropped: (count) =>
      `${counted(count, { one: "message en attente supprimé", other: "messages en attente supprimés" })}.`,
    onlyTheirs: {
      stop: (name) => `Seuls ${name} et les admins peuvent arrêter cette réponse.`,
      undo: (name) => `Seuls ${name} et les admins peuvent annuler ce message.`,
      retry: (name) => `Seuls ${name} et les admins peuvent relancer ce message.`,
    },
    nothingToStop: "Rien n'est en cours.",
    stopped: "Arrêté.",
    stoppedByAdmin: "Un admin a arrêté cette réponse.",
    stoppedAndDropped: (count) =>
      `Arrêté. J'ai aussi supprimé ${counted(count, { one: "message en attente", other: "messages en attente" })}.`,
    newAfterAnswer: "Je termine la réponse en cours, puis je commence une nouvelle conversation.",
    newConversation:
      "Nouvelle conversation. Je ne vois plus ce qu'on s'est dit avant ; c'est toujours dans /export.",
  },

  auto: {
    running: (step, of) =>
      `Je travaille déjà sur un objectif, étape ${step} sur ${of}. /stop l'arrête.`,
    begun: (of) =>
      `Je m'y mets. J'y travaille pendant ${counted(of, { one: "étape", other: "étapes" })} au plus ; /stop arrête avant.`,
    noGoal:
      "Quel est l'objectif ? Par exemple : /auto {goal:prépare un voyage à Lisbonne} {turns:5}",
    badTurns: (limit, typed) =>
      `Le nombre d'étapes doit être compris entre 1 et ${limit}, pas ${typed}.`,
    numberHint:
      "S'il fait partie de l'objectif, ajoute les étapes à la fin : /auto {goal:…} {turns:10}",
    goalTooLong: (length, limit) =>
      `L'objectif est trop long (${n(length)} caractères, la limite est de ${n(limit)}).`,
    ended: (step) =>
      `J'arrête de travailler sur l'objectif, après ${counted(step, { one: "étape", other: "étapes" })}.`,
    done: (step) => `Objectif atteint, après ${counted(step, { one: "étape", other: "étapes" })}.`,
    atLimit: (of) =>
      `La limite de ${counted(of, { one: "étape", other: "étapes" })} est atteinte. Renvoie /auto pour continuer.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Ton niveau : ${value} (${reason}).`,
      chats: (value) => `Niveau de ce chat : ${value}.`,
      yoursIsNow: (value) => `Ton niveau est maintenant ${value}.`,
      chatsIsNow: (value) => `Le niveau de ce chat est maintenant ${value}.`,
      yoursIsDefault: "Tu utilises de nouveau le niveau par défaut.",
      chatsIsDefault: "Ce chat utilise de nouveau le niveau par défaut.",
      notForChat: "Seul un admin peut choisir le niveau de ce chat.",
      notAnonymously: "En écrivant anonymement, on ne peut pas avoir son propre niveau.",
      noneOfYours: "Niveau : automatique (en général balanced).",
      noneOfChats: "Niveau de ce chat : automatique (en général balanced).",
    },
    model: {
      yours: (value, reason) => `Ton modèle : ${value} (${reason}).`,
      chats: (value) => `Modèle de ce chat : ${value}.`,
      yoursIsNow: (value) => `Ton modèle est maintenant ${value}.`,
      chatsIsNow: (value) => `Le modèle de ce chat est maintenant ${value}.`,
      yoursIsDefault: "Tu utilises de nouveau le modèle par défaut.",
      chatsIsDefault: "Ce chat utilise de nouveau le modèle par défaut.",
      notForChat: "Seul un admin peut choisir le modèle de ce chat.",
      notAnonymously: "En écrivant anonymement, on ne peut pas avoir son propre modèle.",
      noneOfYours: "Modèle : automatique.",
      noneOfChats: "Modèle de ce chat : automatique.",
    },
    byYou: "ton choix",
    byChat: "réglé pour ce chat",
    byPersona: "réglé par le persona",
    gone: (value) => `${value} était choisi, mais n'est plus disponible.`,
    hidden: (count, command) => `… et ${n(count)} de plus. Écris /${command} et une partie du nom.`,
    how: (command) =>
      `/${command} <nom> pour toi · /${command} <nom> chat pour tous ici · /${command} default pour réinitialiser`,
    notHere: "On ne peut pas le changer en écrivant anonymement.",
    adminsHere: "Ici, seul un admin peut le changer.",
    replacesYours: (model) => `Il remplace ton propre modèle, ${model}.`,
    replacesChats: (model) => `Il remplace le modèle de ce chat, ${model}.`,
    yoursFirst: (value) => `Pour toi, c'est toujours ton propre choix qui compte : ${value}.`,
    noTier: (typed, tiers) => `Le niveau ${typed} n'existe pas. Au choix : ${tiers}, default.`,
    noModel: (typed) => `Le modèle ${typed} n'existe pas.`,
    several: (typed, models) => `${typed} correspond à plusieurs modèles : ${models}.`,
    thereAre: (names) => `Au choix : ${names}.`,
    didYouMean: (name) => `Voulais-tu dire ${name} ?`,
    andMore: (names, count) => `${names} et ${n(count)} de plus`,
    order: (models) => `Je les interroge dans cet ordre : ${models}.`,
    sameAs: (tiers, same) => `Ici identique à ${same} : ${tiers}`,
  },

  settings: {
    heading: "Réglages de ce chat :",
    how: "Pour en changer un : /settings <nom> <valeur>, ou « default » pour réinitialiser.",
    changes: (name, expected) =>
      `Pour le changer : /settings {name:${name}} <valeur>. ${expected}.`,
    isDefaultAgain: (name, value) => `${name} est revenu à la valeur par défaut : ${value}.`,
    cannotBe: (name, typed, expected) => `${name} ne peut pas être ${typed}. ${expected}.`,
    isNow: (name, value) => `${name} est maintenant ${value} dans ce chat.`,
    groups: {
      answers: "Réponses",
      actions: "Outils et autorisations",
      limits: "Limites",
      memory: "Mémoire de la conversation",
      model: "Modèle",
    },
    modelsOwn: "celle du modèle",
    noneChosen: (kind) => `${kind} : automatique (voir /${kind})`,
    yourChoice: (kind, value) => `${kind} : ${value} (ton choix ; voir /${kind})`,
    chatsChoice: (kind, value) => `${kind} : ${value} (réglé pour ce chat ; voir /${kind})`,
    personasChoice: (kind, value) => `${kind} : ${value} (réglé par le persona ; voir /persona)`,
    withPersona: (persona, value) => `avec le persona ${persona} : ${value}`,
    default: (name, value) => `${name} : ${value}`,
    own: (name, value, fallback) => `${name} : ${value} (par défaut : ${fallback})`,
    adminsOnly: (name) => `Seul un admin peut changer ${name}.`,
    adminsInGroups: (name) => `Dans un groupe, seul un admin peut changer ${name}.`,
    which: "Quel réglage ?",
    unknown: (typed) => `Le réglage ${typed} n'existe pas.`,
    expectedCount: (min, max) => `Il faut un nombre entier de ${n(min)} à ${n(max)}`,
    expectedDecimal: (min, max) => `Il faut un nombre de ${n(min)} à ${n(max)}`,
    expectedDuration: "Il faut une durée comme 15m ou 24h",
    expectedUsd: "Il faut un montant en dollars comme 5usd",
    orOff: (expected) => `${expected}, ou off`,

    expectedWords: (words) => `Au choix : ${words} ou default`,
    about: {
      whileBusy: "si tu écris pendant que je réponds",
      tools: "ce que tu vois de mes outils",
      activation: "quand je réponds dans un groupe",
      thinking: "montrer mon raisonnement",
      maxModelCalls: "nombre maximal de requêtes au modèle par réponse",
      maxToolExecutions: "nombre maximal d'utilisations d'outils par réponse",
      deadline: "durée maximale d'une réponse",
      maxTokens: "nombre maximal de tokens par réponse",
      maxCost: "coût maximal d'une réponse",
      toolFailure: "arrêter si un outil échoue",
      confirmationDenied: "arrêter si quelqu'un refuse",
      policyDenied: "arrêter si une règle l'interdit",
      loopSameCall: "répétitions d'une action avant d'y voir une boucle",
      loopSameTool: "usages d'affilée d'un outil avant d'y voir une boucle",
      loopHints: "rappels pour sortir d'une boucle avant d'arrêter",
      permissions: "si je demande avant d'agir",
      compactAt: "à quel point ma mémoire se remplit avant que je résume, de 0 à 1",
      keepTurns: "nombre de réponses dont les résultats d'outils restent entiers",
      strategy: "comment je raccourcis une longue conversation",
      temperature: "à quel point je varie mes formulations, 0 le moins",
      maxOutputTokens: "nombre maximal de tokens par réponse du modèle",
      repeatPenalty: "à quel point j'évite de me répéter, 1 pour désactiver",
    },
    values: {
      followup: "y répondre ensuite",
      steer: "en tenir compte tout de suite",
      interrupt: "arrêter et répondre au nouveau message",
      collect: "répondre à tout en une fois",
      off: "ne rien montrer",
      names: "montrer le nom des outils",
      full: "montrer noms et détails",
      mention: "seulement si on me mentionne ou me répond",
      always: "à chaque message",
      ask: "demander avant chaque action à approuver",
      auto: "ne pas demander là où une règle le permet, p. ex. auto 30m",
      summarise: "résumer la partie ancienne",
      agent: "laisser un assistant la lire et noter l'essentiel",
      truncate: "laisser de côté la partie ancienne",
    },
  },

  activation: {
    direct: "C'est un chat privé, donc je réponds à tous les messages.",
    mention:
      "Dans ce groupe, je réponds quand on me mentionne, me répond ou m'envoie une commande.",
    always: "Je réponds à tous les messages de ce groupe.",
    how: "Pour changer : /activation mention ou /activation always.",
    telegramHint:
      "Pour voir tous les messages, je dois être admin du groupe, ou avoir le mode confidentialité désactivé (@BotFather → Bot Settings → Group Privacy).",
    discordHint:
      "Pour voir tous les messages, il me faut discord.messageContent: true dans mes réglages. Demande à la personne qui me gère.",
    unknown: (typed) =>
      `Je ne comprends pas ${typed}. Utilise /activation mention ou /activation always.`,
  },

  language: {
    name: "Français",
    isNow: "D'accord, je parle français.",
    isAuto: "Je m'adapte à la langue de ton appli : français.",
    is: "Je parle français, comme tu l'as choisi.",
    how: (codes) => `Pour changer : /language <${codes}>, ou /language auto pour suivre ton appli.`,
    unknown: (typed, codes) => `Je ne parle pas ${typed}. Au choix : ${codes}, auto.`,
    notAnonymously: "En écrivant anonymement, on ne peut pas avoir sa propre langue.",
  },

  status: {
    memory: {
      auto: "Mémoire : je cherche de moi-même dans les messages précédents (mots-clés uniquement)",
      tool: "Mémoire : les messages précédents sont consultés au besoin (mots-clés uniquement)",
      off: "Mémoire : les messages précédents ne sont pas consultés",
      autoMeaning:
        "Mémoire : je cherche de moi-même dans les messages précédents (mots-clés et sens)",
      toolMeaning: "Mémoire : les messages précédents sont consultés au besoin (mots-clés et sens)",
      keywordsOnly:
        "Mémoire : la recherche par le sens n'est pas disponible pour l'instant, seulement par mots-clés",
    },
    idle: "Rien n'est en cours.",
    queued: "En file d'attente.",
    running: "Je prépare une réponse.",
    waiting: "J'attends que quelqu'un approuve ou refuse une action.",
    auto: (step, of) => `/auto : étape ${step} sur ${of}. /stop l'arrête.`,
    queue: (count) => `Messages en attente : ${n(count)}`,
    model: (models) => `Modèle : ${models}`,
    tier: (tier) => `Niveau : ${tier}`,
    persona: (name: string) => `Persona : ${name}.`,
    noTier: "Niveau : automatique",
    remembered: (count) => `Messages et actions dans cette conversation : ${n(count)}`,
  },

  approvals: {
    none: "Rien n'attend d'approbation.",
    heading: (count) =>
      `${counted(count, { one: "action attend", other: "actions attendent" })} une approbation :`,
    askedFor: (person) => `pour ${person}`,
    expiresIn: (time) => `expire dans ${time}`,
    more: (count) => `Et ${n(count)} de plus.`,
    hiddenValues: (tool) => `Valeurs masquées de ${tool} :`,
    nothingHidden: "Rien n'y est masqué.",
  },

  decisions: {
    otherChat: "Ce bouton vient d'un autre chat, ou il est trop ancien.",
    otherMessage: "Ce bouton vient d'un autre message.",
    notAllowed: (who) => `C'est à ${who} d'en décider.`,
    anAdmin: "un admin",
    orAnAdmin: (name) => `${name} ou un admin`,
    anOwner: "un propriétaire",
    aMember: "un membre",
    both: (one, other) => `${one} et ${other}`,
    counted: "C'est noté : 1 approbation sur 2. Il faut encore une personne.",
    countedBefore: "Tu as déjà approuvé. Il faut encore une personne.",
    approved: "Approuvé.",
    denied: "Refusé.",
    kept: "Retenu.",
    notKept: "Non retenu.",
    approvedOf: (done, of) => `Actions approuvées : ${done} sur ${of}.`,
    deniedOf: (done, of) => `Actions refusées : ${done} sur ${of}.`,
    approvedBy: (name) => `Approuvé par ${name}.`,
    deniedBy: (name) => `Refusé par ${name}.`,
    deniedBecause: (name, reason) => `Refusé par ${name} : ${reason}`,
    undecided: "Expiré. Personne n'a décidé à temps, donc je ne l'ai pas fait.",
    expired: "Ceci a expiré.",
    tooLate: "Ça a pris trop de temps et n'a pas compté. Appuie encore une fois, s'il te plaît.",
    tooOld: "Ce bouton ne fonctionne plus.",
    already: {
      pending: "Ce n'est pas encore décidé.",
      approved: "C'est déjà approuvé.",
      denied: "C'est déjà refusé.",
      expired: "Ceci a expiré.",
      superseded: "Un message plus récent l'a déjà remplacé.",
      cancelled: "C'est déjà annulé.",
      changed: "C'est déjà modifié ; voir la carte plus récente ci-dessous.",
    },
    changed: "Modifié. Vérifie et approuve ci-dessous.",
    changedBy: (name) => `Modifié par ${name} ; voir la nouvelle carte ci-dessous.`,
    alreadyChangedBy: (name) => `${name} l'a déjà modifié ; voir la carte plus récente ci-dessous.`,
    alreadyApprovedBy: (name) => `C'est déjà approuvé par ${name}.`,
    alreadyDeniedBy: (name) => `C'est déjà refusé par ${name}.`,
    superseded: "Annulé à cause d'un message plus récent.",
    stopped: "Annulé.",
    unknownId: (id) => `Aucune approbation ${id} n'est en attente ici. Voir /approvals.`,
    whichCard:
      "Je ne sais pas à quoi cela répond. Réponds à la carte, touche un de ses boutons ou envoie /approve <id> ou /deny <id>. /approvals montre les ID.",
    noCall: (typed, command) =>
      `Cette carte n'a pas d'action ${typed}. Indiques-en une par son numéro : /${command} {id:<id> 1}. /approvals montre ce qui attend.`,
    which: (command) =>
      `Plusieurs actions attendent. /approvals les montre, /${command} <id> en choisit une.`,
  },

  cards: {
    approve: "Approuver",
    deny: "Refuser",
    keep: "Retenir",
    dontKeep: "Ne pas retenir",
    factOfYours: "Sur toi. Je ne m'en sers que dans tes chats privés avec moi.",
    factOf: (name) => `Sur ${name}. Je ne m'en sers que dans ses chats privés avec moi.`,
    factOfChat: "Sur ce chat. Tout le monde ici peut le voir.",
    factReplaces: (id) => `Remplace ${id}.`,
    approveAll: "Tout approuver",
    denyAll: "Tout refuser",
    because: (outcome, reason) => `${outcome} : ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "jour", other: "jours" }),
    },
    characters: (count) => counted(count, { one: "caractère", other: "caractères" }),
    needed: (title) => `${title} ?`,
    neededFor: (count) =>
      `Approbation nécessaire pour ${counted(count, { one: "action", other: "actions" })} :`,
    calls: (count) => `${counted(count, { one: "action", other: "actions" })} :`,
    about: (sentence) => `« ${sentence} »`,
    noArguments: "Aucun argument.",
    secretsHidden: (id) =>
      `Les secrets sont en partie remplacés par ••••. \`/approvals {id:${id}}\` te les montre en privé.`,
    secretsMasked: "Les secrets apparaissent en partie sous la forme ••••.",
    showHidden: "Voir les valeurs masquées",
    lookalikes: (words) =>
      `Attention : ces mots contiennent des lettres qui ressemblent à d'autres : ${words}.`,
    details: (call) => `Données complètes de ${call} :`,
    decides: (who) => `C'est à ${who} de décider.`,
    waitsForAdmins: "J'ai demandé l'accord des admins. /stop annule.",
    waitsForOwner: "J'ai demandé l'accord de mon propriétaire. /stop annule.",
    asksElsewhere: (who) => `${who} le demande dans une discussion privée avec moi.`,
    youDecide: "C'est à toi de décider.",
    twoDecide: (who) => `Il faut deux approbations : ${who}.`,
    firstOfTwo: (name) => `1 sur 2 : approuvé par ${name}. Il faut encore une approbation.`,
    expiresAt: (moment) => `Expire : ${moment}.`,
    expiresIn: (duration) => `Expire dans ${duration}.`,
    id: (id) => `ID : \`${id}\``,
    typed: (id) =>
      `Je ne peux pas afficher de boutons ici : envoie \`/approve ${id}\` ou \`/deny ${id}\`.`,
    approved: (what) => `✓ ${what} approuvé`,
    approvedBy: (what, name) => `✓ ${what} approuvé par ${name}`,
    approvedFirst: (what, name) => `… ${what} approuvé par ${name}. Il faut encore une approbation`,
    denied: (what) => `✗ ${what} refusé`,
    deniedBy: (what, name) => `✗ ${what} refusé par ${name}`,
    kept: (what) => `✓ ${what} retenu`,
    keptBy: (what, name) => `✓ ${what} retenu, accepté par ${name}`,
    notKept: (what) => `✗ ${what} non retenu`,
    expired: (what) => `✗ ${what} expiré, personne n'a décidé à temps`,
    superseded: (what) => `✗ ${what} annulé à cause d'un message plus récent`,
    stopped: (what) => `✗ ${what} annulé`,
    edit: "Modifier",
    allowFor: (span) => `Autoriser pendant ${span}`,
    changedNote: (name) => `${name} a modifié les arguments.`,
    changedNoteOfYours: "Tu as modifié les arguments.",
    changedNoteOfNobody: "Quelqu'un a modifié les arguments.",
    changed: (what) => `✎ ${what} modifié`,
    changedBy: (what, name) => `✎ ${what} modifié par ${name}`,
    erased: "Supprimé.",
  },

  toolTitles: {
    current_time: "Donner l'heure",
    calculate: "Calculer",
    fetch_url: "Ouvrir une page web",
    web_search: "Chercher sur le Web",
    read_notes: "Lire les notes",
    write_note: "Écrire une note",
    remember: "Retenir",
    recall: "Chercher dans ce chat",
    read_more: "Lire la suite d'un résultat",
    todo_list: "Afficher la liste de tâches",
    todo_write: "Modifier la liste de tâches",
    find_tools: "Chercher des outils",
    schedule: "Créer un rappel ou une tâche planifiée",
    activate_skill: "Lire une compétence",
    read_skill_file: "Lire un fichier d'une compétence",
  },

  toolDescriptions: {
    current_time: "La date et l'heure partout dans le monde",
    calculate: "Calcul exact, aussi avec des unités et des dates",
    fetch_url: "Lit une page dont tu me donnes l'adresse",
    web_search: "Trouve des pages et en montre un extrait",
    read_notes: "Lit les notes de ce chat",
    write_note: "Ajoute une note à ce chat",
    remember: "Retient un fait sur toi ou sur ce chat",
    recall: "Retrouve ce qui a été dit plus tôt dans ce chat",
    read_more: "Continue la lecture d'un long résultat",
    todo_list: "Affiche la liste de tâches de ce chat",
    todo_write: "Ajoute des tâches et les coche",
    find_tools: "Trouve le bon outil parmi beaucoup d'autres",
    schedule: "Crée, modifie et supprime des rappels et des tâches planifiées",
    activate_skill: "Lit les instructions d'une compétence",
    read_skill_file: "Lit un fichier qui fait partie d'une compétence",
  },

  delivery: {
    nothingToShow: "(réponse vide)",
    fileGone: "Le fichier n'est plus disponible.",
    fileRefused: "Désolé, je n'ai pas pu envoyer le fichier ici.",
    goesOn: (fileName) => `La réponse complète est dans ${fileName}.`,
    sentAgain: "renvoyé ; tu le verras peut-être deux fois",
    noButtons:
      "Je ne peux pas afficher de boutons ici. /help indique ce que tu peux taper à la place.",
    undelivered: (place, why) =>
      `Je n'ai pas pu publier mon message pour toi dans ${place}. ${why} Tu peux me reposer ta question ici.`,
    notPosted: (place, why) => `Je n'ai pas pu publier ceci dans ${place}. ${why}`,
    elsewhere: "le groupe où tu as posé ta question",
    why: {
      closed: "Le sujet ou le fil est fermé.",
      gone: "Le sujet a été supprimé, ou la discussion n'est plus accessible.",
      forbidden: "Il manque l'autorisation d'y écrire.",
      blocked: "Les messages à cette personne sont bloqués.",
      moderated: "Un filtre du serveur a bloqué le texte.",
      other: "La plateforme ne l'a pas accepté.",
    },
  },

  platform: {
    notAllowed: "Tu n'as pas accès à ça.",
    tryAgain: "Désolé, ça n'a pas marché. Réessaie dans un instant, s'il te plaît.",
    notTaken: (errorId) => `Désolé, je n'ai pas pu traiter ce message. (erreur ${errorId})`,
    whatAboutThis: "Que peux-tu me dire à ce sujet ?",
  },

  telegram: {
    buttonIsGone: "Ce bouton ne fonctionne plus.",
    fileIsGone: "Désolé, Telegram n'a plus ce fichier. Renvoie-le, s'il te plaît.",
    fileOutOfReach:
      "Désolé, je n'ai pas pu télécharger ce fichier depuis Telegram. Renvoie-le plus tard, s'il te plaît.",
    fileTooLarge: (megabytes) =>
      `Ce fichier est trop volumineux. La limite est de ${megabytes} Mo.`,
    cannot: {
      animation: "Désolé, je ne peux pas regarder les GIF. Envoie plutôt une capture d'écran.",
      video: "Désolé, je ne peux pas regarder les vidéos. Envoie plutôt une capture d'écran.",
      sticker: "Désolé, je ne vois pas les stickers. Dis-le avec des mots, s'il te plaît.",
      paid_media: "Désolé, je ne peux pas ouvrir les médias payants. Dis-moi de quoi il s'agit.",
      story: "Désolé, je ne peux pas ouvrir les stories. Dis-moi de quoi il s'agit.",
      other:
        "Désolé, je ne peux pas lire ce genre de message. Dis-moi avec des mots de quoi il s'agit.",
    },
    thisFile: "ce fichier",
    cannotReadPicture: (name) =>
      `Désolé, je ne peux pas lire l'image ${name}. Envoie-la en photo, ou en JPEG, PNG, WebP ou GIF.`,
    cannotReadFile: (name) =>
      `Désolé, je ne peux pas lire ${name}. Je lis le texte, le code, CSV, JSON et PDF.`,
  },

  discord: {
    admin: "Pour les admins de ce bot",
    unknownCommand: "Cette commande n'est plus disponible.",
    unknownAction: "Désolé, je ne sais pas quoi en faire.",
    elsewhere: "Je ne peux répondre qu'en message privé, ou sur un serveur que j'ai rejoint.",
    onlyUserInstall: "Je ne suis pas membre de ce serveur. Utilise ça dans un message privé.",
    mayNotWrite: "Je n'ai pas le droit d'écrire dans ce salon, donc je ne peux pas répondre ici.",
    mayNotAttach:
      "Je n'ai pas le droit d'envoyer des fichiers dans ce salon, donc je ne peux pas le faire ici.",
    delayed: "Désolé, je ne peux pas m'en occuper pour l'instant. Je réessaie et je réponds ici.",
    unreadable: "Je n'ai pas pu lire ça. Réessaie, s'il te plaît.",
    done: "C'est fait.",
    doneBefore: "C'est fait, mais ma réponse s'est perdue. Redemande si tu en as besoin.",
    tooLate:
      "Désolé, ça a pris trop de temps pour que je puisse te répondre en privé. Redemande, s'il te plaît.",
    askAboutThis: "Poser une question dessus",
    yourQuestion: "Ta question",
    forgotten: "Désolé, j'ai perdu ce message de vue. Choisis-le encore une fois, s'il te plaît.",
    about: (link) => `à propos de ${link}`,
    ask: "Pose-moi une question",
    askQuestion: "Ta question ou ta demande",
    askFile: "Un fichier pour ta question",
    video: (name) =>
      `Je ne peux pas regarder les vidéos (${name}). Envoie plutôt une capture d'écran.`,
    archive: (name) =>
      `Je ne peux pas ouvrir les archives (${name}). Envoie les fichiers un par un.`,
    picture: (name) =>
      `Je ne peux pas ouvrir ce type d'image (${name}). Envoie du PNG, JPEG, GIF ou WebP.`,
    otherFile: (name) =>
      `Je ne peux pas lire ce type de fichier (${name}). Je lis les images, les fichiers texte et les PDF.`,
    sticker: "Je ne vois pas les stickers. Dis-le avec des mots, s'il te plaît.",
    fileIsGone: (name) => `Désolé, Discord n'a plus ${name}. Renvoie-le, s'il te plaît.`,
    fileFailed: (name) =>
      `Désolé, je n'ai pas pu télécharger ${name} depuis Discord. Renvoie-le, s'il te plaît.`,
    fileTooLarge: (name, megabytes) =>
      `${name} est trop volumineux. La limite est de ${megabytes} Mo.`,
  },

  tools: {
    none: "Je n'ai aucun outil pour l'instant.",
    free: "J'utilise ceux-ci sans demander :",
    asking: "Je demande avant d'utiliser ceux-ci :",
    sometimes: "Je demande parfois avant d'utiliser ceux-ci :",
    more: (count) => `Et ${n(count)} de plus.`,
    noSearch:
      "Je ne peux pas encore chercher sur le Web. Un admin peut activer cette fonction avec npm run init ou sous webSearch dans parley.yaml.",
  },

  memory: {
    none: "Je n'ai rien retenu ici. Dis « retiens que… » et je te demanderai avant de le garder.",
    aboutYou: "Sur toi (visible seulement dans tes chats privés) :",
    aboutChat: "Sur ce chat :",
    note: "note",
    more: "Plus",
    howTo:
      "Pour supprimer un élément : ✕ ou /memory delete <ID>. Pour le modifier : /memory edit <ID> <texte>. /memory export envoie tout dans un fichier.",
    which: "Lequel ? /memory affiche les ID.",
    unknown: (typed) => `Je ne connais pas ${typed}. /memory affiche ce que je retiens ici.`,
    badAction: (typed) =>
      `Je ne connais pas ${typed}. Utilise /memory list, delete, edit ou export.`,
    badText: (limit) => `Écris le nouveau texte après l'ID, ${n(limit)} caractères au maximum.`,
    notYours: "Seule la personne qui l'a dit, ou un admin, peut le modifier.",
    full: "Il n'y a plus de place ici. Supprime d'abord quelque chose : /memory",
    isDeleted: (text) => `J'ai oublié : ${text}`,
    isChanged: (text) => `Modifié. Je retiens maintenant : ${text}`,
    isExported: "Voici ce que je retiens, dans un fichier.",
    title: "Ce que Parley retient",
    summaries: "Résumés de conversations précédentes",
    supersedes: (id) => `(remplace ${id})`,
  },

  recall: {
    none: "Je n'ai rien trouvé à ce sujet dans cette discussion.",
    bot: "Moi",
    indexing: "J'indexe encore cette discussion. Réessayez dans une minute.",
    tooLong:
      "Cette discussion est trop longue pour que je cherche partout : j'ai cherché dans sa partie la plus récente.",
    off: "La recherche est désactivée ici.",
  },

  todos: {
    none: "La liste de tâches est vide. Demande-moi quelque chose en plusieurs étapes et je les noterai ici.",
    heading: (done, total) => `Liste de tâches : ${done} sur ${total} terminées`,
  },

  usage: {
    heading: "Ce chat jusqu'ici :",
    turns: (count) => `Réponses : ${n(count)}`,
    modelCalls: (count) => `Requêtes au modèle : ${n(count)}`,
    inputTokens: (count) => `Tokens en entrée : ${n(count)}`,
    outputTokens: (count) => `Tokens en sortie : ${n(count)}`,
    about: (amount) => `environ ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "requête", other: "requêtes" })}, ${input} tokens en entrée et ${output} en sortie`,
    costUnknown: "coût inconnu",
    cost: (amount) => `Coût : ${amount}`,
    unknown: "inconnu",
    andUnpriced: (amount) => `${amount}, plus des modèles sans prix connu`,
    spent: (messages, tokens) =>
      `${counted(messages, { one: "message", other: "messages" })}, ${counted(tokens, { one: "token", other: "tokens" })}`,
  },

  limits: {
    whose: {
      you: "pour toi",
      thisChat: "pour ce chat",
      everybody: "pour tout le monde ensemble",
      eachPerson: "pour chaque personne",
      eachChat: "pour chaque chat",
      terminal: "pour tout le monde dans le terminal",
    },
    role: (role) => `pour toi (${role})`,
    platform: (platform) => `pour tout le monde sur ${platform}`,
    ofPerson: (person) => `pour ${person}`,
    ofChat: (chat) => `pour le chat ${chat}`,
    hit: (limit, whose) => `La limite de ${limit} (${whose}) est atteinte.`,
    needs: (amount, used, limit, whose) =>
      `Il n'en reste pas assez pour une réponse (jusqu'à ${amount}) : ${used} sur la limite de ${limit} (${whose}) sont utilisés.`,
    resets: (when) => `Elle se réinitialise ${when}.`,
    notKept: "Renvoie ce message à ce moment-là.",
    nearly: (percent, limit, whose, used) =>
      `${percent} % de la limite de ${limit} (${whose}) sont utilisés : ${used}.`,
    slowDown: (limit) =>
      `Un peu moins vite : la limite est de ${limit}. Elle se réinitialise d'ici une minute.`,
    heading: "Tes limites dans ce chat :",
    none: "Tu n'as aucune limite dans ce chat.",
    used: (used, when) => `utilisé : ${used}, se réinitialise ${when}`,
    running: (count) => `en cours : ${n(count)}`,
    setHeading: "Fixées par des admins dans les chats :",
    more: (count) => `… et ${n(count)} de plus`,

    how: "Fixer : /limits set <portée> <grandeur> <valeur>. Revenir à la limite configurée : /limits reset <portée> [grandeur].\nPortées : person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Valeurs : 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Seuls les admins peuvent changer les limites.",
    adminsOfAll:
      "Seuls les admins du bot peuvent changer cette limite. Tu peux fixer celles de ce chat.",
    badAction: (typed) =>
      `Je ne comprends pas ${typed}. Utilise /limits, /limits set ou /limits reset.`,
    badScope: (typed) =>
      `Je ne sais pas qui est ${typed}. Au choix : person, @name, un ID comme telegram:1, chat, chats, role:member, platform:telegram ou global.`,
    badMetric: (typed, metrics) => `Je ne peux pas limiter ${typed}. Au choix : ${metrics}.`,
    badAmount: (typed, example) =>
      `Je ne comprends pas ${typed}. Mets une limite comme ${example}, ou off.`,
    badValue: (typed, metric, example, per) =>
      `Je ne comprends pas ${typed}. Pour ${metric}, mets une limite comme ${example}, par ${per}, ou off.`,
    isNow: (whose, limit, before) =>
      `Nouvelle limite ${whose} : ${limit} (avant : ${before}). Elle s'applique dès le prochain message.`,
    isReset: (whose, limit, before) =>
      `La limite ${whose} est de nouveau celle configurée : ${limit} (avant : ${before}).`,
    unlimited: {
      messages: "messages sans limite",
      tokens: "tokens sans limite",
      cost: "dépenses sans limite",
      turns: "réponses sans limite",
      "model-calls": "requêtes au modèle sans limite",
      "tool-executions": "utilisations d'outils sans limite",
      deadline: "temps sans limite",
    },
    ofEach: (role) => `pour chaque ${role}`,
    notSet: "aucune",
    nothingSet: (whose) =>
      `Aucune limite n'avait été fixée dans un chat ${whose}, il n'y a donc rien à réinitialiser.`,
    yoursToday: (used) => `Toi, aujourd'hui : ${used}`,
    yoursThisMonth: (used) => `Toi, ce mois-ci : ${used}`,
    allToday: (used) => `Tout le monde, aujourd'hui : ${used}`,
    allThisMonth: (used) => `Tout le monde, ce mois-ci : ${used}`,

    amount: {
      messages: (count) => counted(count, { one: "message", other: "messages" }),
      tokens: (count) => counted(count, { one: "token", other: "tokens" }),
      turns: (count) => counted(count, { one: "réponse", other: "réponses" }),
      "model-calls": (count) =>
        counted(count, { one: "requête au modèle", other: "requêtes au modèle" }),
      "tool-executions": (count) =>
        counted(count, { one: "utilisation d'outil", other: "utilisations d'outils" }),
    },
    per: {
      minute: (amount) => `${amount} par minute`,
      hour: (amount) => `${amount} par heure`,
      day: (amount) => `${amount} par jour`,
      month: (amount) => `${amount} par mois`,
      turn: (amount) => `${amount} par réponse`,
      "at-once": (amount) => `${amount} à la fois`,
    },
    hitYours: (limit) => `Tu as atteint ta limite de ${limit}.`,
    nearlyYours: (percent, limit, used) =>
      `Tu as utilisé ${percent} % de ta limite de ${limit} (${used}).`,
  },

  whoami: {
    name: (name) => `Nom : ${name}`,
    id: (id) => `ID : ${id}`,
    role: (role) => `Rôle : ${role}`,
    chat: (chat) => `Chat : ${chat}`,
    anonymous: "Tu écris anonymement, donc tu ne peux rien décider ici.",
    place: (place) => `ID du lieu : ${place}`,
    adminHere:
      "Tu administres ce groupe : tu peux changer ses réglages et ses limites, et décider des approbations.",
    roles: {
      owner: "propriétaire",
      admin: "administrateur",
      member: "membre",
      guest: "invité",
      stranger: "aucun pour l'instant",
      banned: "bloqué",
    },
    may: {
      owner: "Ce bot est à toi. Tu peux tout faire.",
      admin:
        "Tu peux tout faire : discuter avec moi, approuver des actions, changer les réglages et donner accès à des gens.",
      member:
        "Tu peux discuter avec moi, approuver ce que je fais pour toi et changer tes propres réglages.",
      guest: "Tu peux discuter avec moi ici. Les membres approuvent les actions.",
      stranger: "Tu n'as pas encore accès.",
      banned: "Ton accès est bloqué.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Je ne connais personne du nom de ${typed}. Si cette personne ne m'a jamais écrit, utilise un ID comme telegram:12345.`,
    whomOnDiscord: (command) =>
      `Qui ? Choisis une personne dans les options de /${command}, ou un lieu.`,
    whom: (command) =>
      `Qui ? Réponds à un de ses messages avec /${command}, ou utilise @name ou un ID : /${command} telegram:12345`,
    anonymous: (who) =>
      `${who} écrit anonymement, peut-être pour plusieurs personnes, et ne peut donc pas avoir de rôle.`,
    adminsOnly: "Seul un admin peut changer les rôles.",
    ownersOnly: "Seuls les propriétaires peuvent ajouter ou retirer des admins.",
    ownerStays: (who) => `Ce bot est à ${who}. Cela ne se change que dans la configuration du bot.`,
    fileBans: (who) => `${who} est bloqué dans la configuration du bot. Change-le là-bas.`,
    fileAllows: (who) => `${who} a accès grâce à la configuration du bot. Change-le là-bas.`,
    aRole: {
      owner: "propriétaire",
      admin: "administrateur",
      member: "membre",
      guest: "invité",
      banned: "utilisateur bloqué",
    },
    isNow: (who, role) => `${who} est maintenant ${role}.`,
    isAlready: (who, role) => `${who} est déjà ${role}.`,
    banned: (who) => `${who} est bloqué.`,
    unbanned: (who) => `${who} n'est plus bloqué.`,
    notBanned: (who) => `${who} n'est pas bloqué.`,
    noRole: (typed) => `Le rôle ${typed} n'existe pas. Au choix : admin, member ou guest.`,
    whichRole: "Quel rôle ? Au choix : admin, member ou guest.",
    placeAllowed: (place) => `Tout le monde dans ${place} peut maintenant me parler (en invité).`,
    placeBanned: (place) => `Je me tairai dans ${place}, sauf pour les admins.`,
    placeCleared: (place) => `La règle pour ${place} est effacée.`,
    placeNotSet: (place) => `Il n'y a pas de règle pour ${place}.`,
    noPlace: "C'est un chat privé. Nomme plutôt une personne.",
    noServer: "Ce n'est pas un serveur Discord.",
    owners: "Propriétaires :",
    admins: "Admins :",
    noneNamed: "Personne.",
    terminal: "Toute personne à mon terminal est aussi propriétaire.",
    thisChat: "ce chat",
    thisServer: "ce serveur",
  },

  export: {
    adminsOnly: "Seul un admin peut exporter la conversation d'un groupe.",
    badFormat: (typed) =>
      `Je ne peux pas exporter en ${typed}. Utilise /export json ou /export markdown.`,
    full: "Désolé, trop de messages attendent d'être envoyés dans ce chat. Réessaie plus tard, s'il te plaît.",
    nothing: "Il n'y a encore rien à exporter.",
    done: (entries) =>
      `Voici la conversation, avec ${counted(entries, { one: "élément", other: "éléments" })}.`,
    doneIn: (entries, files) =>
      `Voici la conversation, avec ${counted(entries, { one: "élément", other: "éléments" })} dans ${n(files)} fichiers.`,
    shown: "Tout le monde ici peut voir ça.",
  },

  forget: {
    notAnonymously: "Tu ne peux rien supprimer au nom d'un groupe ou d'un canal.",
    inPrivateOnly: "Ça ne marche que dans notre chat privé. Envoie-moi /forget me là-bas.",
    adminsOnly:
      "Dans un groupe, seuls les admins peuvent supprimer le chat. Pour supprimer ce que tu as écrit ici, envoie-moi /forget me en privé.",
    badScope: (typed) =>
      `Je peux supprimer « chat » (ce chat) ou « me » (toutes tes données), mais je ne connais pas ${typed}.`,
    badCode: (typed) => `Ce code n'est pas le bon : ${typed}. Il ressemble à yes-1234.`,
    yes: { chat: "Oui, supprimer ce chat", me: "Oui, tout supprimer" },
    confirm: (confirmation) => `Pour confirmer, envoie ${confirmation} dans les 5 minutes.`,
    explained: {
      chat: "Cela supprime définitivement tout ce que j'ai enregistré pour ce chat : messages, notes, tâches, réglages, consommation, fichiers et archives. Ce que je fais ici s'arrête aussi.\nLes messages restent dans l'application elle-même. Tu es la seule personne à pouvoir les y supprimer.",
      me: "Cela supprime définitivement tes données et arrête ce que je fais pour toi.\nSupprimé :\n• tes chats privés avec moi\n• ton profil avec tes choix et ton rôle (il faudra peut-être te redonner accès)\n• dans les groupes : ce que tu as écrit, ce que je t'ai répondu et là où j'ai repris tes mots\n• tes raisons et tes modifications quand tu as décidé pour d'autres\nConservé :\n• les notes et les tâches des groupes\n• ce que d'autres ont écrit sur toi\n• la consommation de ce mois-ci\n• un blocage, si tu en as un (sans ton nom)\n• les messages dans l'application elle-même",
    },
    expired: (scope) =>
      `Cette confirmation est fausse ou a expiré. Seule la personne qui a demandé peut confirmer, ici et dans les 5 minutes. Recommence avec /forget ${scope}.`,
    begun: "Un instant. Je te préviens quand tout est supprimé.",
    chatDone: "C'est fait. Tout dans ce chat est supprimé.",
    meDone: "C'est fait. Tes chats privés avec moi et ton profil sont supprimés.",
    meDoneWith: (groups) =>
      `C'est fait. Tes chats privés avec moi, ton profil et ce que tu as écrit dans ${counted(groups, { one: "groupe", other: "groupes" })} sont supprimés.`,
    but: (count) =>
      `Je n'ai pas pu lire ou supprimer ${counted(count, { one: "élément qui en fait peut-être partie", other: "éléments qui en font peut-être partie" })}. La personne qui me gère trouvera les détails dans mon journal.`,
  },

  end: {
    modelCalls: (limit) =>
      `Je me suis arrêté ici, car j'ai atteint la limite de ${counted(limit, { one: "étape", other: "étapes" })}. Dis « continue » pour poursuivre.`,
    toolExecutions: (limit) =>
      `Je me suis arrêté ici, car j'ai atteint la limite de ${counted(limit, { one: "utilisation d'outil", other: "utilisations d'outils" })}. Dis « continue » pour poursuivre.`,
    tokens: (limit) =>
      `Je me suis arrêté ici, car j'ai atteint la limite de ${counted(limit, { one: "token", other: "tokens" })} par réponse.`,
    cost: (limitUsd) =>
      `Je me suis arrêté ici, car j'ai atteint la limite de coût de ${exactMoney(limitUsd)} par réponse.`,
    deadline: (limitSeconds) =>
      `Je me suis arrêté ici, car j'ai atteint la limite de temps de ${counted(limitSeconds, { one: "seconde", other: "secondes" })} par réponse.`,
    loop: "Je tournais en rond, alors je me suis arrêté. Peux-tu le dire autrement ?",
    denied: "Je me suis arrêté ici, car cela n'a pas été approuvé.",
    notAllowed: "Je me suis arrêté ici, car ce n'est pas autorisé.",
    toolFailed: "Je me suis arrêté ici, car un outil a échoué.",
    cut: "Je me suis arrêté ici, à la limite de longueur. Dis « continue » pour la suite.",
    cutEmpty:
      "Je me suis arrêté à la limite de longueur avant de pouvoir répondre. Dis « continue » et je réessaie.",
    filtered: "Le filtre de contenu du service d'IA a arrêté ma réponse ici.",
    downgraded: (tier) =>
      `Le budget est presque épuisé, un modèle moins cher a donc répondu (${tier}).`,
    poisoned: (errorId) =>
      `Désolé, j'ai essayé trois fois sans succès. Essaie autrement, s'il te plaît. (erreur ${errorId})`,
    stopped: "(arrêté)",
    interrupted: "(interrompu)",
  },

  modelFailed: {
    "rate-limited": (errorId, when) =>
      `Désolé, le service d'IA est trop sollicité en ce moment. Réessaie ${when ?? "dans une minute"}. (erreur ${errorId})`,
    overloaded: (errorId, when) =>
      `Désolé, le service d'IA rencontre des problèmes. Réessaie ${when ?? "plus tard"}. (erreur ${errorId})`,
    timeout: (errorId) =>
      `Désolé, mon modèle d'IA a mis trop de temps. Réessaie, s'il te plaît. (erreur ${errorId})`,
    network: (errorId) =>
      `Désolé, je n'arrive pas à joindre mon modèle d'IA. Réessaie plus tard. (erreur ${errorId})`,
    "context-overflow": (errorId) =>
      `Désolé, cette conversation est trop longue pour le modèle. /new en commence une nouvelle. (erreur ${errorId})`,
    "setup-too-long": (errorId) =>
      `Désolé, mes instructions et mes outils sont à eux seuls trop longs pour le modèle. Un admin peut raccourcir le prompt ou les outils, ou choisir un modèle avec une fenêtre de contexte plus grande. (erreur ${errorId})`,
    "turn-too-long": (errorId) =>
      `Désolé, cette demande est trop longue pour le modèle. Raccourcis-la ou découpe-la en plusieurs parties. (erreur ${errorId})`,
    auth: (errorId) => `Désolé, ma clé d'API a été refusée. (erreur ${errorId})`,
    "invalid-request": (errorId) =>
      `Désolé, le service d'IA a rejeté ma requête. (erreur ${errorId})`,
    refused: (errorId) => `Désolé, le modèle d'IA a refusé de répondre. (erreur ${errorId})`,
    "no-credit": (errorId) =>
      `Désolé, mon compte chez le service d'IA n'a plus de crédit. (erreur ${errorId})`,
    moderated: (errorId) =>
      `Désolé, le filtre de contenu du service d'IA a bloqué ce message. Reformule-le, ou repars de zéro avec /new. (erreur ${errorId})`,
    "unknown-model": (errorId) =>
      `Désolé, mon modèle d'IA n'est plus disponible. (erreur ${errorId})`,
    "broken-call": (errorId) =>
      `Désolé, mon modèle d'IA a voulu utiliser un outil et s'est trompé. Réessaie, s'il te plaît. (erreur ${errorId})`,
    empty: (errorId) =>
      `Désolé, je n'ai pas eu de réponse. Réessaie, s'il te plaît. (erreur ${errorId})`,
  },

  unreadable: {
    locked: "Le fichier est protégé par un mot de passe.",
    damaged: "Le fichier est endommagé ou n'est pas un PDF lisible.",
    "too-complicated": "Le fichier est trop complexe pour être lu.",
    failed: "Un problème est survenu à la lecture. Renvoie le fichier ou utilise /retry.",
    pictures: "Il ne contient pas de texte. Ses pages sont sans doute des images.",
    empty: "Il ne contient pas de texte.",
    unknown: "Je ne peux pas lire ce type de fichier.",
    "no-transcription": "Je ne peux pas écouter les messages vocaux ici.",
    "not-transcribed": "Désolé, je n'ai pas pu transcrire le message vocal.",
    silent: "Je n'y ai entendu aucune parole.",
    gone: "Il n'est plus enregistré. Les fichiers sont supprimés au bout d'un jour.",
    refused: "Le service d'IA n'accepte pas cette image.",
  },

  exported: {
    title: "Conversation",
    asOf: (chat, time) => `Le chat ${chat} au ${time}.`,
    sample: (persona, who) => `Exemple pour le persona ${persona} : ${who}`,
    asPersona: (model, persona) => `${model} en tant que ${persona}`,
    edited: (who, time) => `${who} a modifié un message, ${time}`,
    reading: "Texte de la pièce jointe",
    result: (number, tool) => `Résultat de l'action ${number}, ${tool}`,
    failed: (kind) => `échec : ${kind}`,
    ended: (reason) => `Fin de la réponse : ${reason}`,
    endedAs: (reason, persona) => `Fin de la réponse en tant que ${persona} : ${reason}`,
    reset: (time) => `Une nouvelle conversation, ${time}`,
    sawNothing: "À partir d'ici, le modèle ne voyait plus rien de ce qui précède.",
    auto: (step, of) => `Étape ${step} sur ${of} au plus, objectif :`,
    threadBegan: "Ce fil a commencé par :",
    inAnswerTo: "En réponse à :",
    said: "Message :",
    attached: (name, bytes) => `Pièce jointe : ${name}, ${n(bytes)} octets`,
    cutOff: "interrompu",
    noted: "Ajouté par la plateforme :",
    thinking: "Raisonnement :",
    answer: "Réponse :",
    call: (number, tool) => `Action ${number} : ${tool}`,
    compaction: (strategy) => `Résumé : ${strategy}`,
    by: (model) => `par ${model}`,
    inPlaceOf: (from, to) =>
      `À partir d'ici, le modèle voyait ceci à la place des éléments ${from} à ${to} ci-dessus :`,
    shortened: (entries) => `Ces résultats lui ont été montrés raccourcis : ${entries}.`,
    undone: (time) => `Annulé, ${time}`,
    sawNothingOf: (from, to) =>
      `À partir d'ici, le modèle ne voyait plus les éléments ${from} à ${to}.`,
    notUndone: "Ce que ces actions ont fait n'a pas été annulé :",
  },

  console: {
    demoModel: "modèle de démonstration",
    hints: "Écris un message. /help montre les commandes, /quit pour quitter.",
    earlier: "Précédemment :",
    working: (seconds) => `${seconds} s · Ctrl-C pour arrêter`,
    outcomes: {
      approved: "approuvé",
      denied: "refusé",
      expired: "expiré : personne n'a décidé à temps",
      superseded: "pas exécuté, car tu as écrit autre chose",
      cancelled: "arrêté",
      changed: "modifié, nouvelle question ci-dessous",
    },
    notHandedOver: "Je n'ai pas encore pu traiter ça. C'est enregistré et je réessaie.",
    questionIsOpen:
      "Ceci attend depuis la dernière fois. Réponds y ou n ; toute autre chose l'annule.",
    questionReplaced: "L'action en attente est annulée.",
    formGone: "Ceci n'attend plus de réponse. Ta modification est abandonnée.",
    interruptAgain: "Appuie encore une fois sur Ctrl-C pour quitter",
    file: (path) => `Fichier : ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `J'attends que ${person} approuve quelque chose. Je m'occupe de ton message ensuite, dans ${counted(minutes, { one: "minute", other: "minutes" })} au plus tard.`,
    awaitsAdmin: (minutes) =>
      `J'attends qu'un admin approuve quelque chose. Je m'occupe de ton message ensuite, dans ${counted(minutes, { one: "minute", other: "minutes" })} au plus tard.`,
    awaitsDecision: (minutes) =>
      `J'attends une approbation ici. Je m'occupe de ton message ensuite, dans ${counted(minutes, { one: "minute", other: "minutes" })} au plus tard.`,
    brokeOff: (model) => `${model} s'est interrompu. Nouvel essai …`,
    shortening: "résumé de notre conversation …",
    shortened: (before, after) =>
      `J'ai résumé le début de notre conversation pour faire de la place (environ ${before} → ${after} tokens). Rien n'est perdu : /export contient chaque mot.`,
    nothingToShorten: "Il n'y a encore rien à résumer.",
    nothingToUndo: "Il n'y a rien à annuler.",
    nothingToRetry: "Il n'y a rien à réessayer.",
    cannotRetry:
      "Je ne peux pas réessayer, car ce message a depuis été résumé. Renvoie-le, s'il te plaît.",
    undone: "Annulé. J'ai retiré ton dernier message et tout ce qui suit.",
    undoneOf: (person) =>
      `Annulé. J'ai retiré le dernier message de ${person} et tout ce qui suit.`,
    staysDone: (tools) => `Ceci ne peut pas être annulé : ${tools}.`,
    messageKept:
      "Je suis un peu occupé en ce moment. Ton message est enregistré et je réponds dès que possible.",
    waitsForPlace: (limit) =>
      `Je travaille déjà sur ${counted(limit, { one: "réponse", other: "réponses" })}, c'est la limite. La tienne vient ensuite ; inutile de renvoyer.`,
    kept: (when, errorId) =>
      `Désolé, mon modèle d'IA ne répond pas pour le moment. Ton message est enregistré : je redemande ${when}, puis encore quelques fois pendant une heure et demie. Inutile de le renvoyer. (erreur ${errorId})`,
    orderKept: (command) =>
      `Je suis un peu occupé en ce moment. Ton /${command} est enregistré et je m'en occupe dès que possible.`,
  },

  edits: {
    refused: (why) =>
      `Je ne peux pas faire cette modification : ${why} Voici de nouveau l'original.`,
    refusedAndGone: (why) =>
      `Je ne peux pas faire cette modification : ${why} L'original n'est plus possible non plus, donc je ne le fais pas.`,
    notJson: 'Ce n\'est pas du JSON. Il doit ressembler à {"name": "valeur"}.',
    unknownName: (name, known) => `Il n'y a pas d'argument ${name} ici. Au choix : ${known}.`,
    expected: (path, what) => `${path} doit être ${what}.`,
    isMissing: (path) => `Il manque ${path}.`,
    isHidden: (path) => `${path} est masqué. Écris la valeur entière, ou laisse-la telle quelle.`,
    keptHidden: (path) =>
      `${path} est masqué. Seule la personne qui a demandé, ou un admin, peut modifier le reste en le gardant.`,
    same: "Rien n'a changé : ce sont les valeurs actuelles.",
    tooLong: (count) =>
      `C'est trop long. La limite est de ${counted(count, { one: "caractère", other: "caractères" })}.`,
    how: (id) => `Pour modifier : /edit ${id} nom=valeur, ou du JSON avec tous les arguments.`,
    whichOne: "Quelle action veux-tu modifier ?",
    nothingToChange: "Ces actions n’ont aucun argument à modifier.",
    change: "nom=valeur",
    newValue: (name) => `Réponds à ce message avec la nouvelle valeur de ${name}.`,
    newValues: (names) =>
      `Réponds à ce message avec ce qui doit changer, une ligne nom=valeur par modification. Tu peux modifier : ${names}.`,
    title: "Modifier les arguments",
    asJson: "Tous les arguments, en JSON",
    noForm:
      "C'est trop grand pour un formulaire. Réponds à la carte avec nom=valeur, ou avec du JSON contenant tous les arguments.",
    types: {
      string: "un texte",
      number: "un nombre",
      integer: "un nombre entier",
      boolean: "true ou false",
      object: "un objet JSON",
      array: "une liste JSON",
      null: "null",
    },
    oneOf: (choices) => `une de ces valeurs : ${choices}`,
  },

  permissions: {
    auto: (until, by) => `auto jusqu'à ${until}, activé par ${by}`,
    status: (mode) => `Autorisations : ${mode}`,
    isAuto: (until) =>
      `Jusqu'à ${until}, je ne demande pas là où une règle le permet. /settings permissions {value:ask} y met fin.`,
    onlyYours:
      "Tu n'es admin que de ce groupe : cela ne vaut que pour ce que tu demandes toi-même.",
    isAsk: "D'accord, je demanderai avant d'agir.",
    expected: "Au choix : ask, auto, ou auto avec une durée comme auto 30m",
    noRule: "Aucune règle ne permet auto ici, je continue donc à demander.",
    full: "Ce chat a déjà trop d'autorisations. /grants les montre et les retire.",
    inGrants: "auto : tout ce qu'une règle permet sans demander",
    ranByAuto: "fait sans demander (auto)",
  },

  grants: {
    none: "Dans ce chat, je demande toujours d'abord.",
    heading: "Ce que je peux faire ici sans demander :",
    exactly: (given) => `avec exactement ${given}`,
    alike: (given) => `avec tout argument du genre ${given}`,
    lasts: (span) => `encore ${span}`,
    allowedBy: (name) => `autorisé par ${name}`,
    onlyFor: (name) => `seulement quand ${name} le demande`,
    howTo: "Pour en retirer une : /grants revoke <numéro>.",
    ownFacts: (name) =>
      `${name} est la seule personne à pouvoir autoriser cela plus longtemps : pour retenir quelque chose, il me faut son accord.`,
    revoked: (tool) => `C'est fait. Je demanderai avant d'utiliser ${tool} de nouveau.`,
    noSuch: (number) => `Il n'y a pas de numéro ${number} ici. Voir /grants.`,
    notYours: "Seul un admin, ou la personne qui l'a autorisé, peut le retirer.",
    given: (span) =>
      `Approuvé. Pendant ${span}, je referai exactement cela sans demander. /grants le retire.`,
    givenAny: (span, tool) =>
      `Approuvé. Pendant ${span}, j'utiliserai ${tool} avec tout argument de ce genre sans demander. /grants le retire.`,
    off: "Ceci demande toujours une approbation.",
    atMost: (span) => `Le maximum autorisé est de ${span}.`,
    noSpan: (typed) => `Je ne comprends pas ${typed}. Essaie 30m ou 2h.`,
    adminsAny: "Seuls les admins peuvent autoriser d'autres arguments.",
    full: "Approuvé, mais ce chat a déjà trop d'autorisations pour que je retienne celle-ci. /grants les montre et les retire.",
    one: "Quelle action ? /approve <id>.<numéro> always en autorise une.",
  },

  pause: {
    kept: "Je suis en pause pour le moment. Ton message est enregistré ; je répondrai à mon retour.",
    halted:
      "Un admin m'a mis en pause, je me suis donc arrêté ici. Redemande plus tard, s'il te plaît.",
    scopes: {
      all: "partout",
      telegram: "sur Telegram",
      discord: "sur Discord",
      console: "dans le terminal",
    },
    begun: (what) =>
      `En pause ${what}. Les réponses en cours se terminent ; les nouveaux messages attendent. /resume pour reprendre.`,
    begunNow: (what) =>
      `En pause ${what}. Les réponses en cours sont arrêtées ; les nouveaux messages attendent. /resume pour reprendre.`,
    ended: (what) =>
      `De retour ${what}. Les messages en attente auront leur réponse dans un instant.`,
    notPaused: (what) => `Je ne suis pas en pause ${what}.`,
    stillAll: "Je suis encore en pause partout. /resume all y met fin.",
    unknown: (typed) =>
      `Je ne comprends pas ${typed}. Au choix : all, telegram, discord, console ou now.`,
    since: (moment) => `En pause depuis ${moment}.`,
    sinceOf: (what, moment) => `En pause ${what} depuis ${moment}.`,
  },

  audit: {
    itself: "Parley lui-même",
    heading: "Journal d'audit (le plus récent d'abord, UTC) :",
    none: "Rien trouvé dans le journal d'audit.",
    part: "Je n'ai regardé que les 20 000 lignes les plus récentes. /audit export contient tout.",
    unknown: (typed, kinds) =>
      `Je ne comprends pas ${typed}. Donne un nombre, une personne ou un type : ${kinds}.`,
    exported: (count) =>
      `Je t'envoie le journal d'audit (${counted(count, { one: "ligne", other: "lignes" })}) en fichier dans notre chat privé.`,
    actions: {
      "approval-decided": "a rendu une décision sur",
      "approval-edited": "a modifié les arguments de",
      "values-shown": "a vu des valeurs masquées de",
      "contents-shown": "a lu les messages de",
      "grant-given": "a autorisé sans demander",
      "grant-revoked": "a retiré une autorisation pour",
      "limit-set": "a fixé une limite pour",
      "limit-reset": "a réinitialisé une limite pour",
      "role-set": "a changé le rôle de",
      "pairing-decided": "a décidé de l'accès de",
      paused: "a mis en pause",
      resumed: "a repris",
      "setting-changed": "a changé le réglage",
      "turn-stopped": "a arrêté les réponses",
      "schedule-changed": "a modifié la planification",
      "skill-decided": "a décidé de la compétence",
      broadcast: "a envoyé un message à tous les chats",
      "page-login": "s'est connecté au tableau de bord avec",
      "page-session-ended": "a déconnecté du tableau de bord",
      "erasure-asked": "a demandé la suppression de",
      "dead-letter-settled": "s'est occupé d'un message non distribué",
      "attempt-denied": "s'est vu refuser",
      "tool-executed": "a exécuté",
    },
    outcomes: {
      approved: "approuvé",
      denied: "refusé",
      expired: "expiré",
      "approved 1 of 2": "approuvé, 1 sur 2",
      "not entitled": "sans y être autorisé",
      "another chat": "dans un autre chat",
      allowed: "admis",
      allow: "tout le monde a accès",
      ban: "le bot reste silencieux",
      none: "aucun",
      done: "fait",
      cancelled: "annulé",
      "outcome-unknown": "résultat inconnu",
      unknown: "résultat inconnu",
      failed: "échoué",
      "tool-error": "échoué",
      timeout: "délai dépassé",
      "invalid-arguments": "arguments non valides",
      "unknown-tool": "outil inconnu",
      "policy-denied": "interdit par une règle",
      "confirmation-denied": "approbation refusée",
      "confirmation-expired": "approbation expirée",
      superseded: "remplacé par un message plus récent",
      "limit-reached": "limite atteinte",
      deadline: "temps de réponse écoulé",
      "asked-again": "redemandé",
      refused: "refusé",
      "not-asked": "non demandé",
      "not-allowed": "non autorisé",
      replayed: "renvoyé",
      dropped: "abandonné",
      yes: "oui",
      same: "les mêmes arguments",
      like: "des arguments semblables",
      shell: "la console",
      off: "désactivé",
    },
    facts: {
      requester: "demandé par",
      first: "d'abord approuvé par",
      persona: "persona",
      scope: "pour",
      until: "jusqu'à",
      before: "avant",
      now: "maintenant",
      reason: "raison",
      value: "valeur",
      characters: "caractères",
      role: "rôle",
      asked: "demandé",
      changed: "modifié",
      from: "depuis",
      name: "nom",
      version: "version",
    },
  },

  skills: {
    none: "Je n'ai pas encore de compétences.",
    heading: "Compétences dans ce chat :",
    howTo: "Pour en utiliser une : /skill <name> <task>",
    inUse: (names) => `Compétences actives dans ce chat : ${names}. /skills les affiche toutes.`,
    waiting: (names) =>
      `En attente de vérification : ${names}. Les admins peuvent les voir avec /skills review.`,
    noneWaits: "Aucune compétence n'attend de vérification.",
    alsoWait: (names) => `En attente aussi : ${names}.`,
    unknown: (typed) => `Je ne connais pas la compétence ${typed}.`,
    which: "Quelle compétence ? Par exemple : /skills off {skill:pdf}",
    isOn: (name) => `La compétence ${name} est maintenant activée dans ce chat.`,
    isOff: (name) => `La compétence ${name} est maintenant désactivée dans ce chat.`,
    offHere: (name, command) =>
      `La compétence ${name} est désactivée dans ce chat. Pour l'activer : ${command}`,
    notOfPersona: (name, persona) =>
      `Le persona ${persona} n'utilise pas la compétence ${name}. /persona montre qui d'autre peut répondre.`,
    personaUses: (persona, names) => `${persona} utilise seulement : ${names}.`,
    personaUsesNone: (persona) => `${persona} n'en utilise aucune.`,
    begun: (name) => `Je m'en occupe, avec la compétence ${name}.`,
    noTask: "Que dois-je en faire ? Par exemple : /skill {name:pdf} {task:remplis ce formulaire}",
    news: (names) =>
      `Des compétences attendent ta vérification : ${names}. Regarde-les avec /skills review.`,
    isNew: (name) => `Nouvelle compétence : ${name}`,
    hasChanged: (name) => `Compétence modifiée : ${name}`,
    wants: (tools) => `Elle demande ces outils, ce qui ne change rien : ${tools}`,
    mentions: (tools) => `Elle mentionne ces outils : ${tools}`,
    hidden: (count) =>
      `Attention : ${counted(count, { one: "caractère caché", other: "caractères cachés" })}, affichés en codes comme \\u200b.`,
    leftOut: (count) =>
      `${counted(count, { one: "fichier est laissé de côté car ce n'est pas du texte ou il est trop long", other: "fichiers sont laissés de côté car ce n'est pas du texte ou ils sont trop longs" })}. Je ne lis jamais ces fichiers.`,
    cut: (command) => `Ce n'est que le début. Pour tout lire, puis l'approuver : ${command}`,
    toDeny: (command) => `Pour la refuser : ${command}`,
    readFirst: (command) => `Il reste du texte à lire avant de pouvoir l'approuver : ${command}`,
    toDecide: (approve, deny) => `Pour décider : ${approve} ou ${deny}`,
    files: {
      added: "Nouveau fichier",
      changed: "Fichier modifié",
      removed: "Fichier supprimé",
      same: "Fichier inchangé",
    },
    approved: (name, admin) => `${admin} a approuvé la compétence ${name}.`,
    denied: (name, admin) => `${admin} a refusé la compétence ${name}.`,
    noSuchVersion:
      "Cette version de la compétence n'existe plus. Regarde à nouveau avec /skills review.",
    privately: "Fais cela dans un chat privé avec moi, s'il te plaît.",
    sent: (name) => `Je t'envoie la compétence ${name} en fichier.`,
  },

  dashboard: {
    off: "Le tableau de bord est désactivé. Pour l'activer, définis PARLEY_PAGE_PORT là où je tourne.",
    directOnly: "Je n'envoie le lien que dans une discussion privée. Envoie-moi /dashboard là-bas.",
    link: (url) =>
      `Ce lien te connecte au tableau de bord. Il ne sert qu'une fois, pendant 10 minutes : ne le partage pas.\n${url}`,
    isOpenIn: (browsers) => `Connexions en cours : ${browsers}.`,
    end: (browser) => `Déconnecter ${browser}`,
    ended: (browser) => `${browser} est déconnecté.`,
    endedBefore: "Ce navigateur n'est plus connecté.",
    allEnded:
      "Tous tes navigateurs sont déconnectés, et les liens non utilisés ne fonctionnent plus.",
    someBrowser: "un navigateur",
    newBrowser: (browser, when) =>
      `Quelqu'un s'est connecté au tableau de bord avec ton compte : ${browser}, ${when}. Si ce n'était pas toi, déconnecte-le ; /dashboard off déconnecte tous tes navigateurs.`,
    notMe: "Ce n'était pas moi",
  },

  imports: {
    none: "Il n'y a rien à importer. Lance d'abord « npm run init -- --from openclaw » (ou hermes).",
    directOnly: "Cela ne marche que dans une discussion privée. Envoie-moi /import là-bas.",
    facts: "Ce que je retiendrais de toi :",
    schedules:
      "Tâches planifiées pour cette discussion, en pause jusqu'à ce que tu les reprennes :",
    question: "Rien n'est enregistré sans ton accord.",
    take: "Tout importer",
    hasChanged: "La liste a changé. Regarde-la encore une fois :",
    done: (facts: number, schedules: number) =>
      `Importé. Infos : ${n(facts)}, tâches planifiées en pause : ${n(schedules)}. Voir /memory et /schedule.`,
    full: (count: number) =>
      `Il n'y avait pas de place pour ${n(count)}. Supprime quelque chose avec /memory ou /schedule, puis renvoie /import.`,
  },

  doctor: {
    fine: (count: number) =>
      `Tout va bien (${counted(count, { one: "vérification", other: "vérifications" })}).`,
    found: (broken: number, warnings: number) =>
      `En panne : ${n(broken)}, avertissements : ${n(warnings)}`,
    fix: (how: string) => `Solution : ${how}`,
    rest: (count: number) => `En ordre : ${n(count)}`,
    modelFails: (what: string, fix: string) =>
      `Je ne peux répondre à personne tant que ce n'est pas corrigé.\n${what}\n${fix}`,
    oneModelFails: (what: string, fix: string) =>
      `L'un de mes modèles ne répond pas ; un autre prend le relais.\n${what}\n${fix}`,
  },
  stats: {
    chats: (today, thisMonth) =>
      `Chats actifs : environ ${n(today)} aujourd'hui, ${n(thisMonth)} ce mois-ci`,
    today: (spent) => `Aujourd'hui : ${spent}`,
    thisMonth: (spent) => `Ce mois-ci : ${spent}`,
    turns: (active, waiting) => `Réponses : ${n(active)} en cours, ${n(waiting)} en attente`,
    deliveries: (waiting) => `Messages à envoyer : ${n(waiting)}`,
    deadLetters: (count) => `Envois échoués : ${n(count)}`,
    running: (version, span) => `Parley ${version}, en marche depuis ${span}`,
  },

  broadcast: {
    asks: (count) => `Ceci part dans ${counted(count, { one: "chat", other: "chats" })} :`,
    asksMore: (count) =>
      `Ceci part dans plus de ${counted(count, { one: "chat", other: "chats" })} :`,
    yes: "Envoyer",
    confirm: (command) => `Pour confirmer, envoie ${command} dans les 5 minutes.`,
    begun: "Envoi en cours. Je te préviens quand c'est fini.",
    done: (count) =>
      `Ton message est parti dans ${counted(count, { one: "chat", other: "chats" })}.`,
    nobody: "Il n'y a encore aucun chat où l'envoyer.",
    tooLong: (length, limit) =>
      `C'est trop long (${n(length)} caractères, la limite est de ${n(limit)}).`,
    expired: "Cette confirmation est fausse ou a expiré. Recommence avec /broadcast.",
  },
  schedules: {
    when: {
      today: "aujourd'hui|aujourd’hui",
      tomorrow: "demain",
      in: "dans|d'ici|d’ici",
      later: "plus tard",
      every: "chaque|tous les|toutes les",
      day: "jour|jours",
      workday: "jour ouvré|jours ouvrés|jour ouvrable|jours ouvrables",
      at: "à|a|ce",
      oclock: "pile",
      dayParts:
        "du matin|de l'après-midi|de l’après-midi|du soir|ce matin|cet après-midi|ce soir|le matin|l'après-midi|l’après-midi|le soir",
      and: "et|ou|à|a|de|du|dès|le|les|ce|jusqu'à|jusqu’à",
      weekdays:
        "lundi|lundis mardi|mardis mercredi|mercredis jeudi|jeudis vendredi|vendredis samedi|samedis dimanche|dimanches",
      units:
        "s|sec|seconde|secondes m|min|minute|minutes h|heure|heures j|jour|jours sem|semaine|semaines",
    },
    zones: "Europe/Paris Europe/Brussels Europe/Zurich America/Toronto Africa/Dakar",
    howTo:
      "Dis-moi quand et quoi. Par exemple : /remind {when:dans 20m} {text:thé}, ou bien : /remind {when:demain 9:00} {text:appeler le dentiste}",
    noText: "Que dois-je te rappeler ? Par exemple : /remind {when:dans 20m} {text:thé}",
    tooLong: (length, limit) =>
      `C'est trop long (${n(length)} caractères ; la limite est de ${n(limit)}).`,
    forModel: (text) => `Crée un rappel : ${text}`,
    begun: "Je regarde quand ça tomberait.",
    willRemind: (when) => `D'accord, je te le rappelle : ${when}.`,
    problems: {
      impossible: "Cette date ou cette heure n'existe pas. Essaie 2027-01-05 09:00 ou demain 9:00.",
      past: "C'est déjà passé. Choisis un moment à venir.",
      soon: "C'est trop tôt. Laisse-moi au moins 5 secondes.",
      far: "C'est trop loin. Choisis un moment dans les dix prochaines années.",
      never: "Cette règle ne tomberait jamais. Essaie chaque lundi 9:00 ou 0 9 * * 1.",
      often: "C'est trop souvent. Laisse au moins 5 minutes d'intervalle.",
    },
    tooMany: (limit) =>
      `Tu as déjà ${n(limit)} rappels et tâches planifiées, tous chats confondus : c'est le maximum. Supprimes-en un d'abord : /schedule`,
    none: "Tu n'as ni rappel ni tâche planifiée ici. Pour en créer un : /remind {when:dans 20m} {text:thé}",
    heading: "Rappels et tâches planifiées de ce chat :",
    more: "Suite",
    buttons: "▶ lance maintenant, ⏸ met en pause, ⏵ reprend, ✕ supprime.",
    next: (when) => `prochaine fois : ${when}`,
    over: "terminé",
    paused: {
      person: "en pause",
      failures: "en pause après trois échecs",
      rights: "en pause, car son auteur n'y a plus accès",
      dead: "en pause, car je ne peux plus écrire dans cette discussion",
    },
    dead: {
      someGroup: "l'un de nos groupes",
      inGroup: (place) =>
        `Je ne peux plus écrire dans ${place}, alors j'ai mis en pause ce que tu y avais prévu :`,
      inPrivate: (platform) =>
        `Je ne peux plus écrire dans l'une de nos discussions privées sur ${platform}, alors j'ai mis en pause ce que tu y avais prévu :`,
      goesOn:
        "Tout reprendra dès que je pourrai de nouveau y écrire. Si tu préfères l'avoir ici, planifie-le de nouveau dans cette discussion, par exemple avec /remind.",
      ofPerson: (name, ids) =>
        `Je ne peux plus écrire à ${name}, alors j'ai mis en pause ce qui était prévu dans notre discussion privée (${ids}). Tout reprendra dès que je pourrai de nouveau y écrire.`,
      ofGroup: (name, place, ids) =>
        `Je ne peux plus écrire dans ${place} et je n'ai pas pu joindre ${name} en privé. J'ai mis en pause ce qui y était prévu (${ids}). Tout reprendra dès que je pourrai de nouveau y écrire.`,
      lost: (name, id, why) =>
        `Je n'ai pas pu envoyer ce que ${name} avait prévu (${id}), et je n'ai pas pu joindre cette personne ailleurs. ${why}`,
    },
    last: (outcomes) => `dernières fois : ${outcomes}`,
    outcomes: {
      sent: "envoyé",
      asked: "répondu",
      unchanged: "aucun changement",
      late: "manqué",
      refused: "refusé",
      failed: "échoué",
    },
    run: "Lancer maintenant",
    pause: "Mettre en pause",
    resume: "Reprendre",
    delete: "Supprimer",
    which: "Laquelle ? /schedule affiche les ID.",
    unknown: (typed) => `Je ne connais pas ${typed}. /schedule affiche ce que tu as ici.`,
    badAction: (typed) =>
      `Je ne connais pas ${typed}. Utilise /schedule list, run, pause, resume, delete ou zone.`,
    notYours: "Seul un admin ou la personne qui l'a créé peut le modifier.",
    justChanged: "Ça a changé entre-temps. Regarde /schedule et réessaie.",
    isDeleted: (what) => `Supprimé : ${what}`,
    isPaused: (what) => `En pause : ${what}`,
    isResumed: (what, when) => `Repris : ${what} (prochaine fois : ${when})`,
    isRunning: (what) => `C'est lancé : ${what}`,
    isOver: "C'est déjà passé. Crées-en un autre avec /remind.",
    zone: {
      is: (zone) =>
        `Ton fuseau horaire est ${zone}. Pour le changer : /schedule zone {city:Europe/Paris}`,
      isUnknown: "Je ne connais pas encore ton fuseau horaire, alors j'utilise UTC.",
      ask: "Je ne connais pas ton fuseau horaire, alors c'est en UTC. Où es-tu ?",
      how: "S'il n'est pas dans la liste : /schedule zone {city:Europe/Paris}",
      unknown: (typed) =>
        `Je ne connais pas le fuseau horaire ${typed}. Indique une grande ville de ton fuseau, par exemple : /schedule zone {city:Paris}`,
      near: (typed, zones) =>
        `Je ne connais pas le fuseau horaire ${typed}. Voulais-tu dire ${zones} ? Sinon, indique une grande ville de ton fuseau, par exemple : /schedule zone {city:Paris}`,
      isNow: (zone) => `Ton fuseau horaire est maintenant ${zone}.`,
      others: "Ceux-ci sont encore dans un autre fuseau horaire. Choisis celui à déplacer :",
      moved: (when) => `Je l'ai décalé : ${when}.`,
      notAnonymously: "Un expéditeur anonyme ne peut pas avoir son propre fuseau horaire.",
    },
    rules: {
      every: (span) => `à intervalles de ${span}`,
      daily: (time) => `chaque jour à ${time}`,
      workdays: (time) => `du lundi au vendredi à ${time}`,
      weekly: (weekday, time) => `chaque ${weekday} à ${time}`,
      cron: (rule) => `selon la règle ${rule}`,
    },
    card: {
      existing: (what) => `Actuellement : ${what}`,
      next: (times) => `Prochaines fois : ${times}`,
      cost: (amount) => `Environ ${amount} par mois, d'après le coût des réponses dans ce chat.`,
      costUnknown: "On ne sait pas ce que ça coûtera par mois.",
      costNothing: "Ça ne coûte rien : aucun modèle d'IA n'est interrogé.",
    },
    reminder: (text) => `⏰ ${text}`,
    reminderFor: (name, text) => `⏰ ${name}: ${text}`,
    wasDue: (when) => `C'était prévu le ${when}.`,
    noRights: (text) =>
      `J'ai mis en pause la tâche planifiée « ${text} », car tu ne peux plus avoir de tâches planifiées ici.`,
    notRun: (text) => `La tâche planifiée « ${text} » n'a donc pas été exécutée cette fois.`,
    failed: (text) =>
      `J'ai mis en pause la tâche planifiée « ${text} », car elle a échoué trois fois de suite. Tu peux la reprendre avec /schedule.`,
  },
  findings: findingsFr,
  page: pageFr,
  number: n,
  money,
  exactMoney,
};
