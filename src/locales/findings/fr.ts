import { countedIn, numberIn } from "../counted.ts";
import type { findingsEn } from "./en.ts";

const counted = countedIn("fr");
const n = numberIn("fr");

const dimensions = { one: "dimension", other: "dimensions" };
const outils = { one: "outil", other: "outils" };

export const findingsFr: typeof findingsEn = {
  checks: {
    machine: "Cette machine",
    httpPort: "Le port HTTP",
    page: "Le tableau de bord",
    processes: "La liste des processus",
    work: "Le travail en attente",
    schedules: "La liste des tâches planifiées",
    owners: "La liste des propriétaires",
    groups: "La liste des groupes refusés",
    backup: "La date de la dernière sauvegarde",
    personas: "Le dossier des personas",
    tools: "La liste des règles d'outils",
    skills: "La liste des compétences",
    model: (id) => `Le modèle ${id}`,
    embeddings: (model) => `Le modèle d'embeddings ${model}`,
    search: (provider) => `La recherche Web (${provider})`,
    mcp: (name) => `Le serveur MCP « ${name} »`,
  },
  late: {
    what: (check, seconds) => `${check} : aucune réponse en ${n(seconds)} s.`,
    why: "Ce qui se bloque ici se bloque aussi pour les personnes qui écrivent au bot.",
    fix: "Regarde son journal et le réseau entre cette machine et ce service, puis relance doctor.",
  },
  unexamined: {
    what: (check, cause) => `${check} : examen impossible (${cause})`,
    why: "On ne sait pas si ça fonctionne ; ce qui ne va pas ici peut aussi toucher les autres.",
    fix: "Corrige ce qu'indique le message, puis relance doctor. S'il n'indique rien de ton côté, signale-le comme un bug.",
  },
  machine: {
    oldNode: {
      what: (version) => `Node ${version} est trop ancien.`,
      why: (oldest) => `Parley a besoin de Node ${oldest} ou plus récent.`,
      fix: "npm ci (installe aussi Node 24)",
    },
    settings: (file) => `Les réglages sont corrects (${file}).`,
    noFile: "sans parley.yaml",
  },
  files: {
    closed: (path) => `Seul son propriétaire peut lire ${path}.`,
    open: (path, mode) =>
      `D'autres utilisateurs de cette machine peuvent lire ${path} (droits ${mode}).`,
    holdsSecrets: "Il contient des jetons et des clés.",
    mayBeShared: "C'est sans danger tant qu'il ne contient aucune clé.",
    noFolder: {
      what: (folder) => `${folder} n'existe pas encore.`,
      why: "Parley crée ce dossier à son premier démarrage ; PARLEY_DATA indique un autre endroit.",
    },
    folderClosed: (folder) =>
      `Les autres utilisateurs ne peuvent pas lire les données de ${folder}.`,
    folderOpen: {
      what: (folder, mode) =>
        `D'autres utilisateurs de cette machine peuvent ouvrir ${folder} (droits ${mode}).`,
      why: "Il contient des conversations.",
    },
    canWrite: (folder, freeMb) => `${folder} est accessible en écriture (${n(freeMb)} Mo libres).`,
    cannotWrite: {
      what: (folder, cause, freeMb) =>
        `Impossible d'écrire dans ${folder} : ${cause} (${n(freeMb)} Mo libres).`,
      why: "Le Redis de Parley refuse alors les messages, et il n'y a pas de journal.",
    },
    scarce: {
      what: (folder, freeMb) =>
        `Le disque de ${folder} est presque plein : ${n(freeMb)} Mo libres.`,
      why: "Une fois plein, plus rien n'est enregistré et personne ne reçoit de réponse.",
    },
    freeSpace: (folder) =>
      `Libère de l'espace : df -h ${folder} ; ou indique dans PARLEY_DATA un dossier d'un autre disque.`,
  },
  port: {
    free: (port) => `Le port ${port} est libre ; Parley l'utilise quand il tourne.`,
    ready: (url) => `Parley tourne et est prêt à l'adresse ${url}.`,
    notReady: {
      what: (url, answer) => `Parley tourne à l'adresse ${url}, mais n'est pas prêt : ${answer}`,
      why: "En attendant, il ne répond à personne.",
      fix: "Corrige ce qui est en panne par ailleurs ; son journal dit la même chose.",
    },
    taken: {
      what: (port, host) => `Un autre programme utilise le port ${port} de ${host}.`,
      why: (variable) => `Parley ne peut pas démarrer tant que le port de ${variable} est occupé.`,
      fix: (port, variable) =>
        `Arrête ce programme (ss -ltnp 'sport = :${port}'), ou choisis un autre port dans ${variable}.`,
    },
  },
  page: {
    free: (port) => `Le port ${port} est libre ; le tableau de bord y est quand Parley tourne.`,
    isAt: (url) => `Le tableau de bord est à l'adresse ${url}.`,
    reached: (url) => `Le tableau de bord est accessible à l'adresse ${url}.`,
    notOfRole: {
      what: (role) =>
        `PARLEY_PAGE_PORT est défini, mais le rôle ${role} n'a pas de tableau de bord.`,
      why: "Le tableau de bord fonctionne dans les rôles bots et all.",
      fix: "Définis-le là où PARLEY_ROLE vaut bots ou all.",
    },
    otherHost: {
      what: (url) => `Le proxy à l'adresse ${url} transmet un autre Host que le sien.`,
      why: "Les liens de /dashboard y mènent.",
      fix: "Fais-lui transmettre l'en-tête Host ; pour nginx : proxy_set_header Host $host;",
    },
    unreached: {
      what: (url, answer) =>
        `Depuis cette machine, le tableau de bord n'est pas accessible à l'adresse ${url} (${answer}).`,
      why: "Les liens de /dashboard y mènent.",
      fix: "Corrige PARLEY_PAGE_URL ou le proxy (docs/page.md). N'en tiens pas compte si seuls des navigateurs ailleurs doivent y accéder.",
    },
  },
  redis: {
    unknown: "inconnu",
    answers: (name, version) => `${name} répond (version ${version}).`,
    tooOld: {
      what: (name, version) => `${name} est en version ${version}.`,
      why: "Parley a besoin de commandes de Redis 6.2.",
      fix: "Installe Redis 6.2 ou plus récent (ou Valkey), ou retire REDIS_URL : Parley utilise alors le sien.",
    },
    replica: {
      what: (name) => `${name} est un réplica.`,
      why: "On ne peut rien y écrire.",
      fix: "Fais pointer REDIS_URL vers son serveur primaire.",
    },
    alsoInFile: (command) => `${command} (et la même chose dans redis.conf)`,
    evictsNothing: (name) => `${name} n'évince rien.`,
    mayEvict: {
      what: (name) => `${name} n'indique pas sa maxmemory-policy.`,
      why: "Avec toute autre valeur que noeviction, des messages se perdent quand la mémoire est pleine.",
    },
    evicts: {
      what: (name, policy) =>
        `${name} évince des clés quand la mémoire est pleine (maxmemory-policy ${policy}).`,
      why: "Des messages et des approbations seraient perdus ; Parley refuse de démarrer ainsi.",
    },
    writesAtOnce: (name) => `${name} écrit aussitôt chaque message sur le disque.`,
    noFile: {
      what: (name) => `${name} n'a pas de fichier append-only.`,
      why: "Ce qu'il a déjà reçu peut se perdre quand il s'arrête.",
    },
    writesLater: {
      what: (name, value) => `${name} a appendfsync ${value}.`,
      why: "Une coupure de courant peut faire perdre ce qui a été reçu en dernier.",
    },
    cannotWrite: {
      what: (name) => `${name} ne peut pas écrire sur son disque.`,
      why: "En attendant, il refuse tout : aucun message n'est enregistré, personne ne reçoit de réponse.",
      fix: "Libère de l'espace sur le disque de Redis (df -h), ou corrige les droits de son dossier ; il reprend ensuite tout seul.",
    },
    uses: (name, usedMb, limitMb) => `${name} utilise ${n(usedMb)} Mo sur ${n(limitMb)} Mo.`,
    usesOfUnknown: (name, usedMb) => `${name} utilise ${n(usedMb)} Mo ; la limite est inconnue.`,
    full: (name, usedMb, limitMb) =>
      `${name} utilise ${n(usedMb)} Mo sur ${n(limitMb)} Mo : sa mémoire est pleine.`,
    memory: {
      why: "Quand la mémoire est pleine, les nouveaux messages sont refusés.",
      fix: "Augmente maxmemory (redis-cli config set maxmemory 2gb), ou raccourcis retention.history et retention.traces dans parley.yaml.",
    },
  },
  clock: {
    agrees: (redis) => `L'horloge de cette machine concorde avec celle de ${redis}.`,
    here: {
      ahead: (seconds, redis) =>
        `L'horloge de cette machine avance de ${n(seconds)} s sur celle de ${redis}.`,
      behind: (seconds, redis) =>
        `L'horloge de cette machine retarde de ${n(seconds)} s sur celle de ${redis}.`,
      why: "Parley se règle sur l'horloge de Redis, mais le journal, TLS et les jetons se règlent sur celle-ci.",
      fix: "timedatectl set-ntp true (sur la machine dont l'horloge est fausse ; date l'affiche)",
    },
    elsewhere: {
      ahead: (host, process, seconds) =>
        `L'horloge de ${host} (processus ${process}) avance de ${n(seconds)} s sur celle de Redis.`,
      behind: (host, process, seconds) =>
        `L'horloge de ${host} (processus ${process}) retarde de ${n(seconds)} s sur celle de Redis.`,
      why: "Parley se règle sur l'horloge de Redis, mais le journal, TLS et les jetons de cette machine se règlent sur la sienne.",
      fix: (host) => `timedatectl set-ntp true (sur ${host})`,
    },
  },
  processes: {
    none: {
      what: "Parley ne tourne pas sur ce Redis.",
      why: "En attendant, personne ne reçoit de réponse.",
    },
    runs: (version, processes) => `Parley ${version} tourne : ${processes}.`,
    one: (role, process, host) => `${role} (processus ${process} sur ${host})`,
    versions: {
      what: (versions) => `Des processus de plusieurs versions tournent : ${versions}.`,
      why: "Ce n'est prévu que pour les quelques minutes d'une mise à jour.",
      fix: "Redémarre les plus anciens, dans l'ordre indiqué par docs/guides/upgrade.md.",
    },
    noneAnswers: {
      what: (role) => `Aucun processus avec le rôle ${role} ne tourne.`,
      why: "Les messages sont enregistrés, mais personne ne reçoit de réponse.",
    },
  },
  work: {
    nothingOverdue: "Rien n'est en retard.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "discussion ou approbation aurait dû être traitée", other: "discussions ou approbations auraient dû être traitées" })} il y a plus de 30 s.`,
      why: "Aucun processus ne s'en occupe, et des personnes attendent.",
      fix: "npm start (ou redémarre les processus bloqués)",
    },
    noneWaits: "Aucun message n'attend depuis longtemps.",
    waits: {
      what: (chat, span) => `Un message dans ${chat} attend depuis ${span}.`,
      why: "Le processus qui devrait répondre est bloqué, aucun ne tourne, ou tout est en pause.",
      fix: (chat) =>
        `npm run trace -- ${chat} ; npm run admin -- resume (en cas de pause) ; sinon, redémarre les processus.`,
    },
    delivered: "Toutes les réponses ont pu être envoyées.",
    undelivered: {
      what: (count) =>
        `${counted(count, { one: "message n'a pas pu être envoyé", other: "messages n'ont pas pu être envoyés" })}.`,
      why: "Il manque une réponse à quelqu'un.",
      reasons: (listed) => `Raisons : ${listed}`,
      reasonsOfSome: (count, listed) => `Raisons pour ${n(count)} d'entre eux : ${listed}`,
      fix: "npm run admin -- dead-letters (indique pourquoi ; ensuite dead-letters replay --all)",
    },
  },
  schedules: {
    nothingOverdue: "Aucune tâche planifiée n'est en retard.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "tâche planifiée aurait dû être déclenchée", other: "tâches planifiées auraient dû être déclenchées" })} il y a plus de deux minutes.`,
      why: "Aucun processus ne les déclenche, ou trop de messages attendent dans leurs discussions.",
      fix: "npm start (ou redémarre les processus bloqués)",
    },
    noneFailed: "Aucune tâche planifiée n'est en pause à cause d'échecs.",
    failed: {
      what: (count) =>
        `En pause après trois échecs de suite : ${counted(count, { one: "tâche planifiée", other: "tâches planifiées" })}.`,
      why: "Les personnes qui les ont créées le savent ; la cause est peut-être un modèle ou un outil que toutes utilisent.",
      fix: "Cherche leurs erreurs dans le journal, puis reprends-les dans leurs discussions avec /schedule.",
    },
    noneDead:
      "Aucune tâche planifiée n'est en pause parce que le bot ne peut plus écrire dans sa discussion.",
    dead: {
      what: (count) =>
        `En pause car le bot ne peut plus écrire dans leur discussion : ${counted(count, { one: "tâche planifiée", other: "tâches planifiées" })}.`,
      why: "Le bot en a été retiré, l'endroit a été supprimé ou la personne a bloqué le bot. Les personnes qui les ont créées ont été prévenues.",
      fix: "Ajoute de nouveau le bot : elles reprendront d'elles-mêmes. Sinon, supprime-les sur la page.",
    },
  },
  people: {
    owners: (owners) => `Propriétaires : ${owners}.`,
    noOwner: {
      what: "Le bot n'a pas de propriétaire.",
      why: "Personne ne peut donner accès à d'autres, décider de ce qui revient aux admins, ni voir ce qui est en panne.",
      fix: "Définis PARLEY_ADMINS=telegram:<ton ID> (ou discord:<ton ID>) dans .env.",
      fixByCode:
        "npm start affiche un code : envoie-le au bot en message privé sous la forme /start {code:CODE}. Ou définis PARLEY_ADMINS=telegram:<ton ID>.",
    },
    refusedGroup: {
      what: (group) => `Quelqu'un a été refusé dans le groupe ${group} ces dix dernières minutes.`,
      why: "Ni le groupe ni cette personne n'ont accès.",
      fix: (command, place) =>
        `Écris ${command} dans le groupe en tant qu'admin, ou ajoute ${place} à access.allow dans parley.yaml.`,
    },
  },
  backup: {
    age: (span) => `La dernière sauvegarde remonte à ${span}.`,
    nothingYet: "Il n'y a encore rien à sauvegarder.",
    old: {
      never: "Aucune sauvegarde n'est encore enregistrée.",
      why: "Les conversations, les rôles et les approbations ne sont que dans Redis.",
      fix: "Sauvegarde Redis (docs/guides/backup.md), puis : npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username) => `Telegram connaît le bot : ${username}.`,
    refused: {
      what: "Telegram n'accepte pas TELEGRAM_BOT_TOKEN.",
      why: "Parley ne peut pas démarrer avec ce jeton.",
      fix: "Ouvre @BotFather, envoie /token, choisis le bot, copie son jeton dans .env et redémarre Parley.",
    },
    unreachable: {
      what: (host, cause) => `Telegram est injoignable à l'adresse ${host} : ${cause}`,
      why: "Rien n'est reçu ni envoyé.",
      fix: (address) => `Vérifie que cette machine peut le joindre : curl -I ${address}`,
    },
    hasCommands: "Telegram affiche les commandes du bot.",
    noCommands: {
      what: "Telegram n'affiche pas les commandes actuelles du bot.",
      why: "Elles manquent dans le menu, mais fonctionnent quand même.",
    },
    readsGroups:
      "Dans les groupes, le bot peut lire tous les messages (mode confidentialité désactivé).",
    privacy: {
      what: "Le mode confidentialité est activé : dans les groupes, Telegram ne donne au bot que les commandes, les mentions et les réponses qui lui sont adressées.",
      why: "C'est bien ainsi, sauf si un groupe a /activation always.",
      fix: "@BotFather : /setprivacy, choisis le bot, Disable ; puis retire le bot du groupe et ajoute-le à nouveau.",
    },
    deaf: {
      what: (groups) =>
        `Le mode confidentialité est activé, alors que /activation always est actif dans ${groups}.`,
      why: "Telegram n'y donne au bot que les commandes, les mentions et les réponses qui lui sont adressées : tous les autres messages lui échappent.",
      fix: "Nomme le bot admin du groupe. Ou bien @BotFather : /setprivacy, choisis le bot, Disable ; puis retire le bot du groupe et ajoute-le à nouveau.",
    },
    maybeDeaf: {
      what: (groups) =>
        `Le mode confidentialité est activé et /activation always est actif dans ${groups}, mais il n'a pas été possible de vérifier si le bot y est admin.`,
      why: "S'il ne l'est pas, Telegram n'y donne au bot que les commandes, les mentions et les réponses qui lui sont adressées : tous les autres messages lui échappent.",
    },
    otherPoller: {
      what: "Un autre programme relève les messages avec ce jeton, et aucun processus de cette installation ne le fait.",
      why: "Telegram n'en sert qu'un : les messages arriveraient au hasard chez l'un ou l'autre.",
      fix: "Arrête l'autre programme, ou demande à @BotFather un jeton propre à celui-ci (/newbot).",
    },
    polls: "Parley relève les messages de Telegram, et aucun webhook ne l'en empêche.",
    canPoll:
      "Aucun webhook n'est défini : Parley pourra relever les messages de Telegram quand il tournera.",
    strayWebhook: {
      what: (host) =>
        `Un webhook est défini pour ce jeton (${host}), alors que Parley relève les messages lui-même.`,
      why: "Telegram y envoie les messages, et Parley n'en reçoit aucun pendant ce temps.",
      fix: "npm run doctor -- --fix (supprime le webhook ; le prochain démarrage de Parley le fait aussi)",
    },
    posts: (host) => `Telegram envoie à ${host}.`,
    lostWebhook: {
      unset: "Aucun webhook n'est défini, alors que telegram.mode vaut webhook.",
      elsewhere: (host) => `Le webhook mène à ${host}, pas à telegram.webhook.url.`,
      why: "Les messages de Telegram n'atteignent pas Parley.",
      fix: "npm start (le définit)",
    },
    failingWebhook: {
      what: (host, waiting, cause) =>
        `Telegram n'a pas pu envoyer à ${host} (mises à jour en attente : ${n(waiting)}) : ${cause}`,
      why: "Les messages attendent chez Telegram jusqu'à ce que ça marche.",
      fix: "Vérifie que telegram.webhook.url mène au port HTTP de Parley, avec un certificat reconnu par Telegram.",
    },
  },
  discord: {
    knows: (username, servers) =>
      `Discord connaît le bot : ${username}, sur ${counted(servers, { one: "serveur", other: "serveurs" })}.`,
    refused: {
      what: "Discord n'accepte pas DISCORD_TOKEN.",
      why: "Parley ne peut pas démarrer avec ce jeton.",
      fix: "Ouvre https://discord.com/developers/applications, page Bot, Reset Token, et copie-le dans .env.",
    },
    unreachable: {
      what: (cause) => `Discord est injoignable : ${cause}`,
      why: "Rien n'est reçu ni envoyé.",
      fix: "Vérifie que cette machine peut le joindre : curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "Le bot n'est sur aucun serveur.",
      why: "Personne ne peut le trouver.",
      fix: (link) => `Ouvre ${link}`,
    },
    lacks: {
      what: (server, permissions) =>
        `Sur le serveur « ${server} », il manque des permissions au bot : ${permissions}.`,
      why: "Il ne peut pas répondre à tout là-bas.",
      fix: (link) => `Donne ces permissions au rôle du bot, ou invite-le à nouveau : ${link}`,
    },
    noIntent: {
      what: "discord.messageContent vaut true, mais l'intent est désactivé dans le portail de Discord.",
      why: "Discord refuse la connexion.",
      fix: (link) => `Active Message Content Intent : ${link}`,
    },
    hasCommands: (count) =>
      `Discord affiche ${counted(count, { one: "commande", other: "commandes" })}.`,
    noCommands: {
      what: "Discord n'affiche aucune commande du bot.",
      why: "Elles sont enregistrées au démarrage de Parley.",
    },
  },
  model: {
    demo: {
      what: "C'est la démo intégrée qui répond : aucun modèle n'est configuré.",
      why: "Elle ne sait que répéter et compter.",
      fix: "Définis OLLAMA_MODEL, ou OPENAI_API_KEY et OPENAI_MODEL, dans .env.",
    },
    answers: (id, can) => `${id} répond : ${can}.`,
    can: {
      tools: "outils",
      noTools: "pas d'outils",
      pictures: "images",
      noPictures: "pas d'images",
      window: (tokens) => `fenêtre de ${n(tokens)} tokens`,
      price: (input, output) => `${input} / ${output} par million de tokens`,
    },
    noPrice: {
      what: (id) => `Le prix de ${id} est inconnu.`,
      why: "Son coût manque dans /usage et dans le tableau de bord.",
      whyLimits:
        "Les limites de coût ne comptent pas ce qu'il consomme, et ne l'arrêtent donc jamais.",
      fix: "Définis usdPerMillionTokens: { input: …, output: … } pour lui sous models dans parley.yaml ; les deux valent 0 s'il ne coûte rien.",
    },
    noTools: {
      what: (id) => `${id} ne sait pas utiliser d'outils.`,
      why: "Il ne peut rien chercher, rien calculer et rien retenir.",
      fix: "Choisis un modèle avec outils, ou définis tools: true pour lui sous models dans parley.yaml.",
    },
    brokenCalls: {
      what: (id, times) =>
        `${id} a mal utilisé ses outils ${n(times)} fois au cours des dernières 24 heures.`,
      why: "On n'a reçu que des excuses. Le plus souvent, le modèle ou son serveur écrit la demande comme du texte.",
      fix: "Active le parseur d'outils de son serveur (pour vLLM : --enable-auto-tool-choice --tool-call-parser), mets à jour son gabarit de chat, ou choisis un autre modèle.",
    },
    smallWindow: {
      what: (taken, window, id) =>
        `Le prompt et les outils prennent environ ${n(taken)} des ${n(window)} tokens de ${id}.`,
      why: "Il reste peu pour la conversation : elle est vite résumée et plus tôt oubliée.",
      fix: "Augmente contextWindow pour lui sous models dans parley.yaml, ou propose moins d'outils.",
    },
    failing: {
      why: "Au lieu d'une réponse, on ne reçoit que des excuses.",
      demo: "La démo",
      server: (host) => `Le serveur du modèle ${host}`,
      unknownHost: "à l'adresse configurée",
      unreachable: (server, id, cause) => `${server} ne répond pas, donc ${id} non plus : ${cause}`,
      refusesKey: (server, id, cause) => `${server} refuse la clé pour ${id} : ${cause}`,
      noCredit: (server, id, cause) =>
        `${server} accepte la clé pour ${id}, mais le compte n'a plus de crédit : ${cause}`,
      notPulled: (model) => `Ollama n'a pas ${model}.`,
      notServed: (server, model, cause) => `${server} ne propose pas ${model} : ${cause}`,
      busy: (server, id, cause) =>
        `${server} est surchargé ou a épuisé son quota, donc ${id} ne répond pas : ${cause}`,
      refused: (server, id, cause) => `${server} a refusé une requête à ${id} : ${cause}`,
    },
    fix: {
      startOllama: "Démarre-le (ollama serve), ou corrige OLLAMA_HOST.",
      start: "Démarre-le, ou corrige son adresse (OPENAI_BASE_URL, ou providers dans parley.yaml).",
      key: "Corrige OPENAI_API_KEY (ou apiKey du fournisseur dans parley.yaml).",
      login:
        "Corrige les identifiants dans OLLAMA_HOST (http://user:password@host), ou demande à la personne qui gère le serveur.",
      credit:
        "Recharge le compte sur la page de facturation du fournisseur, ou augmente la limite de dépenses de la clé.",
      pull: (model) => `Exécute : ollama pull ${model}`,
      name: "Remplace OPENAI_MODEL (ou tiers dans parley.yaml) par un modèle qu'il propose.",
      second: "Réessaie plus tard, ou ajoute un second modèle sous tiers dans parley.yaml.",
      seeLog: "Regarde son journal.",
    },
  },
  memory: {
    made: (model, count) => `${model} produit des embeddings (${counted(count, dimensions)}).`,
    failing: {
      what: (model, cause) => `${model} ne produit pas d'embeddings : ${cause}`,
      why: "Ce qui a été dit ne se retrouve que par mots-clés.",
      fix: "Regarde le journal du serveur, et memory.embeddings dans parley.yaml.",
      fixModel:
        "Remplace memory.embeddings dans parley.yaml par un modèle qui produit des embeddings.",
    },
    vectorsOf: (model, count) => `${model} (${counted(count, dimensions)})`,
    inChats: (vectors, chats) => `${vectors} dans ${n(chats)}`,
    stored: (vectors) => `Les vecteurs enregistrés sont de ${vectors}.`,
    otherStored: {
      what: (vectors, others) =>
        `Toutes les discussions n'ont pas de vecteurs de ${vectors}. Autres : ${others}.`,
      why: "En attendant qu'ils soient recalculés, on n'y cherche que par mots-clés.",
      fix: "Rien, si memory.embeddings a été changé exprès : les vecteurs d'une discussion sont recalculés après sa prochaine réponse.",
    },
  },
  search: {
    works: (provider) => `La recherche Web (${provider}) trouve des pages.`,
    fails: (cause) => `La recherche Web échoue : ${cause}`,
    findsNothing: "La recherche Web ne trouve rien.",
    why: "Le modèle ne peut rien chercher.",
    fix: {
      again: "Réessaie dans une minute ; si l'échec persiste, regarde l'état du fournisseur.",
      engines:
        "Regarde la page …/stats de SearXNG : les moteurs qu'il interroge le refusent peut-être.",
      start: "Démarre SearXNG, ou corrige webSearch.url.",
      address: "Corrige webSearch.url dans parley.yaml : autre chose répond à cette adresse.",
      json: "Ajoute json à search.formats dans le settings.yml de SearXNG (comme dans deploy/searxng).",
      login: "Mets dans webSearch.url une adresse sans identification.",
      account: (url) => `Vérifie la clé et son forfait sur ${url}.`,
    },
  },
  mcp: {
    offers: (name, tools) => `Le serveur MCP « ${name} » propose ${counted(tools, outils)}.`,
    partly: {
      what: (name, tools, more, problem) =>
        `Le serveur MCP « ${name} » propose ${counted(tools, outils)} ; inutilisables en plus : ${n(more)}. ${problem}`,
      why: "Le modèle ne voit pas les outils inutilisables.",
      fix: "Corrige ou mets à jour le serveur.",
    },
    failing: {
      what: (name, cause) => `Le serveur MCP « ${name} » est inutilisable : ${cause}`,
      why: "Le modèle n'a aucun de ses outils.",
      fixCommand: (setting, command) =>
        `Exécute sa commande à la main, et corrige ${setting} dans parley.yaml : ${command}`,
      fixUrl: (setting) => `Démarre-le, ou corrige ${setting} dans parley.yaml.`,
      fixHeaders: (setting) =>
        `Corrige le jeton ou la clé dans ${setting} dans parley.yaml, ou donne-lui accès au serveur.`,
      fixBusy: "Attends quelques minutes : le serveur limite le nombre de requêtes.",
      fixServer: "Regarde le journal du serveur, ou demande à la personne qui le gère.",
    },
  },
  personas: {
    usable: (count) =>
      `${counted(count, { one: "persona peut être utilisé", other: "personas peuvent être utilisés" })}.`,
    folder: {
      what: (cause) => `Le dossier des personas est inutilisable : ${cause}`,
      why: "Parley ne démarre pas sans lui.",
      fix: "Change personas.folder dans parley.yaml, ou les droits de lecture.",
    },
    leftOut: {
      what: (problem) => `Un persona est laissé de côté : ${problem}`,
      why: "Personne ne peut le choisir.",
      fix: (folder) => `Modifie le fichier dans ${folder} ; Parley s'en aperçoit tout seul.`,
    },
    noDefault: {
      what: (name, folder) =>
        `personas.default désigne « ${name} », mais ce persona n'existe pas dans ${folder}.`,
      why: "Parley ne démarre pas sans lui.",
      fix: (file) => `Crée ${file} à cet endroit, ou change personas.default dans parley.yaml.`,
    },
  },
  skills: {
    usable: (count) =>
      `${counted(count, { one: "compétence peut être utilisée", other: "compétences peuvent être utilisées" })}.`,
    files: {
      what: (problems) => `Il y a des problèmes dans des fichiers de compétences : ${problems}`,
      why: "Les fichiers laissés de côté ne servent pas, et le reste n'est peut-être pas ce que voulait l'auteur.",
      fix: "Corrige ces fichiers, ou supprime-les.",
    },
    waiting: {
      what: (names) => `Ces compétences attendent une vérification : ${names}.`,
      why: "Aucun modèle ne les voit avant.",
      fix: "Envoie /skills review au bot.",
    },
  },
  tools: {
    every: "tous les outils",
    auto: {
      what: (match, tools) => `La règle pour ${match} autorise auto pour ${tools}.`,
      why: "Après /settings permissions auto, ils s'exécutent sans demander, et ce qu'ils font est irréversible.",
      fix: "Dans tools.rules de parley.yaml, ne donne auto qu'aux outils qui peuvent s'exécuter sans surveillance.",
    },
  },
};
