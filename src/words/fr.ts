import { countedIn, groupedIn } from "./counted.ts";
import type { Words } from "./words.ts";

const counted = countedIn("fr");
const grouped = groupedIn("fr");
const turns = (count: number): string =>
  counted(count, { one: "tour", other: "tours" });
const waitingMessages = (count: number): string =>
  counted(count, {
    one: "message en attente abandonné",
    other: "messages en attente abandonnés",
  });
const entriesOf = (count: number): string =>
  counted(count, { one: "entrée", other: "entrées" });
const minutesOf = (count: number): string =>
  counted(count, { one: "minute", other: "minutes" });

export const fr: Words = {
  door: {
    notAllowed: "Tu n'as pas le droit d'utiliser ce bot.",
    adminsOnly: (command) =>
      `Tu n'as pas le droit d'utiliser /${command} : c'est réservé aux admins.`,
    noCommand: (command) =>
      `La commande /${command} n'existe pas. /help les montre toutes.`,
    wroteNothing: "Tu n'as rien écrit. Que puis-je faire pour toi ?",
    tooLong: (length, limit) =>
      `Ce message a ${length} caractères ; j'en accepte jusqu'à ${limit}. Envoie-le en plusieurs parties.`,
    full: "Trop de messages attendent dans ce chat. Celui-ci n'est pas gardé : renvoie-le plus tard, s'il te plaît.",
    notKept: (errorId) =>
      `Désolé, mon stockage est plein. Ton message n'est pas gardé : renvoie-le plus tard, s'il te plaît. (${errorId})`,
    notDone: (errorId) =>
      `Désolé, mon stockage est plein : je ne peux pas faire ça maintenant. Réessaie plus tard, s'il te plaît. (${errorId})`,
    tapTooOld: "Ce bouton n'est pas à moi, ou il est trop ancien.",
    tapTooLate:
      "C'est arrivé trop tard. Appuie encore une fois, s'il te plaît.",
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
    tooMany: (count, limit) =>
      `Ce message a ${count} fichiers ; j'en accepte jusqu'à ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} est trop volumineux : ${megabytes} Mo. J'accepte des fichiers jusqu'à ${limit} Mo.`,
    empty: (name) => `${name} est vide.`,
  },

  inPrivate: {
    askThere: "C'est privé : écris-moi directement et demande là-bas.",
    full: "Désolé, trop de choses attendent déjà de t'être envoyées en privé. Réessaie plus tard, s'il te plaît.",
    answered: "Je t'ai répondu en privé.",
    writeFirst:
      "Si rien n'est arrivé, écris-moi une fois directement et redemande.",
    askedIn: (group) =>
      `Tu as demandé dans le groupe ${group} ; « ce chat », c'est ce groupe :`,
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
      `${typed} n'est ni un code de 8 lettres et chiffres ni un identifiant comme telegram:12345.`,
    adminsDecide: "Tu n'as pas le droit d'en décider : un admin le peut.",
  },

  start: {
    youAreAdmin:
      "Tu es maintenant admin de ce bot. /help montre ce que tu peux faire.",
    hello: (place) =>
      `Je réponds aux questions ${place} : écris-moi, c'est tout.`,
    places: {
      telegram: "ici sur Telegram",
      discord: "ici sur Discord",
      console: "dans ce terminal",
    },
    tools: (count) =>
      `Je peux utiliser ${counted(count, { one: "outil", other: "outils" })} (voir /tools). Ce qui demande une approbation, je ne le fais qu'une fois que tu as appuyé sur « Approuver ».`,
    noTools:
      "Ce qui demande une approbation, je ne le fais qu'une fois que tu as appuyé sur « Approuver ».",
    direct:
      "Ici je réponds à tout ; dans un groupe, mentionne-moi ou réponds-moi.",
    mention:
      "Dans ce groupe, je réponds à qui me mentionne, me répond ou envoie une commande.",
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

  menu: {
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
    approvals: { description: "Ce qui attend une approbation dans ce chat" },
    approve: {
      description: "Approuver ce que j'ai demandé",
      id: "Laquelle ; /approvals les montre",
    },
    deny: {
      description: "Refuser ce que j'ai demandé",
      id: "Laquelle ; /approvals les montre",
      reason: "Pourquoi ; on me le dira",
    },
    tools: {
      description: "Ce que je peux utiliser, et ce qui demande d'abord",
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
    role: { description: "Ton rôle et ce qu'il te permet" },
    allow: {
      description: "Laisser entrer quelqu'un",
      code: "Le code que le bot a donné, ou un identifiant comme telegram:12345",
    },
  },

  control: {
    full: "Trop de messages attendent dans ce chat : il y a une limite. Réessaie plus tard, s'il te plaît.",
    begun: "Un instant.",
    dropped: (count) => `${waitingMessages(count)}.`,
    nothingToStop: "Il n'y a rien à arrêter.",
    stopped: "Arrêté.",
    stoppedAndDropped: (count) => `Arrêté, et ${waitingMessages(count)}.`,
    newConversation:
      "Une nouvelle conversation : je ne vois plus ce que nous avons dit avant.",
  },

  auto: {
    running: (step, of) =>
      `/auto travaille déjà à quelque chose, tour ${step} sur ${of}. /stop y met fin.`,
    begun: (of) =>
      of === 1
        ? `J'y travaille seul, pendant ${turns(of)}. /stop y met fin.`
        : `J'y travaille seul, pendant ${turns(of)} au plus. /stop y met fin.`,
    noGoal: "Quel est le but ? Écris /auto <but> [tours].",
    badTurns: (limit, typed) =>
      `/auto accepte de 1 à ${limit} tours, pas ${typed}.`,
    numberHint:
      "Si le nombre fait partie du but, écris le nombre de tours derrière.",
    goalTooLong: (length, limit) =>
      `Le but a ${length} caractères ; la limite est ${limit}.`,
    ended: (step) => `/auto s'arrête ici, après ${turns(step)}.`,
    done: (step) => `/auto a terminé, après ${turns(step)}.`,
    atLimit: (of) =>
      `/auto a atteint sa limite de ${turns(of)}. Renvoie /auto pour continuer.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Ton niveau est ${value} : ${reason}.`,
      chats: (value) => `Le niveau de ce chat est ${value}.`,
      yoursIsNow: (value) => `Ton niveau est maintenant ${value}.`,
      chatsIsNow: (value) => `Le niveau de ce chat est maintenant ${value}.`,
      yoursIsDefault: "Pour toi, c'est de nouveau le niveau habituel.",
      chatsIsDefault: "Pour ce chat, c'est de nouveau le niveau habituel.",
      notForChat:
        "Tu n'as pas le droit de choisir le niveau de ce chat : un admin le peut.",
      notAnonymously:
        "Tu écris anonymement : un niveau à toi n'est donc pas permis.",
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
      notForChat:
        "Tu n'as pas le droit de choisir le modèle de ce chat : un admin le peut.",
      notAnonymously:
        "Tu écris anonymement : un modèle à toi n'est donc pas permis.",
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
    yoursFirst: (value) =>
      `Pour toi, ton propre choix, ${value}, passe toujours en premier.`,
    noTier: (typed, tiers) =>
      `Le niveau ${typed} n'existe pas. Il y a : ${tiers} et default.`,
    noModel: (typed) => `Le modèle ${typed} n'existe pas.`,
    several: (typed, models) =>
      `${typed} peut désigner plusieurs modèles : ${models}.`,
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
    isDefaultAgain: (name, value) =>
      `${name} est de nouveau comme d'habitude : ${value}.`,
    cannotBe: (name, typed, expected) =>
      `${name} ne peut pas être ${typed} : ${expected}.`,
    isNow: (name, value) => `${name} est maintenant ${value} dans ce chat.`,
    noneChosen: (kind) => `${kind} : aucun choix (voir /${kind})`,
    yourChoice: (kind, value) =>
      `${kind} : ${value} (ton propre choix ; voir /${kind})`,
    chatsChoice: (kind, value) =>
      `${kind} : ${value} (réglé pour ce chat ; voir /${kind})`,
    default: (name, value) => `${name} : ${value} (par défaut)`,
    own: (name, value, fallback) =>
      `${name} : ${value} (réglé pour ce chat ; par défaut : ${fallback})`,
    adminsOnly: (name) =>
      `Tu n'as pas le droit de changer ${name} : un admin le peut.`,
    adminsInGroups: (name) =>
      `Tu n'as pas le droit de changer ${name} dans un groupe : un admin le peut.`,
    which: "Quel réglage ?",
    unknown: (typed) => `Le réglage ${typed} n'existe pas.`,
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
    how: (codes) =>
      `/language <${codes}> change cela, /language auto suit ton application.`,
    unknown: (typed, codes) =>
      `Je n'ai pas la langue ${typed}. Il y a : ${codes} et auto.`,
    notAnonymously:
      "Tu écris anonymement : une langue à toi n'est donc pas permise.",
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
  },

  decisions: {
    otherChat: "Ce bouton n'est pas de ce chat, ou il est trop ancien.",
    otherMessage: "Ce bouton n'est pas de ce message.",
    notAllowed: (who) => `Tu n'as pas le droit d'en décider : ${who} le peut.`,
    anAdmin: "un admin",
    orAnAdmin: (name) => `${name} ou un admin`,
    approved: "Approuvé.",
    denied: "Refusé.",
    approvedOf: (done, of) => `Approuvés : ${done} sur ${of}.`,
    deniedOf: (done, of) => `Refusés : ${done} sur ${of}.`,
    approvedBy: (name) => `Approuvé par ${name}.`,
    deniedBy: (name) => `Refusé par ${name}.`,
    deniedBecause: (name, reason) => `Refusé par ${name} : ${reason}`,
    undecided: "Expiré : personne n'a décidé à temps, c'est donc refusé.",
    expired: "Ceci a expiré.",
    tooLate:
      "Cela a pris trop de temps et ne compte pas. Appuie encore une fois, s'il te plaît.",
    tooOld: "Ce bouton est trop ancien.",
    already: {
      pending: "Ce n'est pas encore décidé.",
      approved: "C'est déjà approuvé.",
      denied: "C'est déjà refusé.",
      expired: "Ceci a expiré.",
      superseded: "C'est déjà remplacé.",
      cancelled: "C'est déjà annulé.",
    },
    alreadyApprovedBy: (name) => `C'est déjà approuvé par ${name}.`,
    alreadyDeniedBy: (name) => `C'est déjà refusé par ${name}.`,
    superseded: "Pas exécuté : remplacé par un message plus récent.",
    stopped: "Pas exécuté : arrêté.",
    unknownId: (id) =>
      `Aucune approbation ${id} n'attend ici. /approvals montre celles qui attendent.`,
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
    characters: (count) =>
      grouped(count, { one: "caractère", other: "caractères" }),
    needed: (tool) => `Approbation nécessaire : ${tool}`,
    neededFor: (count) =>
      `Approbation nécessaire pour ${counted(count, { one: "appel", other: "appels" })} :`,
    calls: (count) => `${counted(count, { one: "appel", other: "appels" })} :`,
    about: (sentence) => `« ${sentence} »`,
    noArguments: "Aucun argument.",
    secretsHidden: "Les secrets sont masqués : ••••.",
    details: (call) => `Tout ce que ${call} recevrait :`,
    decides: (who) => `Décide : ${who}.`,
    expiresAt: (moment) => `Expire : ${moment}.`,
    expiresIn: (duration) => `Expire dans ${duration}.`,
    typed: (id) => `Par texte : \`/approve ${id}\` ou \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Par texte : \`/approve ${id}\` pour tous, \`/approve ${id}.1\` pour le premier, et \`/deny\` de même.`,
    approved: (number) => `✓ ${number} approuvé`,
    approvedBy: (number, name) => `✓ ${number} approuvé par ${name}`,
    denied: (number) => `✗ ${number} refusé`,
    deniedBy: (number, name) => `✗ ${number} refusé par ${name}`,
    expired: (number) => `✗ ${number} expiré : personne n'a décidé à temps`,
    superseded: (number) =>
      `✗ ${number} pas exécuté : remplacé par un message plus récent`,
    stopped: (number) => `✗ ${number} pas exécuté : arrêté`,
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
    tryAgain:
      "Désolé, ça n'a pas marché. Réessaie dans un instant, s'il te plaît.",
    notTaken: (errorId) =>
      `Désolé, je n'ai pas pu prendre ce message. (${errorId})`,
    whatAboutThis: "Que peux-tu me dire à ce sujet ?",
  },

  telegram: {
    buttonIsGone: "Ce bouton ne marche plus.",
    fileIsGone:
      "Désolé, Telegram ne me donne pas ce fichier. Renvoie-le, s'il te plaît.",
    fileOutOfReach:
      "Désolé, je n'ai pas pu récupérer ce fichier chez Telegram. Renvoie-le plus tard, s'il te plaît.",
    fileTooLarge: (megabytes) =>
      `Ce fichier est trop volumineux : j'accepte des fichiers jusqu'à ${megabytes} Mo.`,
    cannot: {
      animation:
        "Désolé, je ne peux pas regarder les GIF. Envoie plutôt une image.",
      video:
        "Désolé, je ne peux pas regarder les vidéos. Envoie une image, ou le son en message vocal.",
      sticker:
        "Désolé, je ne vois pas les stickers. Envoie une image, ou écris-le.",
      paid_media:
        "Désolé, je ne peux pas ouvrir les médias payants. Dis-moi avec des mots de quoi il s'agit.",
      story:
        "Désolé, je ne peux pas ouvrir les stories. Dis-moi avec des mots de quoi il s'agit.",
      contact:
        "Désolé, je ne peux pas lire les contacts partagés. Écris ce que je dois en savoir.",
      venue:
        "Désolé, je ne peux pas lire les lieux partagés. Écris plutôt l'adresse.",
      location:
        "Désolé, je ne peux pas lire les positions partagées. Écris plutôt le lieu.",
      poll: "Désolé, je ne peux pas lire les sondages. Écris plutôt la question.",
      checklist:
        "Désolé, je ne peux pas lire les listes à cocher. Écris-la plutôt comme une liste.",
      dice: "Désolé, je ne peux pas jouer aux dés. Écris-moi.",
      game: "Désolé, je ne peux pas jouer. Écris-moi.",
      rich_message:
        "Désolé, je ne peux pas lire les messages enrichis. Envoie-le en texte simple.",
    },
    thisFile: "ce fichier",
    cannotReadPicture: (name) =>
      `Désolé, je ne peux pas lire l'image ${name}. Envoie-la comme photo, ou en JPEG, PNG, WebP ou GIF.`,
    cannotReadFile: (name) =>
      `Désolé, je ne peux pas lire ${name}. Je lis le texte, le code, CSV, JSON, PDF, les images et la voix.`,
  },

  discord: {
    unknownCommand: "Cette commande n'est plus disponible.",
    unknownAction: "Je ne peux rien en faire.",
    elsewhere:
      "Je ne peux répondre que dans un message privé avec moi, ou sur un serveur où je suis.",
    mayNotWrite:
      "Je n'ai pas le droit d'écrire dans ce salon, donc je ne peux pas répondre ici.",
    mayNotAttach:
      "Je n'ai pas le droit d'envoyer des fichiers dans ce salon, donc je ne peux pas le faire ici.",
    delayed:
      "Désolé, je ne peux pas prendre ça pour le moment. Je continue d'essayer et je répondrai ici.",
    unreadable: "Je n'ai pas pu lire ça. Réessaie, s'il te plaît.",
    done: "C'est fait.",
    doneBefore:
      "Je l'ai fait, mais ma réponse s'est perdue. Redemande si tu en as besoin.",
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
    sticker:
      "Je ne vois pas les stickers. Dis-le avec des mots, s'il te plaît.",
    poll: "Je ne peux pas lire les sondages. Écris la question dans un message, s'il te plaît.",
    fileIsGone: (name) =>
      `Désolé, Discord n'a plus ${name}. Renvoie-le, s'il te plaît.`,
    fileFailed: (name) =>
      `Désolé, je n'ai pas pu récupérer ${name} chez Discord. Renvoie-le, s'il te plaît.`,
    fileTooLarge: (name, megabytes) =>
      `${name} est trop volumineux. J'accepte des fichiers jusqu'à ${megabytes} Mo.`,
  },

  tools: {
    none: "Je ne peux utiliser aucun outil pour l'instant.",
    free: "Ceux-ci, je les utilise de moi-même :",
    asking: "Pour ceux-ci, je demande d'abord une approbation :",
    sometimes:
      "Pour ceux-ci, je demande une approbation quand c'est important :",
    more: (count) => `Et ${count} de plus.`,
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

  whoami: {
    name: (name) => `Nom : ${name}`,
    id: (id) => `Identifiant : ${id}`,
    role: (role) => `Rôle : ${role}`,
    chat: (chat) => `Chat : ${chat}`,
    anonymous: "Tu écris anonymement : tu ne peux rien décider ici.",
    may: {
      admin:
        "Tu peux tout faire : me parler, décider de ce que je demande, changer les réglages et laisser entrer des gens.",
      member:
        "Tu peux me parler, décider de ce que je te demande et changer ce qui ne concerne que toi.",
      stranger: "Tu n'as pas encore le droit de me parler.",
      banned: "Tu n'as pas le droit de me parler.",
    },
  },

  export: {
    adminsOnly:
      "Tu n'as pas le droit d'exporter ce qu'un groupe a dit : seul un admin le peut.",
    badFormat: (typed) =>
      `${typed} n'est pas un format de /export : attendu json, markdown ou rien.`,
    full: "Désolé, trop de choses attendent d'être envoyées dans ce chat. Réessaie plus tard, s'il te plaît.",
    nothing: "Il n'y a rien à exporter : nous n'avons encore rien dit.",
    done: (entries) =>
      `Tout ce que nous avons dit, ${entriesOf(entries)}, est dans le fichier.`,
    doneIn: (entries, files) =>
      `Tout ce que nous avons dit, ${entriesOf(entries)}, est dans ${files} fichiers.`,
    shown: "Tout le monde ici peut le voir.",
  },

  forget: {
    notAnonymously:
      "Tu n'as pas le droit d'effacer quoi que ce soit au nom d'un groupe ou d'un canal.",
    inPrivateOnly:
      "Ce n'est pas permis ici : écris-moi /forget me dans notre chat privé.",
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
      me: "Cela efface pour de bon : tous tes chats privés avec moi, ton profil avec tes choix et ton rôle (il faudra peut-être te laisser entrer à nouveau) et, dans les groupes, ce que tu as écrit et ce que je t'ai répondu. Ce que je fais pour toi s'arrête.\nLes notes et les tâches des groupes restent, car personne ne sait qui les a écrites ; de même ce que d'autres ont écrit sur toi et les messages dans l'application elle-même. Un bannissement reste, sans ton nom.",
    },
    expired: (scope) =>
      `Cela ne confirme rien, ou a expiré : seule la personne qui a demandé peut confirmer, ici et dans les 5 minutes. Redemande avec /forget ${scope}.`,
    begun: "Un instant. Je le dirai quand tout sera effacé.",
    chatDone: "C'est fait : tout ce que je gardais de ce chat est effacé.",
    meDone:
      "C'est fait : tes chats privés avec moi et ton profil sont effacés.",
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
    denied:
      "Je me suis arrêté ici, parce que ce que je voulais faire n'a pas été approuvé.",
    notAllowed:
      "Je me suis arrêté ici, parce que ce que je voulais faire n'est pas permis.",
    toolFailed: "Je me suis arrêté ici, parce qu'un outil a échoué.",
    poisoned: (errorId) =>
      `Désolé, j'ai dû abandonner ce message : le travail a échoué trois fois. Essaie autrement, s'il te plaît. (${errorId})`,
    stopped: "(arrêté)",
    interrupted: "(interrompu)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Désolé, le service du modèle a trop de requêtes en ce moment. (${errorId})`,
    overloaded: (errorId) =>
      `Désolé, le service du modèle est surchargé. (${errorId})`,
    timeout: (errorId) => `Désolé, le modèle a mis trop de temps. (${errorId})`,
    network: (errorId) => `Désolé, le modèle est injoignable. (${errorId})`,
    "context-overflow": (errorId) =>
      `Désolé, cette conversation est trop longue pour le modèle ; /new en commence une nouvelle. (${errorId})`,
    auth: (errorId) =>
      `Désolé, le service du modèle a refusé notre clé. (${errorId})`,
    "invalid-request": (errorId) =>
      `Désolé, le service du modèle a refusé la requête. (${errorId})`,
    refused: (errorId) =>
      `Désolé, le modèle n'a pas voulu répondre. (${errorId})`,
    empty: (errorId) =>
      `Désolé, le modèle a donné une réponse vide. (${errorId})`,
  },

  turn: {
    awaits: (person, minutes) =>
      `J'attends que ${person} approuve ou refuse quelque chose. Je m'occupe de ton message ensuite, dans ${minutesOf(minutes)} au plus tard.`,
    awaitsAdmin: (minutes) =>
      `J'attends qu'un admin approuve ou refuse quelque chose. Je m'occupe de ton message ensuite, dans ${minutesOf(minutes)} au plus tard.`,
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
    orderKept: (command) =>
      `Tous les workers sont occupés ou arrêtés en ce moment. Ton /${command} est gardé et sera exécuté.`,
  },
};
