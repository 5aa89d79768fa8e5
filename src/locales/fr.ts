import { countedIn, groupedIn } from "./counted.ts";
import type { Locale } from "./locale.ts";

const counted = countedIn("fr");
const grouped = groupedIn("fr");
const turns = (count: number): string => counted(count, { one: "tour", other: "tours" });
const waitingMessages = (count: number): string =>
  counted(count, {
    one: "message en attente abandonné",
    other: "messages en attente abandonnés",
  });
const entriesOf = (count: number): string => counted(count, { one: "entrée", other: "entrées" });
const minutesOf = (count: number): string => counted(count, { one: "minute", other: "minutes" });

export const fr: Locale = {
  ingress: {
    notAllowed: "Tu n'as pas le droit d'utiliser ce bot.",
    adminsOnly: (command) =>
      `Tu n'as pas le droit d'utiliser /${command} : c'est réservé aux admins.`,
    membersOnly: (command) =>
      `Tu n'as pas le droit d'utiliser /${command} : c'est réservé aux membres, et tu es invité.`,
    ownersOnly: (command) =>
      `Tu n'as pas le droit d'utiliser /${command} : c'est réservé aux propriétaires.`,
    noCommand: (command) => `La commande /${command} n'existe pas. /help les montre toutes.`,
    wroteNothing: "Tu n'as rien écrit. Que puis-je faire pour toi ?",
    tooLong: (length, limit) =>
      `Ce message a ${length} caractères ; j'en accepte jusqu'à ${limit}. Envoie-le en plusieurs parties.`,
    full: "Trop de messages attendent dans ce chat. Celui-ci n'est pas gardé, ni ceux qui suivent tant qu'il n'y a pas de place : renvoie-les plus tard, s'il te plaît.",
    notKept: (errorId) =>
      `Désolé, mon stockage est plein. Ton message n'est pas gardé : renvoie-le plus tard, s'il te plaît. (${errorId})`,
    notDone: (errorId) =>
      `Désolé, mon stockage est plein : je ne peux pas faire ça maintenant. Réessaie plus tard, s'il te plaît. (${errorId})`,
    tapTooOld: "Ce bouton n'est pas à moi, ou il est trop ancien.",
    tapTooLate: "C'est arrivé trop tard. Appuie encore une fois, s'il te plaît.",
  },

  files: {
    noVoice:
      "Je ne peux pas écouter les messages vocaux ici. Écris-le plutôt, s'il te plaît : il n'a pas été gardé.",
    noImage: (name) =>
      `${name} n'est pas une image que je sais lire : j'accepte PNG, JPEG, GIF et WebP.`,
    noText: (name) =>
      `${name} est d'un type que je ne sais pas lire. J'accepte les images (PNG, JPEG, GIF, WebP), les PDF et les fichiers texte.`,
    reading: (name) => `je lis ${name} …`,
    nameless: {
      image: "L'image",
      document: "Le document",
      voice: "Le message vocal",
    },
    tooMany: (count, limit) => `Ce message a ${count} fichiers ; j'en accepte jusqu'à ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} est trop volumineux : ${megabytes} Mo. J'accepte des fichiers jusqu'à ${limit} Mo.`,
    chatIsFull: (count, megabytes) =>
      `Cette discussion a déjà autant de fichiers que j’en garde pour une seule : ${count}, ou ${megabytes} Mo par jour. Renvoie-le plus tard.`,
    empty: (name) => `${name} est vide.`,
  },

  inPrivate: {
    askThere: "C'est privé : écris-moi directement et demande là-bas.",
    full: "Désolé, trop de choses attendent déjà de t'être envoyées en privé. Réessaie plus tard, s'il te plaît.",
    answered: "Je t'ai répondu en privé.",
    writeFirst: "Si rien n'est arrivé, écris-moi une fois directement et redemande.",
    askedIn: (group) => `Tu as demandé dans le groupe ${group} ; « ce chat », c'est ce groupe :`,
    topic: (thread) => `sujet ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} demande à utiliser ce bot.`,
    code: (code) => `Code : ${code}`,
    allow: "Autoriser",
    deny: "Refuser",
    yourCode: (code) =>
      `Tu n'as pas encore le droit d'utiliser ce bot. Un admin peut te laisser entrer : ton code est ${code}.`,
    unknownCode: "Ce code est inconnu, a expiré ou a déjà été traité.",
    isAdmin: (who) => `${who} est déjà admin.`,
    allowed: (who, admin) => `${who} : autorisé par ${admin}.`,
    denied: (who, admin) => `${who} : refusé par ${admin}.`,
    youMay: "Tu peux maintenant utiliser ce bot. Écris-moi ce que tu veux.",
    mayUse: (who) => `${who} peut maintenant utiliser ce bot.`,
    neither: (typed) =>
      `${typed} n'est ni un code de 8 lettres et chiffres, ni un nom comme @sam, ni un identifiant comme telegram:12345.`,
    adminsDecide: "Tu n'as pas le droit d'en décider : un admin le peut.",
  },

  start: {
    youAreOwner: "Ce bot est maintenant à toi. /help montre ce que tu peux faire.",
    hello: (place) => `Je réponds aux questions ${place} : écris-moi, c'est tout.`,
    places: {
      telegram: "ici sur Telegram",
      discord: "ici sur Discord",
      console: "dans ce terminal",
    },
    tools: (count) =>
      `Je peux utiliser ${counted(count, { one: "outil", other: "outils" })} (voir /tools). Ce qui demande une approbation, je ne le fais qu'une fois que tu as appuyé sur « Approuver ».`,
    noTools:
      "Ce qui demande une approbation, je ne le fais qu'une fois que tu as appuyé sur « Approuver ».",
    direct: "Ici je réponds à tout ; dans un groupe, mentionne-moi ou réponds-moi.",
    mention: "Dans ce groupe, je réponds à qui me mentionne, me répond ou envoie une commande.",
    always: "Dans ce groupe, je réponds à tous les messages.",
    privacy: (model) =>
      `Ce que tu écris est gardé et lu par le modèle ${model}. /export te donne tout, /forget l'efface, /help montre le reste.`,
    question: "Quelle heure est-il à Tokyo ?",
    showTools: "Montre tes outils",
    showSettings: "Montre les réglages",
  },

  help: {
    groups: {
      talk: "Conversation",
      choose: "Ma façon de travailler",
      look: "Ce qui se passe",
      data: "Tes données",
      admin: "Pour les admins",
    },
    more: "/help <commande> en dit plus sur une commande.",
    alias: (names) => `Aussi : ${names}.`,
  },

  contact: {
    noOwner:
      "Bonjour ! Ce bot est privé, et je n'ai pas encore de propriétaire. Si c'est toi qui me fais tourner, ouvre le lien affiché dans le terminal.",
    wrongCode: "Ce code n'est pas le bon. Ouvre encore une fois le lien affiché dans le terminal.",
    waiting: "Ces personnes aimeraient utiliser ce bot :",
    more: (count) => `… et ${count} de plus.`,
    nobodyWaits: "Personne n'attend d'être accepté.",
    howToAllow: "/allow suivi d'un code laisse entrer quelqu'un.",
    greeting: "Bonjour, je suis Parley. Mentionne-moi ou réponds-moi, et je répondrai.",
    seeHelp: "/help montre ce que je sais faire.",
    askedOwner:
      "Je ne connais pas encore ce groupe. J'ai demandé à mon propriétaire de l'autoriser.",
    letIn: (place) => `Autoriser ${place} ?`,
    addedBy: (who) => `${who} m'a ajouté.`,
    leave: "Quitter",
    placeAllowed: (place, admin) => `${admin} a autorisé ${place}.`,
    placeLeft: (place, admin) => `${admin} m'a fait quitter ${place}.`,
    stillAtLimit: "Cette limite est toujours atteinte.",
    silent: "Ça prend du temps : le modèle n'a encore rien dit. /stop annule.",
  },

  errors: {
    cause: (cause) => `Cause : ${cause}`,
    fix: {
      "rate-limited":
        "Attends une minute, ou ajoute dans parley.yaml un second modèle au niveau : il répondra à sa place.",
      overloaded:
        "Réessaie plus tard, ou ajoute dans parley.yaml un second modèle au niveau : il répondra à sa place.",
      timeout:
        "Le serveur du modèle est trop lent. Essaie un modèle plus petit, ou regarde si le serveur est occupé.",
      network:
        "Démarre le serveur du modèle (pour Ollama : ollama serve), ou corrige son adresse (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow":
        "Prends un modèle avec une fenêtre de contexte plus grande, ou moins d'outils.",
      auth: "Vérifie la clé d'API (OPENAI_API_KEY, ou apiKey dans parley.yaml) et le crédit du compte.",
      "invalid-request":
        "Vérifie le nom du modèle (OPENAI_MODEL, OLLAMA_MODEL, ou tiers dans parley.yaml). Pour Ollama : ollama pull <modèle>",
      refused: "Le fournisseur a décliné cette demande. Essaie un autre modèle avec /model.",
      empty: "Le modèle n'a rien répondu. Essaie un autre modèle avec /model.",
      poisoned:
        "Un worker s'est arrêté trois fois à cette étape. Cherche le code de l'erreur dans le journal.",
    },
    heading: (id) => `Erreur ${id}`,
    latest: "Les erreurs les plus récentes (UTC) :",
    when: (time) => `Quand : ${time} UTC`,
    model: (model) => `Modèle : ${model}`,
    trace: (chat) => `Plus de détails dans le shell : npm run trace -- ${chat}`,
    none: "Aucune erreur récemment.",
    unknown: (typed, days) =>
      `Je ne connais pas d'erreur ${typed}. Je garde les plus récentes pendant ${days} jours ; le journal en a peut-être plus.`,
  },

  menu: {
    pending: { description: "Qui demande à utiliser ce bot" },
    error: {
      description: "Ce que je sais d'une erreur",
      id: "Le code entre parenthèses sous l'erreur ; laisse vide pour les plus récentes",
    },
    pause: {
      pause: "Ne plus ouvrir de tour, partout ou sur une plateforme",
      resume: "Reprendre après /pause",
      platform: "Où ; partout si rien n'est dit",
      now: "Arrêter aussi ce qui est en cours",
    },
    audit: {
      description: "Qui a fait quoi, le plus récent d'abord",
      count: "Combien de lignes",
      who: "Seulement ce qui touche quelqu'un, par @nom ou id",
      what: "Un seul genre, ou export pour tout dans un fichier",
    },
    stats: { description: "Comment va cette installation" },
    broadcast: {
      description: "Envoyer un message à toutes les discussions",
      text: "Le message",
    },
    start: {
      description: "Ce que fait ce bot",
      code: "Un code qui fait de toi le premier admin",
    },
    help: {
      description: "Toutes les commandes",
      command: "Laquelle ; toutes si rien n'est indiqué",
    },
    new: { description: "Commencer une nouvelle conversation" },
    stop: { description: "Arrêter ce que je fais" },
    retry: { description: "Répondre à nouveau à ton dernier message" },
    undo: { description: "Oublier ton dernier message et ma réponse" },
    compact: {
      description: "Résumer ce qui a été dit, pour refaire de la place",
    },
    auto: {
      description: "Travailler seul vers un but, sur plusieurs tours",
      goal: "Ce qu'il faut atteindre ; jusqu'à 2 000 caractères",
      turns: (limit, usual) =>
        `Combien de tours au plus : de 1 à ${limit}, ${usual} si rien n'est indiqué`,
    },
    tier: {
      description: "Quelle force de modèle répond : fast, smart, deep …",
      tier: "Quel niveau ; default annule le choix",
    },
    model: {
      description: "Quel modèle est interrogé en premier",
      model: "Le nom d'un modèle ou une partie ; default annule le choix",
    },
    for: "me, ou chat : pour tout le monde ici ; me si rien n'est indiqué",
    settings: {
      description: "Mon comportement dans ce chat et le coût permis d'un tour",
      name: "Lequel ; tous si rien n'est indiqué",
      value: "La nouvelle valeur ; default l'annule",
    },
    activation: {
      description: "À quels messages de ce groupe je réponds",
      when: "mention : ceux qui me mentionnent ou me répondent ; always : tous",
    },
    language: {
      description: "La langue dans laquelle je te parle",
      language: "Laquelle ; auto : celle de ton application",
    },
    status: { description: "Ce que je fais dans ce chat" },
    approvals: {
      description: "Ce qui attend une approbation dans ce chat",
      id: "Un appel : affiche ses valeurs masquées, à toi seul",
    },
    approve: {
      description: "Approuver ce que j'ai demandé",
      id: "Son ID, puis un numéro pour un appel parmi plusieurs (voir /approvals)",
      always:
        "Combien de temps cela peut se répéter sans demander, p. ex. 1h ; les admins peuvent ajouter any",
    },
    deny: {
      description: "Refuser ce que j'ai demandé",
      id: "Son ID, puis un numéro pour un appel parmi plusieurs (voir /approvals)",
      reason: "Pourquoi ; on me le dira",
    },
    edit: {
      description: "Modifier ce que j'ai demandé, avant l'approbation",
      id: "Laquelle ; /approvals les montre",
      change: "nom=valeur, plusieurs, ou du JSON avec tous les arguments",
    },
    grants: {
      description: "Ce que je peux faire dans ce chat sans redemander",
      revoke: "revoke et un numéro retire une permission",
    },
    tools: {
      description: "Ce que je peux utiliser, et ce qui demande d'abord",
    },
    todos: { description: "Afficher la liste de tâches de ce chat" },
    limits: {
      description: "Limites de messages, de tokens et de coût, et ce qui en est utilisé",
      set: "Fixer une limite pour quelqu'un, un chat, un rôle, une plateforme ou tous",
      reset: "Revenir à la limite du fichier de l'opérateur",
      scope:
        "person, @name, un identifiant comme telegram:1, chat, role:member, platform ou global",
      metric: "Ce qui est limité",
      value: "Combien : 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Ce que ce chat a consommé, par modèle, et son coût",
    },
    export: {
      description: "Tout ce que nous avons dit, dans un fichier",
      format: "json pour les machines ; sinon markdown, pour les personnes",
    },
    forget: {
      description: "Effacer ce chat, ou tout ce que je garde de toi",
      what: "chat : tout ce chat ; me : tout de toi, partout",
      confirmation: "Ce que je te dis de taper, par exemple yes-1234",
    },
    whoami: { description: "Qui tu es pour moi" },
    role: {
      description: "Ton rôle et ce qu'il te permet",
      give: "Donner un rôle à quelqu'un",
      person: "De qui ; sans cela, tu vois le tien",
      role: "Le nouveau rôle",
    },
    allow: {
      description: "Laisser entrer quelqu'un, ou tout le monde ici",
      person: "Qui",
      code: "Le code que le bot a donné, un identifiant comme telegram:12345, here ou server",
    },
    ban: {
      description: "Exclure quelqu'un, ou me taire dans cette discussion",
      person: "Qui",
      reason: "Pourquoi ; c'est gardé dans le journal d'audit",
      place: "À la place d'une personne : cette discussion ou tout le serveur",
    },
    unban: {
      description: "Lever une exclusion, ou ce qui a été fixé ici",
      person: "Qui",
      place: "À la place d'une personne : cette discussion ou tout le serveur",
    },
    admins: { description: "Qui s'occupe de ce bot" },
  },

  control: {
    full: "Trop de messages attendent dans ce chat : il y a une limite. Réessaie plus tard, s'il te plaît.",
    begun: "Un instant.",
    dropped: (count) => `${waitingMessages(count)}.`,
    onlyTheirs: {
      stop: (name) => `Seuls ${name} et les admins peuvent arrêter cette réponse.`,
      undo: (name) => `Seuls ${name} et les admins peuvent annuler ce message.`,
      retry: (name) => `Seuls ${name} et les admins peuvent relancer ce message.`,
    },
    nothingToStop: "Il n'y a rien à arrêter.",
    stopped: "Arrêté.",
    stoppedAndDropped: (count) => `Arrêté, et ${waitingMessages(count)}.`,
    newAfterAnswer: "Je termine la réponse en cours, puis je commence une nouvelle conversation.",
    newConversation: "Une nouvelle conversation : je ne vois plus ce que nous avons dit avant.",
  },

  auto: {
    running: (step, of) =>
      `/auto travaille déjà à quelque chose, tour ${step} sur ${of}. /stop y met fin.`,
    begun: (of) =>
      of === 1
        ? `J'y travaille seul, pendant ${turns(of)}. /stop y met fin.`
        : `J'y travaille seul, pendant ${turns(of)} au plus. /stop y met fin.`,
    noGoal: "Quel est le but ? Écris /auto <but> [tours].",
    badTurns: (limit, typed) => `/auto accepte de 1 à ${limit} tours, pas ${typed}.`,
    numberHint: "Si le nombre fait partie du but, écris le nombre de tours derrière.",
    goalTooLong: (length, limit) => `Le but a ${length} caractères ; la limite est ${limit}.`,
    ended: (step) => `/auto s'arrête ici, après ${turns(step)}.`,
    done: (step) => `/auto a terminé, après ${turns(step)}.`,
    atLimit: (of) => `/auto a atteint sa limite de ${turns(of)}. Renvoie /auto pour continuer.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Ton niveau est ${value} : ${reason}.`,
      chats: (value) => `Le niveau de ce chat est ${value}.`,
      yoursIsNow: (value) => `Ton niveau est maintenant ${value}.`,
      chatsIsNow: (value) => `Le niveau de ce chat est maintenant ${value}.`,
      yoursIsDefault: "Pour toi, c'est de nouveau le niveau habituel.",
      chatsIsDefault: "Pour ce chat, c'est de nouveau le niveau habituel.",
      notForChat: "Tu n'as pas le droit de choisir le niveau de ce chat : un admin le peut.",
      notAnonymously: "Tu écris anonymement : un niveau à toi n'est donc pas permis.",
      noneOfYours:
        "Tu n'as choisi aucun niveau : c'est balanced, ou un autre quand un message en a besoin.",
      noneOfChats:
        "Aucun niveau n'est réglé pour ce chat : c'est balanced, ou un autre quand un message en a besoin.",
    },
    model: {
      yours: (value, reason) => `Ton modèle est ${value} : ${reason}.`,
      chats: (value) => `Le modèle de ce chat est ${value}.`,
      yoursIsNow: (value) => `Ton modèle est maintenant ${value}.`,
      chatsIsNow: (value) => `Le modèle de ce chat est maintenant ${value}.`,
      yoursIsDefault: "Pour toi, c'est de nouveau le modèle habituel.",
      chatsIsDefault: "Pour ce chat, c'est de nouveau le modèle habituel.",
      notForChat: "Tu n'as pas le droit de choisir le modèle de ce chat : un admin le peut.",
      notAnonymously: "Tu écris anonymement : un modèle à toi n'est donc pas permis.",
      noneOfYours: "Tu n'as choisi aucun modèle : le niveau décide.",
      noneOfChats: "Aucun modèle n'est réglé pour ce chat : le niveau décide.",
    },
    byYou: "tu l'as choisi",
    byChat: "c'est réglé pour ce chat",
    gone: (value) => `${value} avait été choisi et n'existe plus.`,
    hidden: (count, command) =>
      `${count} autres ne sont pas montrés : /${command} les trouve par une partie de leur nom.`,
    how: (command) =>
      `/${command} <nom> choisit pour toi, /${command} <nom> chat pour tout le monde ici, /${command} default l'annule.`,
    notHere: "Tu n'as pas le droit de le changer ici.",
    adminsHere: "Tu n'as pas le droit de le changer ici : un admin le peut.",
    replacesYours: (model) => `Cela remplace ton propre modèle, ${model}.`,
    replacesChats: (model) => `Cela remplace le modèle du chat, ${model}.`,
    yoursFirst: (value) => `Pour toi, ton propre choix, ${value}, passe toujours en premier.`,
    noTier: (typed, tiers) => `Le niveau ${typed} n'existe pas. Il y a : ${tiers} et default.`,
    noModel: (typed) => `Le modèle ${typed} n'existe pas.`,
    several: (typed, models) => `${typed} peut désigner plusieurs modèles : ${models}.`,
    thereAre: (names) => `Il y a : ${names}.`,
    didYouMean: (name) => `Voulais-tu dire ${name} ?`,
    andMore: (names, count) => `${names} et ${count} de plus`,
    order: (models) => `Interrogés dans cet ordre : ${models}.`,
    sameAs: (tier, same) => `${tier} : ici la même chose que ${same}`,
  },

  settings: {
    heading: "Dans ce chat :",
    how: "/settings <nom> <valeur> en change un, /settings <nom> default l'annule.",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <valeur> le change.`
        : `/settings ${name} <valeur> le change : ${expected}.`,
    isDefaultAgain: (name, value) => `${name} est de nouveau comme d'habitude : ${value}.`,
    cannotBe: (name, typed, expected) => `${name} ne peut pas être ${typed} : ${expected}.`,
    isNow: (name, value) => `${name} est maintenant ${value} dans ce chat.`,
    noneChosen: (kind) => `${kind} : aucun choix (voir /${kind})`,
    yourChoice: (kind, value) => `${kind} : ${value} (ton propre choix ; voir /${kind})`,
    chatsChoice: (kind, value) => `${kind} : ${value} (réglé pour ce chat ; voir /${kind})`,
    default: (name, value) => `${name} : ${value} (par défaut)`,
    own: (name, value, fallback) =>
      `${name} : ${value} (réglé pour ce chat ; par défaut : ${fallback})`,
    adminsOnly: (name) => `Tu n'as pas le droit de changer ${name} : un admin le peut.`,
    adminsInGroups: (name) =>
      `Tu n'as pas le droit de changer ${name} dans un groupe : un admin le peut.`,
    which: "Quel réglage ?",
    unknown: (typed) => `Le réglage ${typed} n'existe pas.`,
    expectedCount: (min, max) => `il faut un nombre entier de ${min} à ${max}`,
    expectedDuration: "il faut une durée comme 15m ou 24h",
    expectedUsd: "il faut des dollars américains, comme 5usd",
    orOff: (expected) => `${expected}, ou off`,
    expectedOther: "il faut autre chose",
    expectedWords: (words) => `attendu : ${words} ou default`,
  },

  activation: {
    direct: "Ici, tu es seul à m'écrire : je réponds à tout.",
    mention: "Je réponds à qui me mentionne, me répond ou envoie une commande.",
    always: "Je réponds à tous les messages de ce groupe.",
    how: "/activation mention ou /activation always le change.",
    telegramHint:
      "Pour cela, je dois voir tous les messages : fais de moi un admin de ce groupe, ou désactive mon mode privé auprès de @BotFather.",
    discordHint:
      "Pour cela, je dois voir tous les messages : la personne qui m'exploite active discord.messageContent.",
    unknown: (typed) => `/activation accepte mention ou always, pas ${typed}.`,
  },

  language: {
    name: "Français",
    isNow: "Je te parle maintenant en français.",
    isAuto: "Je te parle comme ton application le dit : en français.",
    is: "Je te parle en français, parce que tu l'as choisi.",
    how: (codes) => `/language <${codes}> change cela, /language auto suit ton application.`,
    unknown: (typed, codes) => `Je n'ai pas la langue ${typed}. Il y a : ${codes} et auto.`,
    notAnonymously: "Tu écris anonymement : une langue à toi n'est donc pas permise.",
  },

  status: {
    idle: "Rien n'est en cours.",
    queued: "J'attends un worker libre.",
    running: "Je travaille.",
    waiting: "J'attends que quelqu'un approuve ou refuse.",
    auto: (step, of) => `/auto : tour ${step} sur ${of}. /stop y met fin.`,
    queue: (count) => `Messages en attente : ${count}.`,
    model: (models) => `Modèle : ${models}.`,
    tier: (tier) => `Niveau : ${tier}.`,
    noTier: "Niveau : balanced, ou un autre quand un message en a besoin.",
    remembered: (count) => `Entrées dans cette conversation : ${count}.`,
  },

  approvals: {
    none: "Rien n'attend d'approbation dans ce chat.",
    heading: (count) =>
      `${counted(count, { one: "appel attend", other: "appels attendent" })} une approbation :`,
    askedFor: (person) => `pour ${person}`,
    expiresIn: (time) => `expire dans ${time}`,
    more: (count) => `Et ${count} de plus.`,
    hiddenValues: (tool) => `Valeurs masquées de ${tool} :`,
    nothingHidden: "Rien n'y est masqué.",
  },

  decisions: {
    otherChat: "Ce bouton n'est pas de ce chat, ou il est trop ancien.",
    otherMessage: "Ce bouton n'est pas de ce message.",
    notAllowed: (who) => `Tu n'as pas le droit d'en décider : ${who} le peut.`,
    anAdmin: "un admin",
    orAnAdmin: (name) => `${name} ou un admin`,
    anOwner: "un propriétaire",
    aMember: "n'importe quel membre",
    both: (one, other) => `${one} et ${other}`,
    counted: "Compté : 1 sur 2. Une autre personne doit aussi approuver.",
    countedBefore: "Tu l'as déjà approuvé. Une autre personne doit aussi approuver.",
    approved: "Approuvé.",
    denied: "Refusé.",
    approvedOf: (done, of) => `Approuvés : ${done} sur ${of}.`,
    deniedOf: (done, of) => `Refusés : ${done} sur ${of}.`,
    approvedBy: (name) => `Approuvé par ${name}.`,
    deniedBy: (name) => `Refusé par ${name}.`,
    deniedBecause: (name, reason) => `Refusé par ${name} : ${reason}`,
    undecided: "Expiré : personne n'a décidé à temps, c'est donc refusé.",
    expired: "Ceci a expiré.",
    tooLate: "Cela a pris trop de temps et ne compte pas. Appuie encore une fois, s'il te plaît.",
    tooOld: "Ce bouton est trop ancien.",
    already: {
      pending: "Ce n'est pas encore décidé.",
      approved: "C'est déjà approuvé.",
      denied: "C'est déjà refusé.",
      expired: "Ceci a expiré.",
      superseded: "C'est déjà remplacé.",
      cancelled: "C'est déjà annulé.",
      changed: "C'est déjà modifié : la carte plus récente, plus bas, pose la question.",
    },
    changed: "Modifié. L'appel est montré à nouveau, pour être approuvé ainsi.",
    changedBy: (name) => `Modifié par ${name} : la question est reposée plus bas.`,
    alreadyChangedBy: (name) =>
      `${name} a déjà modifié cela : la carte plus récente, plus bas, pose la question.`,
    alreadyApprovedBy: (name) => `C'est déjà approuvé par ${name}.`,
    alreadyDeniedBy: (name) => `C'est déjà refusé par ${name}.`,
    superseded: "Pas exécuté : remplacé par un message plus récent.",
    stopped: "Pas exécuté : arrêté.",
    unknownId: (id) =>
      `Aucune approbation ${id} n'attend ici. /approvals montre celles qui attendent.`,
    whichCard:
      "Je ne sais pas à quoi cela répond. Réponds à la carte, touche un de ses boutons ou envoie /approve <id> ou /deny <id>. /approvals montre les ID.",
    noCall: (typed, command) =>
      `Cette carte n'a pas d'appel ${typed}. Indique un de ses appels par son numéro : /${command} <id> 1. /approvals montre ce qui attend.`,
    which: (command) =>
      `Plusieurs approbations attendent ici : /approvals les montre, /${command} <id> en choisit une.`,
  },

  cards: {
    approve: "Approuver",
    deny: "Refuser",
    approveAll: "Tout approuver",
    denyAll: "Tout refuser",
    because: (outcome, reason) => `${outcome} : ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "jour", other: "jours" }),
    },
    characters: (count) => grouped(count, { one: "caractère", other: "caractères" }),
    needed: (tool) => `Approbation nécessaire : ${tool}`,
    neededFor: (count) =>
      `Approbation nécessaire pour ${counted(count, { one: "appel", other: "appels" })} :`,
    calls: (count) => `${counted(count, { one: "appel", other: "appels" })} :`,
    about: (sentence) => `« ${sentence} »`,
    noArguments: "Aucun argument.",
    secretsHidden: (id) =>
      `Les secrets sont masqués en partie (••••). \`/approvals ${id}\` te les montre en privé.`,
    showHidden: "Voir les valeurs masquées",
    lookalikes: (words) =>
      `Attention : des mots ont des lettres qui ressemblent à d'autres : ${words}.`,
    details: (call) => `Tout ce que ${call} recevrait :`,
    decides: (who) => `Décide : ${who}.`,
    twoDecide: (who) => `Deux personnes différentes doivent approuver : ${who}.`,
    firstOfTwo: (name) => `1 sur 2 : approuvé par ${name} ; il manque une autre personne.`,
    expiresAt: (moment) => `Expire : ${moment}.`,
    expiresIn: (duration) => `Expire dans ${duration}.`,
    typed: (id) => `Par texte : \`/approve ${id}\` ou \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Par texte : \`/approve ${id}\` pour tous, \`/approve ${id}.1\` pour le premier, et \`/deny\` de même.`,
    approved: (number) => `✓ ${number} approuvé`,
    approvedBy: (number, name) => `✓ ${number} approuvé par ${name}`,
    approvedFirst: (number, name) =>
      `… ${number} approuvé par ${name} ; il manque une autre personne`,
    denied: (number) => `✗ ${number} refusé`,
    deniedBy: (number, name) => `✗ ${number} refusé par ${name}`,
    expired: (number) => `✗ ${number} expiré : personne n'a décidé à temps`,
    superseded: (number) => `✗ ${number} pas exécuté : remplacé par un message plus récent`,
    stopped: (number) => `✗ ${number} pas exécuté : arrêté`,
    edit: "Modifier",
    allowFor: (span) => `Autoriser pendant ${span}`,
    changedNote: (name) => `${name} a modifié les arguments.`,
    changedNoteOfNobody: "Quelqu'un a modifié les arguments.",
    howToChange: (id) => `Pour le modifier d'abord : \`/edit ${id} nom=valeur\`.`,
    changed: (number) => `✎ ${number} modifié`,
    changedBy: (number, name) => `✎ ${number} modifié par ${name}`,
    erased: "Effacé.",
  },

  delivery: {
    nothingToShow: "(La réponse n'a rien qui puisse être montré.)",
    fileGone: "Le fichier n'est plus disponible.",
    fileRefused: "Désolé, le fichier n'a pas pu être envoyé ici.",
    goesOn: (fileName) =>
      `La suite de la réponse est dans le fichier ${fileName}, qui la contient en entier.`,
    sentAgain: "renvoyé : c'est peut-être déjà arrivé",
  },

  platform: {
    notAllowed: "Tu n'as pas le droit de faire ça.",
    tryAgain: "Désolé, ça n'a pas marché. Réessaie dans un instant, s'il te plaît.",
    notTaken: (errorId) => `Désolé, je n'ai pas pu prendre ce message. (${errorId})`,
    whatAboutThis: "Que peux-tu me dire à ce sujet ?",
  },

  telegram: {
    buttonIsGone: "Ce bouton ne marche plus.",
    fileIsGone: "Désolé, Telegram ne me donne pas ce fichier. Renvoie-le, s'il te plaît.",
    fileOutOfReach:
      "Désolé, je n'ai pas pu récupérer ce fichier chez Telegram. Renvoie-le plus tard, s'il te plaît.",
    fileTooLarge: (megabytes) =>
      `Ce fichier est trop volumineux : j'accepte des fichiers jusqu'à ${megabytes} Mo.`,
    cannot: {
      animation: "Désolé, je ne peux pas regarder les GIF. Envoie plutôt une image.",
      video:
        "Désolé, je ne peux pas regarder les vidéos. Envoie une image, ou le son en message vocal.",
      sticker: "Désolé, je ne vois pas les stickers. Envoie une image, ou écris-le.",
      paid_media:
        "Désolé, je ne peux pas ouvrir les médias payants. Dis-moi avec des mots de quoi il s'agit.",
      story: "Désolé, je ne peux pas ouvrir les stories. Dis-moi avec des mots de quoi il s'agit.",
      contact: "Désolé, je ne peux pas lire les contacts partagés. Écris ce que je dois en savoir.",
      venue: "Désolé, je ne peux pas lire les lieux partagés. Écris plutôt l'adresse.",
      location: "Désolé, je ne peux pas lire les positions partagées. Écris plutôt le lieu.",
      poll: "Désolé, je ne peux pas lire les sondages. Écris plutôt la question.",
      checklist:
        "Désolé, je ne peux pas lire les listes à cocher. Écris-la plutôt comme une liste.",
      dice: "Désolé, je ne peux pas jouer aux dés. Écris-moi.",
      game: "Désolé, je ne peux pas jouer. Écris-moi.",
      rich_message: "Désolé, je ne peux pas lire les messages enrichis. Envoie-le en texte simple.",
    },
    thisFile: "ce fichier",
    cannotReadPicture: (name) =>
      `Désolé, je ne peux pas lire l'image ${name}. Envoie-la comme photo, ou en JPEG, PNG, WebP ou GIF.`,
    cannotReadFile: (name) =>
      `Désolé, je ne peux pas lire ${name}. Je lis le texte, le code, CSV, JSON, PDF, les images et la voix.`,
  },

  discord: {
    admin: "Pour les admins de ce bot",
    unknownCommand: "Cette commande n'est plus disponible.",
    unknownAction: "Je ne peux rien en faire.",
    elsewhere:
      "Je ne peux répondre que dans un message privé avec moi, ou sur un serveur où je suis.",
    onlyUserInstall:
      "Je n'ai pas rejoint cet endroit et ne peux pas faire ça ici : utilise-le dans un message privé avec moi.",
    mayNotWrite: "Je n'ai pas le droit d'écrire dans ce salon, donc je ne peux pas répondre ici.",
    mayNotAttach:
      "Je n'ai pas le droit d'envoyer des fichiers dans ce salon, donc je ne peux pas le faire ici.",
    delayed:
      "Désolé, je ne peux pas prendre ça pour le moment. Je continue d'essayer et je répondrai ici.",
    unreadable: "Je n'ai pas pu lire ça. Réessaie, s'il te plaît.",
    done: "C'est fait.",
    doneBefore: "Je l'ai fait, mais ma réponse s'est perdue. Redemande si tu en as besoin.",
    tooLate:
      "Désolé, ma réponse est arrivée trop tard pour n'être montrée qu'à toi. Redemande, s'il te plaît.",
    askAboutThis: "Poser une question dessus",
    yourQuestion: "Ta question",
    forgotten:
      "Désolé, j'ai oublié de quel message il s'agissait. Choisis-le encore une fois, s'il te plaît.",
    about: (link) => `à propos de ${link}`,
    ask: "Pose-moi une question",
    askQuestion: "Ce que tu veux savoir ou faire faire",
    askFile: "Une image, un texte, un PDF ou un fichier audio",
    video: (name) =>
      `Je ne peux pas regarder les vidéos (${name}). J'accepte les images, les textes, les PDF et les fichiers audio.`,
    archive: (name) =>
      `Je ne peux pas ouvrir les archives (${name}). Envoie un par un les fichiers qu'elle contient.`,
    picture: (name) =>
      `Je ne vois pas les images de ce type (${name}). Envoie PNG, JPEG, GIF ou WebP.`,
    otherFile: (name) =>
      `Je ne peux pas lire les fichiers de ce type (${name}). J'accepte les images, les textes, les PDF et les fichiers audio.`,
    sticker: "Je ne vois pas les stickers. Dis-le avec des mots, s'il te plaît.",
    poll: "Je ne peux pas lire les sondages. Écris la question dans un message, s'il te plaît.",
    fileIsGone: (name) => `Désolé, Discord n'a plus ${name}. Renvoie-le, s'il te plaît.`,
    fileFailed: (name) =>
      `Désolé, je n'ai pas pu récupérer ${name} chez Discord. Renvoie-le, s'il te plaît.`,
    fileTooLarge: (name, megabytes) =>
      `${name} est trop volumineux. J'accepte des fichiers jusqu'à ${megabytes} Mo.`,
  },

  tools: {
    none: "Je ne peux utiliser aucun outil pour l'instant.",
    free: "Ceux-ci, je les utilise de moi-même :",
    asking: "Pour ceux-ci, je demande d'abord une approbation :",
    sometimes: "Pour ceux-ci, je demande une approbation quand c'est important :",
    more: (count) => `Et ${count} de plus.`,
  },

  todos: {
    none: "La liste de tâches est vide. Demande-moi quelque chose en plusieurs étapes et je les noterai ici.",
    heading: (done, total) => `Liste de tâches : ${done} sur ${total} terminées`,
  },

  usage: {
    heading: "Ce chat a consommé :",
    turns: (count) => `tours : ${count}`,
    modelCalls: (count) => `appels au modèle : ${count}`,
    inputTokens: (count) => `tokens en entrée : ${count}`,
    outputTokens: (count) => `tokens en sortie : ${count}`,
    about: (amount) => `environ ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "requête", other: "requêtes" })}, ${input} tokens en entrée et ${output} en sortie`,
    costUnknown: "coût inconnu",
    cost: (amount) => `coût : ${amount}`,
    unknown: "inconnu",
    andUnpriced: (amount) => `${amount}, plus ce dont le prix est inconnu`,
  },

  limits: {
    whose: {
      you: "pour toi",
      thisChat: "pour ce chat",
      everybody: "pour tout le monde ensemble",
    },
    role: (role) => `pour toi, avec le rôle ${role}`,
    platform: (platform) => `pour tout le monde sur ${platform}`,
    ofPerson: (person) => `de ${person}`,
    ofChat: (chat) => `du chat ${chat}`,
    hit: (limit, whose, used) =>
      `Une limite est atteinte : ${limit} (${whose}). Utilisé : ${used}.`,
    needs: (amount) => `Une réponse peut demander jusqu'à ${amount} : plus qu'il n'en reste.`,
    resets: (when) => `Elle repart de zéro ${when}.`,
    notKept: "Ce message n'est pas gardé.",
    nearly: (percent, limit, whose, used) =>
      `${percent} % d'une limite sont utilisés : ${limit} (${whose}). Utilisé : ${used}.`,
    slowDown: (limit) =>
      `Trop de commandes : la limite est de ${limit}. Elle repart de zéro en moins d'une minute.`,
    heading: "Ces limites valent pour toi dans ce chat :",
    none: "Aucune limite ne vaut pour toi dans ce chat.",
    used: (used, when) => `utilisé : ${used}, repart de zéro ${when}`,
    running: (count) => `en cours : ${count}`,
    setHeading: "Fixé depuis les chats :",
    more: (count) => `… et ${count} de plus`,
    ofTurn: "d'un tour",
    how: "/limits set <portée> <grandeur> <valeur> fixe une limite, /limits reset <portée> [grandeur] revient à ce que dit le fichier de l'opérateur.\nPortées : person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Valeurs : 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Tu n'as pas le droit de changer les limites : c'est réservé aux admins.",
    adminsOfAll: "Tu n'as pas le droit de changer cette limite : tu peux fixer celles de ce chat.",
    badAction: (typed) => `/limits ne sait pas ${typed} : attendu set, reset ou rien.`,
    badScope: (typed) =>
      `${typed} n'est pas une portée : attendu person, @name, un identifiant comme telegram:1, chat, chats, role:member, platform:telegram ou global.`,
    badMetric: (typed, metrics) => `${typed} ne peut pas être limité : attendu ${metrics}.`,
    badValue: (typed, metric, example, per) =>
      `${typed} n'est pas une limite de ${metric} : attendu par exemple ${example}, par ${per}, ou off.`,
    isNow: (scope, limit, before) =>
      `La limite pour ${scope} est maintenant ${limit}. Avant : ${before}. Elle vaut dès le prochain message.`,
    isReset: (scope, limit, before) =>
      `La limite pour ${scope} est de nouveau celle du fichier de l'opérateur : ${limit}. Avant : ${before}.`,
    notSet: "aucune",
    nothingSet: (scope) =>
      `Rien n'avait été fixé depuis un chat pour ${scope} : il n'y a rien à remettre.`,
    yoursToday: (used) => `Toi, aujourd'hui : ${used}.`,
    yoursThisMonth: (used) => `Toi, ce mois-ci : ${used}.`,
    allToday: (used) => `Tout le monde, aujourd'hui : ${used}.`,
    allThisMonth: (used) => `Tout le monde, ce mois-ci : ${used}.`,
    amounts: (messages, tokens, cost) =>
      `messages : ${messages}, tokens : ${tokens}, coût : ${cost}`,
  },

  whoami: {
    name: (name) => `Nom : ${name}`,
    id: (id) => `Identifiant : ${id}`,
    role: (role) => `Rôle : ${role}`,
    chat: (chat) => `Chat : ${chat}`,
    anonymous: "Tu écris anonymement : tu ne peux rien décider ici.",
    place: (place) => `Dans les listes de lieux : ${place}`,
    adminHere:
      "Tu administres ce groupe : pour ses réglages, ses approbations et ses limites, tu comptes ici comme admin.",
    may: {
      owner: "Ce bot est à toi : tu peux tout faire, et personne ne change cela depuis un chat.",
      admin:
        "Tu peux tout faire : me parler, décider de ce que je demande, changer les réglages et laisser entrer des gens.",
      member:
        "Tu peux me parler, décider de ce que je te demande et changer ce qui ne concerne que toi.",
      guest: "Tu peux me parler ici ; les membres décident de ce que je demande.",
      stranger: "Tu n'as pas encore le droit de me parler.",
      banned: "Tu n'as pas le droit de me parler.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Je ne connais personne du nom de ${typed}. Qui ne m'a jamais écrit doit être désigné par un identifiant comme telegram:12345.`,
    whom: (command) =>
      `De qui parles-tu ? Réponds à un de ses messages par /${command}, ou nomme la personne : /${command} @name, ou un identifiant comme telegram:12345.`,
    anonymous: (who) =>
      `${who} écrit anonymement, peut-être pour plusieurs : on ne peut pas lui donner de rôle.`,
    adminsOnly: "Tu n'as pas le droit de changer les rôles : un admin le peut.",
    ownersOnly:
      "Tu n'as pas le droit de faire cela : seuls les propriétaires nomment ou retirent des admins.",
    ownerStays: (who) =>
      `Tu n'as pas le droit de changer cela : ce bot est à ${who}, et aucune discussion n'y change rien.`,
    fileBans: (who) => `Les réglages de l'opérateur excluent ${who} : cela se change là-bas.`,
    fileAllows: (who) =>
      `Les réglages de l'opérateur laissent entrer ${who} : cela se change là-bas.`,
    isNow: (who, role) => `${who} a maintenant le rôle ${role}.`,
    isAlready: (who, role) => `${who} a déjà le rôle ${role}.`,
    banned: (who) => `${who} n'a plus le droit d'utiliser ce bot.`,
    unbanned: (who) => `${who} n'est plus exclu.`,
    notBanned: (who) => `${who} n'est pas exclu.`,
    noRole: (typed) => `${typed} n'est pas un rôle qui se donne : il faut admin, member ou guest.`,
    whichRole: "Quel rôle ? Il y a admin, member et guest.",
    placeAllowed: (place) =>
      `Tout le monde dans ${place} peut maintenant me parler. Qui n'a pas de rôle à soi y est invité.`,
    placeBanned: (place) =>
      `Je me tais maintenant dans ${place}. Ce que disent les admins, je l'entends encore.`,
    placeCleared: (place) => `Plus rien n'est fixé pour ${place}.`,
    placeNotSet: (place) => `Rien n'avait été fixé pour ${place} depuis une discussion.`,
    noPlace: "C'est une discussion à deux : nomme plutôt la personne.",
    noServer: "Il n'y a pas de serveur Discord ici.",
    owners: "Propriétaires :",
    admins: "Administration :",
    noneNamed: "Personne n'est nommé.",
    terminal: "Qui est au terminal où je tourne est aussi mon propriétaire.",
  },

  export: {
    adminsOnly: "Tu n'as pas le droit d'exporter ce qu'un groupe a dit : seul un admin le peut.",
    badFormat: (typed) =>
      `${typed} n'est pas un format de /export : attendu json, markdown ou rien.`,
    full: "Désolé, trop de choses attendent d'être envoyées dans ce chat. Réessaie plus tard, s'il te plaît.",
    nothing: "Il n'y a rien à exporter : nous n'avons encore rien dit.",
    done: (entries) => `Tout ce que nous avons dit, ${entriesOf(entries)}, est dans le fichier.`,
    doneIn: (entries, files) =>
      `Tout ce que nous avons dit, ${entriesOf(entries)}, est dans ${files} fichiers.`,
    shown: "Tout le monde ici peut le voir.",
  },

  forget: {
    notAnonymously:
      "Tu n'as pas le droit d'effacer quoi que ce soit au nom d'un groupe ou d'un canal.",
    inPrivateOnly: "Ce n'est pas permis ici : écris-moi /forget me dans notre chat privé.",
    adminsOnly:
      "Tu n'as pas le droit d'effacer ce chat : dans un groupe, les admins le peuvent. /forget me dans notre chat privé efface ce que tu as écrit ici.",
    badScope: (typed) =>
      `Je peux effacer chat (tout ce chat) ou me (tout ce que je garde de toi), pas ${typed}.`,
    badCode: (typed) =>
      `${typed} ne confirme rien : attendu yes- et quatre chiffres, comme je te les ai donnés.`,
    yes: { chat: "Oui, effacer ce chat", me: "Oui, tout effacer" },
    confirm: (confirmation) =>
      `Pour confirmer, utilise le bouton ou envoie ${confirmation} dans les 5 minutes.`,
    explained: {
      chat: "Cela efface pour de bon tout ce que je garde de ce chat : ce qui a été dit, les notes, les tâches, les réglages, la consommation, les fichiers et les archives. Ce que je fais ici s'arrête.\nLes messages restent dans l'application elle-même : toi seul peux les y supprimer.",
      me: "Cela efface pour de bon : tous tes chats privés avec moi, ton profil avec tes choix et ton rôle (il faudra peut-être te laisser entrer à nouveau) et, dans les groupes, ce que tu as écrit, ce que je t'ai répondu, tes raisons et tes changements quand tu as décidé pour d'autres, et là où j'ai repris tes mots. Ce que je fais pour toi s'arrête.\nLes notes et les tâches des groupes restent, car personne ne sait qui les a écrites ; de même ce que d'autres ont écrit sur toi et les messages dans l'application elle-même. Un bannissement reste, sans ton nom, et jusqu'à la fin du mois ce que tu as consommé.",
    },
    expired: (scope) =>
      `Cela ne confirme rien, ou a expiré : seule la personne qui a demandé peut confirmer, ici et dans les 5 minutes. Redemande avec /forget ${scope}.`,
    begun: "Un instant. Je le dirai quand tout sera effacé.",
    chatDone: "C'est fait : tout ce que je gardais de ce chat est effacé.",
    meDone: "C'est fait : tes chats privés avec moi et ton profil sont effacés.",
    meDoneWith: (groups) =>
      `C'est fait : tes chats privés avec moi et ton profil sont effacés, ainsi que ce que tu as écrit dans ${counted(groups, { one: "groupe", other: "groupes" })}.`,
    but: (count) =>
      `Mais je n'ai pas pu lire ou retirer ${counted(count, { one: "élément", other: "éléments" })} qui pourraient en faire partie : la personne qui m'exploite en trouve plus dans mon journal.`,
  },

  end: {
    modelCalls: (limit) =>
      `Je me suis arrêté ici : ce tour a atteint sa limite de ${counted(limit, { one: "appel au modèle", other: "appels au modèle" })}.`,
    toolExecutions: (limit) =>
      `Je me suis arrêté ici : ce tour a atteint sa limite de ${counted(limit, { one: "utilisation d'outil", other: "utilisations d'outils" })}.`,
    tokens: (limit) =>
      `Je me suis arrêté ici : ce tour a atteint sa limite de ${counted(limit, { one: "token", other: "tokens" })}.`,
    cost: (limitUsd) =>
      `Je me suis arrêté ici : ce tour a atteint sa limite de coût de $${limitUsd}.`,
    deadline: (limitSeconds) =>
      `Je me suis arrêté ici : ce tour a atteint sa limite de ${counted(limitSeconds, { one: "seconde", other: "secondes" })} de travail.`,
    loop: "Je me suis arrêté ici, parce que je refaisais toujours la même chose sans avancer.",
    denied: "Je me suis arrêté ici, parce que ce que je voulais faire n'a pas été approuvé.",
    notAllowed: "Je me suis arrêté ici, parce que ce que je voulais faire n'est pas permis.",
    toolFailed: "Je me suis arrêté ici, parce qu'un outil a échoué.",
    cut: "Je me suis arrêté ici : la réponse a atteint la limite de longueur. Écris « continue » pour la suite.",
    cutEmpty:
      "Je me suis arrêté ici : j'ai atteint la limite de longueur avant de pouvoir répondre. Écris « continue » et je réessaierai.",
    downgraded: (tier) =>
      `Le budget est presque épuisé, un modèle moins cher a donc répondu (${tier}).`,
    poisoned: (errorId) =>
      `Désolé, j'ai dû abandonner ce message : le travail a échoué trois fois. Essaie autrement, s'il te plaît. (${errorId})`,
    stopped: "(arrêté)",
    interrupted: "(interrompu)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Désolé, le service du modèle a trop de requêtes en ce moment. (${errorId})`,
    overloaded: (errorId) => `Désolé, le service du modèle est surchargé. (${errorId})`,
    timeout: (errorId) => `Désolé, le modèle a mis trop de temps. (${errorId})`,
    network: (errorId) => `Désolé, le modèle est injoignable. (${errorId})`,
    "context-overflow": (errorId) =>
      `Désolé, cette conversation est trop longue pour le modèle ; /new en commence une nouvelle. (${errorId})`,
    "setup-too-long": (errorId) =>
      `Désolé, mes instructions et mes outils sont à eux seuls trop longs pour le modèle. Un admin peut raccourcir le prompt ou les outils, ou choisir un modèle avec une fenêtre de contexte plus grande. (${errorId})`,
    "turn-too-long": (errorId) =>
      `Désolé, cette demande est trop longue pour le modèle. Raccourcis-la ou envoie-la en plusieurs parties. (${errorId})`,
    auth: (errorId) => `Désolé, le service du modèle a refusé notre clé. (${errorId})`,
    "invalid-request": (errorId) =>
      `Désolé, le service du modèle a refusé la requête. (${errorId})`,
    refused: (errorId) => `Désolé, le modèle n'a pas voulu répondre. (${errorId})`,
    empty: (errorId) => `Désolé, le modèle a donné une réponse vide. (${errorId})`,
  },

  unreadable: {
    locked: "Il est protégé par un mot de passe.",
    damaged: "Le fichier est abîmé, ou n'est pas un PDF que je sais lire.",
    "too-complicated": "Le fichier est trop compliqué pour être lu.",
    failed:
      "Un problème est survenu pendant la lecture. Il n'y aura pas de nouvel essai automatique : renvoie-le ou utilise /retry.",
    pictures: "Il n'a pas de texte : ses pages sont sans doute des images.",
    empty: "Il ne contient pas de texte.",
    unknown: "Il est d'un type que je ne sais pas lire.",
    "no-transcription": "Je ne peux pas écouter les messages vocaux ici.",
    "not-transcribed": "Désolé, le message vocal n'a pas pu être transcrit.",
    silent: "On n'y entend personne.",
    gone: "Il n'est plus conservé : les fichiers sont gardés un jour.",
    refused: "Le fournisseur du modèle n'accepte pas cette image.",
  },

  exported: {
    title: "Conversation",
    asOf: (chat, time) => `La discussion ${chat}, telle qu'au ${time}.`,
    edited: (who, time) => `${who} a modifié un message, ${time}`,
    reading: "Texte de la pièce jointe",
    result: (number, tool) => `Résultat de l'appel ${number}, ${tool}`,
    failed: (kind) => `échec : ${kind}`,
    ended: (reason) => `Le tour s'est terminé : ${reason}`,
    reset: (time) => `Une nouvelle conversation, ${time}`,
    sawNothing: "À partir d'ici, le modèle n'a rien vu de ce qui se trouve plus haut.",
    auto: (step, of) => `Tour ${step} sur ${of} au plus, avec pour but :`,
    inAnswerTo: "En réponse à :",
    said: "Ce qui a été dit :",
    attached: (name, bytes) => `Pièce jointe : ${name}, ${bytes} octets`,
    cutOff: "interrompu",
    noted: "Ajouté en dessous par la plateforme :",
    thinking: "Réflexion :",
    answer: "Réponse :",
    call: (number, tool) => `Appel ${number} : ${tool}`,
    compaction: (strategy) => `Résumé : ${strategy}`,
    by: (model) => `par ${model}`,
    inPlaceOf: (from, to) =>
      `À partir d'ici, le modèle a vu ceci à la place des entrées ${from} à ${to}, qui figurent plus haut telles quelles :`,
    shortened: (entries) => `Il a vu ces résultats abrégés : ${entries}.`,
    undone: (time) => `Annulé, ${time}`,
    sawNothingOf: (from, to) =>
      `À partir d'ici, le modèle n'a rien vu des entrées ${from} à ${to}.`,
    notUndone: "Ce que ces appels ont fait n'a pas été annulé :",
  },

  console: {
    greeting:
      "Voici Parley. Écris quelque chose ; /help montre toutes les commandes, /quit termine.",
    notHandedOver: "Ceci n'a pas encore pu être transmis ; c'est gardé et sera réessayé.",
    questionIsOpen:
      "Une question d'une session précédente est encore ouverte : ton prochain message la remplace.",
    questionReplaced: "Ton message remplace la question ouverte.",
    interruptAgain: "Appuie encore une fois sur Ctrl-C pour quitter",
    file: (path) => `Fichier : ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `J'attends que ${person} approuve ou refuse quelque chose. Je m'occupe de ton message ensuite, dans ${minutesOf(minutes)} au plus tard.`,
    awaitsAdmin: (minutes) =>
      `J'attends qu'un admin approuve ou refuse quelque chose. Je m'occupe de ton message ensuite, dans ${minutesOf(minutes)} au plus tard.`,
    awaitsDecision: (minutes) =>
      `J'attends qu'on approuve ou refuse quelque chose ici. Je m'occupe de ton message ensuite, dans ${minutesOf(minutes)} au plus tard.`,
    brokeOff: (model) => `${model} s'est interrompu ; je redemande …`,
    shortening: "je raccourcis notre conversation …",
    shortened: (before, after) =>
      `J'ai raccourci notre conversation précédente : environ ${before} → ${after} tokens. Rien n'est supprimé ; /export a chaque mot.`,
    nothingToShorten: "Il n'y a encore rien à raccourcir.",
    nothingToUndo: "Il n'y a rien à annuler.",
    nothingToRetry: "Il n'y a rien à réessayer.",
    cannotRetry:
      "Je ne peux pas réessayer : ton message a été résumé entre-temps. Renvoie-le, s'il te plaît.",
    undone: "Annulé : je ne vois plus ton dernier message ni ce qui l'a suivi.",
    undoneOf: (person) =>
      `Annulé : je ne vois plus le dernier message de ${person} ni ce qui l'a suivi.`,
    staysDone: (tools) => `Mais ce qui a été fait reste fait : ${tools}.`,
    messageKept:
      "Tous les workers sont occupés ou arrêtés en ce moment. Ton message est gardé et recevra une réponse.",
    waitsForPlace: (limit) =>
      `Ton message attend : il y a autant de réponses en cours que la limite le permet (${limit}). J’y viendrai de moi-même.`,
    orderKept: (command) =>
      `Tous les workers sont occupés ou arrêtés en ce moment. Ton /${command} est gardé et sera exécuté.`,
  },

  edits: {
    refused: (why) =>
      `Cette modification ne peut pas être demandée : ${why} L'appel est redemandé tel qu'il était.`,
    refusedAndGone: (why) =>
      `Cette modification ne peut pas être demandée : ${why} L'appel tel qu'il était ne peut plus l'être non plus : il n'est pas exécuté.`,
    notJson: 'Ce n\'est pas du JSON : il faut un objet comme {"nom": "valeur"}.',
    unknownName: (name, known) => `Il n'y a pas d'argument ${name} ici. Attendu : ${known}.`,
    expected: (path, what) => `${path} : attendu ${what}.`,
    isMissing: (path) => `${path} manque.`,
    isHidden: (path) => `${path} est masqué ici : réécris-le en entier, ou laisse-le tel quel.`,
    keptHidden: (path) =>
      `${path} est masqué ici : seule la personne qui a demandé, ou un admin, peut modifier le reste en le gardant.`,
    same: "Cela ne change rien : ce sont les arguments que j'ai demandés.",
    tooLong: (count) => `C'est trop long : au plus ${count} caractères.`,
    how: "Que faut-il modifier ? /edit <id> nom=valeur, ou du JSON avec tous les arguments. Tu peux aussi répondre ainsi à la carte.",
    which: "Quel appel ? Commence par son numéro : 2 nom=valeur.",
    title: "Modifier les arguments",
    asJson: "Tous les arguments, en JSON",
    noForm:
      "Ces arguments ne tiennent pas dans un formulaire. Réponds à la carte par nom=valeur, ou par du JSON qui les contient tous.",
    types: {
      string: "un texte",
      number: "un nombre",
      integer: "un nombre entier",
      boolean: "true ou false",
      object: "un objet JSON",
      array: "une liste JSON",
      null: "null",
    },
    oneOf: (choices) => `l'un de ${choices}`,
  },

  grants: {
    none: "Dans ce chat, rien ne s'exécute sans demander : personne ne l'a autorisé.",
    heading: "Ce qui s'exécute dans ce chat sans demander :",
    exactly: (given) => `avec exactement ${given}`,
    alike: (given) => `avec tout argument comme ${given}`,
    lasts: (span) => `encore ${span}`,
    allowedBy: (name) => `autorisé par ${name}`,
    onlyFor: (name) => `seulement quand ${name} demande`,
    howTo: "/grants revoke <numéro> retire une permission.",
    revoked: (tool) => `Retiré : je redemanderai avant d'utiliser ${tool} ainsi.`,
    noSuch: (number) => `Il n'y a pas de numéro ${number} ici. /grants montre ce qu'il y a.`,
    notYours: "Seul un admin, ou la personne qui l'a autorisé, peut le retirer.",
    given: (span) =>
      `Approuvé. Pendant ${span}, le même appel s'exécute sans demander ; /grants retire cela.`,
    givenAny: (span, tool) =>
      `Approuvé. Pendant ${span}, ${tool} s'exécute sans demander avec tout argument de ce genre ; /grants retire cela.`,
    off: "L'opérateur veut que cela soit demandé à chaque fois.",
    atMost: (span) => `Au plus ${span} : l'opérateur ne laisse pas valoir plus longtemps.`,
    noSpan: (typed) => `${typed} n'est pas une durée. Attendu : 30m, 2h.`,
    adminsAny: "Seuls les admins peuvent autoriser d'autres arguments que ceux-ci.",
    full: "Approuvé. Rien de plus ne peut être autorisé dans ce chat : /grants montre ce qui l'est, et le retire.",
    one: "Quel appel ? /approve <id>.<numéro> always en autorise un.",
  },

  pause: {
    kept: "Ce bot est en pause. Ton message est gardé et aura sa réponse quand il reprendra.",
    halted: "J'ai dû m'arrêter : un admin a mis ce bot en pause. Redemande quand il reprendra.",
    scopes: {
      all: "tout",
      telegram: "les discussions de Telegram",
      discord: "les discussions de Discord",
      console: "le terminal",
    },
    begun: (what) =>
      `En pause : ${what}. Aucun nouveau tour ne commence, et ceux en cours vont à leur terme. /resume y met fin.`,
    begunNow: (what) =>
      `En pause : ${what}. Aucun nouveau tour ne commence, et ceux en cours sont arrêtés. /resume y met fin.`,
    ended: (what) => `Ça reprend : ${what}. Ce qui attend aura sa réponse dans quelques secondes.`,
    notPaused: (what) => `Pas en pause : ${what}.`,
    stillAll: "Tout est encore en pause : /resume all y met fin.",
    unknown: (typed) => `${typed} n'est rien de cela : all, telegram, discord, console, now.`,
    since: (moment) => `En pause depuis ${moment}.`,
    sinceOf: (what, moment) => `En pause depuis ${moment} : ${what}.`,
  },

  audit: {
    itself: "Parley lui-même",
    heading: (count) =>
      `Le plus récent du journal d'audit, ${counted(count, { one: "ligne", other: "lignes" })}, heures en UTC :`,
    none: "Rien de tel dans le journal d'audit.",
    part: "Je n'ai regardé que les 20 000 lignes les plus récentes ; /audit export les a toutes.",
    unknown: (typed, kinds) =>
      `${typed} n'est ni un nombre, ni une personne, ni un genre. Genres : ${kinds}.`,
    exported: (count) =>
      `Le journal d'audit, ${grouped(count, { one: "ligne", other: "lignes" })}, arrive en fichier dans notre discussion privée.`,
    actions: {
      "approval-decided": "a décidé d'une approbation",
      "approval-edited": "a changé les arguments d'une approbation",
      "values-shown": "a consulté les valeurs masquées d'une approbation",
      "grant-given": "a donné une permission durable",
      "grant-revoked": "a repris une permission durable",
      "limit-set": "a fixé une limite",
      "limit-reset": "a rétabli une limite",
      "role-set": "a donné un rôle",
      "pairing-decided": "a décidé d'un accès",
      paused: "a mis en pause",
      resumed: "a repris",
      "setting-changed": "a changé un réglage",
      broadcast: "a écrit à toutes les discussions",
      "erasure-asked": "a demandé un effacement",
      "attempt-denied": "a été refusé",
      "tool-executed": "a fait tourner un outil",
    },
  },

  stats: {
    spent: (messages, tokens, cost) =>
      `${grouped(messages, { one: "message", other: "messages" })}, ${grouped(tokens, { one: "jeton", other: "jetons" })}, ${cost}`,
    chats: (today, thisMonth) =>
      `Discussions qui ont écrit : environ ${today} aujourd'hui, ${thisMonth} ce mois-ci`,
    today: (spent) => `Aujourd'hui : ${spent}`,
    thisMonth: (spent) => `Ce mois-ci : ${spent}`,
    turns: (active, waiting) => `Tours : ${active} en cours, ${waiting} en attente`,
    deliveries: (waiting) => `Envois : ${waiting} en attente`,
    deadLetters: (count) => `Messages abandonnés : ${count}`,
    running: (version, span) => `Parley ${version}, en marche depuis ${span}`,
  },

  broadcast: {
    asks: (count) => `Ceci part à ${counted(count, { one: "discussion", other: "discussions" })} :`,
    asksMore: (count) =>
      `Ceci part à plus de ${counted(count, { one: "discussion", other: "discussions" })} :`,
    yes: "Envoyer",
    confirm: (command) => `Appuie sur le bouton ou envoie ${command} dans les 5 minutes.`,
    begun: "C'est parti. Je dis quand toutes les discussions l'ont.",
    done: (count) =>
      `Ton message est parti à ${counted(count, { one: "discussion", other: "discussions" })}.`,
    nobody: "Il n'y a encore aucune discussion où l'envoyer.",
    tooLong: (length, limit) => `Cela fait ${length} caractères ; j'en accepte ${limit} au plus.`,
    expired: "Cela ne confirme rien, ou a expiré : redemande avec /broadcast.",
  },
};
