import { countedIn, groupedIn } from "./counted.ts";
import type { Locale } from "./locale.ts";

const counted = countedIn("de");
const grouped = groupedIn("de");
const turns = (count: number): string => counted(count, { one: "Runde", other: "Runden" });
const waitingMessages = (count: number): string =>
  counted(count, { one: "wartende Nachricht", other: "wartende Nachrichten" });
const entriesOf = (count: number): string => counted(count, { one: "Eintrag", other: "Einträge" });
const minutesLater = (count: number): string => counted(count, { one: "Minute", other: "Minuten" });

export const de: Locale = {
  ingress: {
    notAllowed: "Du darfst diesen Bot nicht benutzen.",
    adminsOnly: (command) =>
      `Du darfst /${command} nicht benutzen: Das ist den Admins vorbehalten.`,
    membersOnly: (command) =>
      `Du darfst /${command} nicht benutzen: Das ist Mitgliedern vorbehalten, und du bist Gast.`,
    ownersOnly: (command) =>
      `Du darfst /${command} nicht benutzen: Das ist den Eigentümern vorbehalten.`,
    noCommand: (command) => `Den Befehl /${command} gibt es nicht. /help zeigt alle.`,
    wroteNothing: "Du hast nichts geschrieben. Was kann ich für dich tun?",
    tooLong: (length, limit) =>
      `Diese Nachricht hat ${length} Zeichen; ich nehme höchstens ${limit}. Schick sie in mehreren Teilen.`,
    full: "In diesem Chat warten zu viele Nachrichten. Diese hier wird nicht aufgehoben, und was noch kommt, solange kein Platz ist, auch nicht: Bitte schick es später noch einmal.",
    notKept: (errorId) =>
      `Entschuldige, mein Speicher ist voll. Deine Nachricht wird nicht aufgehoben: Bitte schick sie später noch einmal. (${errorId})`,
    notDone: (errorId) =>
      `Entschuldige, mein Speicher ist voll: Das geht gerade nicht. Bitte versuch es später noch einmal. (${errorId})`,
    tapTooOld: "Dieser Knopf ist keiner von meinen oder zu alt.",
    tapTooLate: "Das kam zu spät. Bitte tippe noch einmal.",
  },

  files: {
    noVoice:
      "Sprachnachrichten kann ich hier nicht anhören. Bitte schreib es stattdessen: Sie wurde nicht aufgehoben.",
    noImage: (name) =>
      `${name} ist kein Bild, das ich lesen kann: Ich nehme PNG, JPEG, GIF und WebP.`,
    noText: (name) =>
      `${name} ist von einer Art, die ich nicht lesen kann. Ich nehme Bilder (PNG, JPEG, GIF, WebP), PDFs und Textdateien.`,
    reading: (name) => `ich lese ${name} …`,
    nameless: {
      image: "Das Bild",
      document: "Das Dokument",
      voice: "Die Sprachnachricht",
    },
    tooMany: (count, limit) =>
      `Diese Nachricht hat ${count} Dateien; ich nehme höchstens ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} ist zu groß: ${megabytes} MB. Ich nehme Dateien bis ${limit} MB.`,
    chatIsFull: (count, megabytes) =>
      `Dieser Chat hat schon so viele Dateien, wie ich von einem aufbewahre: ${count} Stück oder ${megabytes} MB am Tag. Bitte schick sie später noch einmal.`,
    empty: (name) => `${name} ist leer.`,
  },

  inPrivate: {
    askThere: "Das ist privat: Schreib mir direkt und frag dort.",
    full: "Entschuldige, für dich wartet schon zu viel darauf, privat gesendet zu werden. Bitte versuch es später noch einmal.",
    answered: "Ich habe dir privat geantwortet.",
    writeFirst: "Falls nichts angekommen ist: Schreib mir einmal direkt und frag dann noch einmal.",
    askedIn: (group) => `Du hast in der Gruppe ${group} gefragt; „dieser Chat“ ist diese Gruppe:`,
    topic: (thread) => `Thema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} möchte diesen Bot benutzen.`,
    code: (code) => `Code: ${code}`,
    allow: "Zulassen",
    deny: "Ablehnen",
    yourCode: (code) =>
      `Du darfst diesen Bot noch nicht benutzen. Ein Admin kann dich zulassen: Dein Code ist ${code}.`,
    unknownCode: "Dieser Code ist unbekannt, abgelaufen oder schon entschieden.",
    isAdmin: (who) => `${who} ist schon Admin.`,
    allowed: (who, admin) => `${who}: zugelassen von ${admin}.`,
    denied: (who, admin) => `${who}: abgelehnt von ${admin}.`,
    youMay: "Du darfst diesen Bot jetzt benutzen. Schreib mir einfach.",
    mayUse: (who) => `${who} darf diesen Bot jetzt benutzen.`,
    neither: (typed) =>
      `${typed} ist weder ein Code aus 8 Buchstaben und Ziffern noch ein Name wie @sam noch eine Kennung wie telegram:12345.`,
    adminsDecide: "Du darfst das nicht entscheiden: Das darf ein Admin.",
  },

  start: {
    youAreOwner: "Dieser Bot gehört jetzt dir. /help zeigt, was du tun kannst.",
    hello: (place) => `Ich beantworte Fragen ${place}: Schreib mir einfach.`,
    places: {
      telegram: "hier in Telegram",
      discord: "hier in Discord",
      console: "in diesem Terminal",
    },
    tools: (count) =>
      `Ich kann ${counted(count, { one: "Werkzeug", other: "Werkzeuge" })} benutzen (siehe /tools). Was eine Freigabe braucht, tue ich erst, wenn du auf „Freigeben“ getippt hast.`,
    noTools: "Was eine Freigabe braucht, tue ich erst, wenn du auf „Freigeben“ getippt hast.",
    direct: "Hier beantworte ich alles; in einer Gruppe erwähne mich oder antworte mir.",
    mention:
      "In dieser Gruppe antworte ich, wenn mich jemand erwähnt, mir antwortet oder einen Befehl schickt.",
    always: "In dieser Gruppe beantworte ich jede Nachricht.",
    privacy: (model) =>
      `Was du schreibst, wird aufgehoben und vom Modell ${model} gelesen. /export gibt dir alles, /forget löscht es, /help zeigt den Rest.`,
    question: "Wie spät ist es in Tokio?",
    showTools: "Zeig deine Werkzeuge",
    showSettings: "Zeig die Einstellungen",
  },

  help: {
    groups: {
      talk: "Unterhaltung",
      choose: "Wie ich arbeite",
      look: "Was gerade ist",
      data: "Deine Daten",
      admin: "Für Admins",
    },
    more: "/help <Befehl> sagt mehr über einen.",
    alias: (names) => `Auch: ${names}.`,
  },

  contact: {
    noOwner:
      "Hallo! Dieser Bot ist privat, und ich habe noch keinen Besitzer. Wenn du mich betreibst, öffne den Link im Terminal.",
    wrongCode: "Dieser Code stimmt nicht. Öffne den Link im Terminal noch einmal.",
    waiting: "Diese Leute möchten den Bot benutzen:",
    more: (count) => `… und ${count} weitere.`,
    nobodyWaits: "Niemand wartet darauf, zugelassen zu werden.",
    howToAllow: "Mit /allow und einem Code lässt du jemanden zu.",
    greeting: "Hallo, ich bin Parley. Erwähne mich oder antworte mir, dann antworte ich.",
    seeHelp: "/help zeigt, was ich kann.",
    askedOwner:
      "Diese Gruppe kenne ich noch nicht. Ich habe meinen Besitzer gebeten, sie zuzulassen.",
    letIn: (place) => `${place} zulassen?`,
    addedBy: (who) => `${who} hat mich hinzugefügt.`,
    leave: "Verlassen",
    placeAllowed: (place, admin) => `${admin} hat ${place} zugelassen.`,
    placeLeft: (place, admin) => `${admin} hat mich aus ${place} entfernt.`,
    stillAtLimit: "Dieses Limit ist immer noch erreicht.",
    silent: "Das dauert etwas: Das Modell hat noch nichts gesagt. /stop bricht ab.",
  },

  errors: {
    cause: (cause) => `Ursache: ${cause}`,
    fix: {
      "rate-limited":
        "Warte eine Minute, oder trage in parley.yaml ein zweites Modell für die Stufe ein, das dann einspringt.",
      overloaded:
        "Versuch es später noch einmal, oder trage in parley.yaml ein zweites Modell für die Stufe ein, das dann einspringt.",
      timeout:
        "Der Modellserver ist zu langsam. Nimm ein kleineres Modell, oder sieh nach, ob der Server ausgelastet ist.",
      network:
        "Starte den Modellserver (bei Ollama: ollama serve), oder korrigiere seine Adresse (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Nimm ein Modell mit größerem Kontextfenster oder weniger Werkzeuge.",
      auth: "Prüfe den API-Schlüssel (OPENAI_API_KEY oder apiKey in parley.yaml) und das Guthaben des Kontos.",
      "invalid-request":
        "Prüfe den Namen des Modells (OPENAI_MODEL, OLLAMA_MODEL oder tiers in parley.yaml). Ollama braucht: ollama pull <Modell>",
      refused:
        "Der Anbieter hat diese Anfrage abgelehnt. Versuch es mit /model und einem anderen Modell.",
      empty: "Das Modell hat nichts geantwortet. Versuch es mit /model und einem anderen Modell.",
      poisoned: "Ein Worker ist an dieser Stelle dreimal abgestürzt. Suche den Fehlercode im Log.",
    },
    heading: (id) => `Fehler ${id}`,
    latest: "Die neuesten Fehler (UTC):",
    when: (time) => `Wann: ${time} UTC`,
    model: (model) => `Modell: ${model}`,
    trace: (chat) => `Mehr in der Shell: npm run trace -- ${chat}`,
    none: "In letzter Zeit gab es keine Fehler.",
    unknown: (typed, days) =>
      `Einen Fehler ${typed} kenne ich nicht. Ich merke mir die neuesten ${days} Tage lang; im Log steht vielleicht mehr.`,
  },

  menu: {
    pending: { description: "Wer diesen Bot benutzen möchte" },
    error: {
      description: "Was ich über einen Fehler weiß",
      id: "Der Code in Klammern unter dem Fehler; leer lassen für die neuesten",
    },
    pause: {
      pause: "Keine Runde mehr beginnen, überall oder auf einer Plattform",
      resume: "Nach /pause weitermachen",
      platform: "Wo; ohne Angabe überall",
      now: "Auch anhalten, was gerade läuft",
    },
    audit: {
      description: "Wer was getan hat, das Neueste zuerst",
      count: "Wie viele Zeilen",
      who: "Nur was jemanden betrifft, mit @Name oder Kennung",
      what: "Nur eine Art, oder export für alles als Datei",
    },
    stats: { description: "Wie es dieser Installation geht" },
    broadcast: {
      description: "Eine Nachricht an alle Chats schicken",
      text: "Die Nachricht",
    },
    start: {
      description: "Was dieser Bot tut",
      code: "Ein Code, der dich zum ersten Admin macht",
    },
    help: {
      description: "Alle Befehle",
      command: "Welcher; ohne Angabe alle",
    },
    new: { description: "Eine neue Unterhaltung beginnen" },
    stop: { description: "Anhalten, was ich gerade tue" },
    retry: { description: "Deine letzte Nachricht neu beantworten" },
    undo: {
      description: "Deine letzte Nachricht und meine Antwort vergessen",
    },
    compact: {
      description: "Das Gesagte zusammenfassen, damit wieder Platz ist",
    },
    auto: {
      description: "Selbstständig über mehrere Runden auf ein Ziel hinarbeiten",
      goal: "Was erreicht werden soll; bis zu 2.000 Zeichen",
      turns: (limit, usual) => `Wie viele Runden höchstens: 1 bis ${limit}, ohne Angabe ${usual}`,
    },
    tier: {
      description: "Wie viel Modell antwortet: fast, smart, deep …",
      tier: "Welche Stufe; default nimmt die Wahl zurück",
    },
    model: {
      description: "Welches Modell zuerst gefragt wird",
      model: "Name eines Modells oder ein Teil davon; default nimmt die Wahl zurück",
    },
    for: "me, oder chat: für alle hier; ohne Angabe me",
    settings: {
      description: "Wie ich mich hier verhalte und was eine Runde kosten darf",
      name: "Welche; ohne Angabe alle",
      value: "Der neue Wert; default nimmt ihn zurück",
    },
    activation: {
      description: "Auf welche Nachrichten dieser Gruppe ich antworte",
      when: "mention: die mich erwähnen oder mir antworten; always: alle",
    },
    language: {
      description: "Die Sprache, in der ich mit dir rede",
      language: "Welche; auto: wie deine App eingestellt ist",
    },
    status: { description: "Was ich in diesem Chat gerade tue" },
    approvals: {
      description: "Was in diesem Chat auf eine Freigabe wartet",
      id: "Ein Aufruf: zeigt nur dir, was darin verdeckt ist",
    },
    approve: {
      description: "Freigeben, worum ich gebeten habe",
      id: "Die ID, dahinter eine Nummer für einen von mehreren Aufrufen (siehe /approvals)",
      always: "Wie lange dasselbe ohne Frage laufen darf, z. B. 1h; Admins dürfen any anfügen",
    },
    deny: {
      description: "Ablehnen, worum ich gebeten habe",
      id: "Die ID, dahinter eine Nummer für einen von mehreren Aufrufen (siehe /approvals)",
      reason: "Warum; ich erfahre es",
    },
    edit: {
      description: "Ändern, worum ich gebeten habe, bevor es freigegeben wird",
      id: "Welche; /approvals zeigt sie",
      change: "name=wert, auch mehrere, oder JSON mit allen Argumenten",
    },
    grants: {
      description: "Was ich in diesem Chat tun darf, ohne noch einmal zu fragen",
      revoke: "revoke und eine Nummer nimmt eine Erlaubnis zurück",
    },
    tools: {
      description: "Was ich benutzen kann und was davon erst fragt",
    },
    todos: { description: "To-do-Liste dieses Chats anzeigen" },
    limits: {
      description: "Limits für Nachrichten, Tokens und Kosten, und was davon verbraucht ist",
      set: "Ein Limit setzen: für jemanden, einen Chat, eine Rolle, eine Plattform oder alle",
      reset: "Zurück zum Limit aus der Datei des Betreibers",
      scope: "person, @name, eine Kennung wie telegram:1, chat, role:member, platform oder global",
      metric: "Was begrenzt wird",
      value: "Wie viel: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Was dieser Chat verbraucht hat, je Modell, mit Kosten",
    },
    export: {
      description: "Alles, was wir gesagt haben, als Datei",
      format: "json für Maschinen; ohne Angabe markdown, für Menschen",
    },
    forget: {
      description: "Diesen Chat löschen, oder alles, was ich von dir habe",
      what: "chat: alles in diesem Chat; me: alles von dir, überall",
      confirmation: "Was ich dir zum Eintippen gebe, etwa yes-1234",
    },
    whoami: { description: "Wer du für mich bist" },
    role: {
      description: "Deine Rolle und was du damit darfst",
      give: "Jemandem eine Rolle geben",
      person: "Wessen; ohne sie siehst du deine eigene",
      role: "Die neue Rolle",
    },
    allow: {
      description: "Jemanden zulassen, oder alle in diesem Chat",
      person: "Wen",
      code: "Der Code, den der Bot vergeben hat, eine Kennung wie telegram:12345, here oder server",
    },
    ban: {
      description: "Jemanden aussperren, oder in diesem Chat schweigen",
      person: "Wen",
      reason: "Warum; es steht im Protokoll",
      place: "Statt einer Person: dieser Chat oder der ganze Server",
    },
    unban: {
      description: "Eine Sperre aufheben, oder was für diesen Chat gesetzt ist",
      person: "Wen",
      place: "Statt einer Person: dieser Chat oder der ganze Server",
    },
    admins: { description: "Wer diesen Bot betreibt" },
  },

  control: {
    full: "In diesem Chat warten zu viele Nachrichten: Es gibt eine Grenze. Bitte versuch es später noch einmal.",
    begun: "Einen Moment.",
    dropped: (count) => `${waitingMessages(count)} verworfen.`,
    onlyTheirs: {
      stop: (name) => `Nur ${name} oder ein Admin kann diese Antwort stoppen.`,
      undo: (name) => `Nur ${name} oder ein Admin kann diese Nachricht zurücknehmen.`,
      retry: (name) =>
        `Nur ${name} oder ein Admin kann diese Nachricht noch einmal beantworten lassen.`,
    },
    nothingToStop: "Es gibt nichts anzuhalten.",
    stopped: "Angehalten.",
    stoppedAndDropped: (count) => `Angehalten und ${waitingMessages(count)} verworfen.`,
    newAfterAnswer: "Ich beende noch die aktuelle Antwort, danach beginnt eine neue Unterhaltung.",
    newConversation: "Eine neue Unterhaltung: Ich sehe nicht mehr, was wir vorher gesagt haben.",
  },

  auto: {
    running: (step, of) =>
      `/auto arbeitet schon an etwas, Runde ${step} von ${of}. /stop beendet es.`,
    begun: (of) =>
      of === 1
        ? `Ich arbeite selbstständig daran, ${turns(of)} lang. /stop beendet es.`
        : `Ich arbeite selbstständig daran, bis zu ${turns(of)} lang. /stop beendet es.`,
    noGoal: "Was ist das Ziel? Schreib /auto <Ziel> [Runden].",
    badTurns: (limit, typed) => `/auto nimmt 1 bis ${limit} Runden, nicht ${typed}.`,
    numberHint: "Gehört die Zahl zum Ziel, dann schreib die Zahl der Runden dahinter.",
    goalTooLong: (length, limit) => `Das Ziel hat ${length} Zeichen; die Grenze ist ${limit}.`,
    ended: (step) => `/auto endet hier, nach ${turns(step)}.`,
    done: (step) => `/auto ist fertig, nach ${turns(step)}.`,
    atLimit: (of) =>
      `/auto hat seine Grenze von ${turns(of)} erreicht. Schick noch einmal /auto, damit es weitergeht.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Deine Stufe ist ${value}: ${reason}.`,
      chats: (value) => `Die Stufe dieses Chats ist ${value}.`,
      yoursIsNow: (value) => `Deine Stufe ist jetzt ${value}.`,
      chatsIsNow: (value) => `Die Stufe dieses Chats ist jetzt ${value}.`,
      yoursIsDefault: "Für dich gilt jetzt wieder die übliche Stufe.",
      chatsIsDefault: "Für diesen Chat gilt jetzt wieder die übliche Stufe.",
      notForChat: "Du darfst die Stufe dieses Chats nicht wählen: Das darf ein Admin.",
      notAnonymously: "Du schreibst anonym; eine eigene Stufe ist da nicht erlaubt.",
      noneOfYours:
        "Du hast keine Stufe gewählt: Es gilt balanced, oder eine andere, wo eine Nachricht sie braucht.",
      noneOfChats:
        "Für diesen Chat ist keine Stufe eingestellt: Es gilt balanced, oder eine andere, wo eine Nachricht sie braucht.",
    },
    model: {
      yours: (value, reason) => `Dein Modell ist ${value}: ${reason}.`,
      chats: (value) => `Das Modell dieses Chats ist ${value}.`,
      yoursIsNow: (value) => `Dein Modell ist jetzt ${value}.`,
      chatsIsNow: (value) => `Das Modell dieses Chats ist jetzt ${value}.`,
      yoursIsDefault: "Für dich gilt jetzt wieder das übliche Modell.",
      chatsIsDefault: "Für diesen Chat gilt jetzt wieder das übliche Modell.",
      notForChat: "Du darfst das Modell dieses Chats nicht wählen: Das darf ein Admin.",
      notAnonymously: "Du schreibst anonym; ein eigenes Modell ist da nicht erlaubt.",
      noneOfYours: "Du hast kein Modell gewählt: Die Stufe entscheidet.",
      noneOfChats: "Für diesen Chat ist kein Modell eingestellt: Die Stufe entscheidet.",
    },
    byYou: "deine eigene Wahl",
    byChat: "für diesen Chat eingestellt",
    gone: (value) => `${value} war vorher gewählt und ist nicht mehr da.`,
    hidden: (count, command) =>
      `${count} weitere werden nicht gezeigt: /${command} findet sie über einen Teil ihres Namens.`,
    how: (command) =>
      `/${command} <Name> wählt für dich, /${command} <Name> chat für alle hier, /${command} default nimmt es zurück.`,
    notHere: "Du darfst das hier nicht ändern.",
    adminsHere: "Du darfst das hier nicht ändern: Das darf ein Admin.",
    replacesYours: (model) => `Das ersetzt dein eigenes Modell ${model}.`,
    replacesChats: (model) => `Das ersetzt das Modell des Chats, ${model}.`,
    yoursFirst: (value) => `Für dich geht deine eigene Wahl, ${value}, weiterhin vor.`,
    noTier: (typed, tiers) => `Die Stufe ${typed} gibt es nicht. Es gibt: ${tiers} und default.`,
    noModel: (typed) => `Das Modell ${typed} gibt es nicht.`,
    several: (typed, models) => `Mit ${typed} kann mehr als ein Modell gemeint sein: ${models}.`,
    thereAre: (names) => `Es gibt: ${names}.`,
    didYouMean: (name) => `Meintest du ${name}?`,
    andMore: (names, count) => `${names} und ${count} weitere`,
    order: (models) => `Gefragt wird in dieser Reihenfolge: ${models}.`,
    sameAs: (tier, same) => `${tier}: hier dasselbe wie ${same}`,
  },

  settings: {
    heading: "In diesem Chat:",
    how: "/settings <Name> <Wert> ändert eine Einstellung, /settings <Name> default nimmt das zurück.",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <Wert> ändert es.`
        : `/settings ${name} <Wert> ändert es: ${expected}.`,
    isDefaultAgain: (name, value) => `${name} ist wieder wie üblich: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} kann nicht ${typed} sein: ${expected}.`,
    isNow: (name, value) => `${name} ist in diesem Chat jetzt ${value}.`,
    noneChosen: (kind) => `${kind}: nichts gewählt (siehe /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (deine eigene Wahl; siehe /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (für diesen Chat eingestellt; siehe /${kind})`,
    default: (name, value) => `${name}: ${value} (wie üblich)`,
    own: (name, value, fallback) =>
      `${name}: ${value} (für diesen Chat eingestellt; üblich: ${fallback})`,
    adminsOnly: (name) => `Du darfst ${name} nicht ändern: Das darf ein Admin.`,
    adminsInGroups: (name) => `Du darfst ${name} in einer Gruppe nicht ändern: Das darf ein Admin.`,
    which: "Welche Einstellung?",
    unknown: (typed) => `Die Einstellung ${typed} gibt es nicht.`,
    expectedCount: (min, max) => `erwartet wird eine ganze Zahl von ${min} bis ${max}`,
    expectedDuration: "erwartet wird eine Dauer wie 15m oder 24h",
    expectedUsd: "erwartet werden US-Dollar wie 5usd",
    orOff: (expected) => `${expected}, oder off`,
    expectedOther: "erwartet wird etwas anderes",
    expectedWords: (words) => `erwartet wird ${words} oder default`,
  },

  activation: {
    direct: "Hier schreibst nur du mir: Ich beantworte alles.",
    mention: "Ich antworte, wenn mich jemand erwähnt, mir antwortet oder einen Befehl schickt.",
    always: "Ich beantworte jede Nachricht dieser Gruppe.",
    how: "/activation mention oder /activation always ändert das.",
    telegramHint:
      "Dafür muss ich jede Nachricht sehen: Mach mich zum Admin dieser Gruppe oder schalte bei @BotFather meinen Privacy Mode aus.",
    discordHint:
      "Dafür muss ich jede Nachricht sehen: Wer mich betreibt, stellt discord.messageContent ein.",
    unknown: (typed) => `/activation nimmt mention oder always, nicht ${typed}.`,
  },

  language: {
    name: "Deutsch",
    isNow: "Ich rede jetzt Deutsch mit dir.",
    isAuto: "Ich richte mich nach deiner App: Wir reden Deutsch.",
    is: "Ich rede Deutsch mit dir, weil du das gewählt hast.",
    how: (codes) => `/language <${codes}> ändert das, /language auto richtet sich nach deiner App.`,
    unknown: (typed, codes) => `Die Sprache ${typed} habe ich nicht. Es gibt: ${codes} und auto.`,
    notAnonymously: "Du schreibst anonym; eine eigene Sprache ist da nicht erlaubt.",
  },

  status: {
    idle: "Gerade läuft nichts.",
    queued: "Ich warte auf einen freien Worker.",
    running: "Ich arbeite.",
    waiting: "Ich warte darauf, dass jemand freigibt oder ablehnt.",
    auto: (step, of) => `/auto: Runde ${step} von ${of}. /stop beendet es.`,
    queue: (count) => `Wartende Nachrichten: ${count}.`,
    model: (models) => `Modell: ${models}.`,
    tier: (tier) => `Stufe: ${tier}.`,
    noTier: "Stufe: balanced, oder eine andere, wo eine Nachricht sie braucht.",
    remembered: (count) => `Einträge in dieser Unterhaltung: ${count}.`,
  },

  approvals: {
    none: "In diesem Chat wartet nichts auf eine Freigabe.",
    heading: (count) =>
      `${counted(count, { one: "Aufruf wartet", other: "Aufrufe warten" })} auf eine Freigabe:`,
    askedFor: (person) => `für ${person}`,
    expiresIn: (time) => `läuft in ${time} ab`,
    more: (count) => `Und ${count} weitere.`,
    hiddenValues: (tool) => `Verdeckte Werte von ${tool}:`,
    nothingHidden: "Dort ist nichts verdeckt.",
  },

  decisions: {
    otherChat: "Dieser Knopf gehört nicht zu diesem Chat oder ist zu alt.",
    otherMessage: "Dieser Knopf gehört nicht zu dieser Nachricht.",
    notAllowed: (who) => `Du darfst das nicht entscheiden: Das darf ${who}.`,
    anAdmin: "ein Admin",
    orAnAdmin: (name) => `${name} oder ein Admin`,
    anOwner: "ein Eigentümer",
    aMember: "jedes Mitglied",
    both: (one, other) => `${one} und ${other}`,
    counted: "Gezählt: 1 von 2. Noch jemand anderes muss es freigeben.",
    countedBefore: "Du hast das schon freigegeben. Noch jemand anderes muss es freigeben.",
    approved: "Freigegeben.",
    denied: "Abgelehnt.",
    approvedOf: (done, of) => `Freigegeben: ${done} von ${of}.`,
    deniedOf: (done, of) => `Abgelehnt: ${done} von ${of}.`,
    approvedBy: (name) => `Freigegeben von ${name}.`,
    deniedBy: (name) => `Abgelehnt von ${name}.`,
    deniedBecause: (name, reason) => `Abgelehnt von ${name}: ${reason}`,
    undecided: "Abgelaufen: Niemand hat rechtzeitig entschieden, also wurde es abgelehnt.",
    expired: "Das ist abgelaufen.",
    tooLate: "Das hat zu lange gedauert und zählt nicht. Bitte tippe noch einmal.",
    tooOld: "Dieser Knopf ist zu alt.",
    already: {
      pending: "Das ist noch nicht entschieden.",
      approved: "Das ist schon freigegeben.",
      denied: "Das ist schon abgelehnt.",
      expired: "Das ist abgelaufen.",
      superseded: "Das ist schon überholt.",
      cancelled: "Das ist schon abgebrochen.",
      changed: "Das ist schon geändert: Die neuere Karte unten fragt danach.",
    },
    changed: "Geändert. Der Aufruf wird noch einmal gezeigt und kann dann freigegeben werden.",
    changedBy: (name) => `Geändert von ${name}: unten wird neu gefragt.`,
    alreadyChangedBy: (name) =>
      `Das hat ${name} schon geändert: Die neuere Karte unten fragt danach.`,
    alreadyApprovedBy: (name) => `Das wurde schon von ${name} freigegeben.`,
    alreadyDeniedBy: (name) => `Das hat ${name} schon abgelehnt.`,
    superseded: "Nicht ausgeführt: überholt von einer neueren Nachricht.",
    stopped: "Nicht ausgeführt: angehalten.",
    unknownId: (id) => `Hier wartet keine Freigabe ${id}. /approvals zeigt, was wartet.`,
    whichCard:
      "Ich bin nicht sicher, was du meinst. Antworte auf die Karte, tippe auf einen ihrer Buttons oder sende /approve <id> oder /deny <id>. /approvals zeigt die IDs.",
    noCall: (typed, command) =>
      `Auf dieser Karte gibt es keinen Aufruf ${typed}. Nenne einen davon mit seiner Nummer: /${command} <id> 1. /approvals zeigt, was wartet.`,
    which: (command) =>
      `Hier warten mehrere Freigaben: /approvals zeigt sie, /${command} <id> nimmt eine.`,
  },

  cards: {
    approve: "Freigeben",
    deny: "Ablehnen",
    approveAll: "Alle freigeben",
    denyAll: "Alle ablehnen",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "Tag", other: "Tagen" }),
    },
    characters: (count) => grouped(count, { one: "Zeichen", other: "Zeichen" }),
    needed: (tool) => `Freigabe nötig: ${tool}`,
    neededFor: (count) =>
      `Freigabe nötig für ${counted(count, { one: "Aufruf", other: "Aufrufe" })}:`,
    calls: (count) => `${counted(count, { one: "Aufruf", other: "Aufrufe" })}:`,
    about: (sentence) => `„${sentence}“`,
    noArguments: "Keine Argumente.",
    secretsHidden: (id) =>
      `Geheimes ist teilweise verdeckt (••••). \`/approvals ${id}\` zeigt es dir privat.`,
    showHidden: "Verdecktes zeigen",
    lookalikes: (words) => `Vorsicht: Wörter mit Buchstaben, die wie andere aussehen: ${words}.`,
    details: (call) => `Alles, was ${call} bekommen würde:`,
    decides: (who) => `Es entscheidet: ${who}.`,
    twoDecide: (who) => `Zwei verschiedene Personen müssen freigeben: ${who}.`,
    firstOfTwo: (name) => `1 von 2: freigegeben von ${name}; es fehlt noch jemand.`,
    expiresAt: (moment) => `Läuft ab: ${moment}.`,
    expiresIn: (duration) => `Läuft ab in ${duration}.`,
    typed: (id) => `Als Text: \`/approve ${id}\` oder \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Als Text: \`/approve ${id}\` für alle, \`/approve ${id}.1\` für den ersten, \`/deny\` ebenso.`,
    approved: (number) => `✓ ${number} freigegeben`,
    approvedBy: (number, name) => `✓ ${number} freigegeben von ${name}`,
    approvedFirst: (number, name) => `… ${number} freigegeben von ${name}; es fehlt noch jemand`,
    denied: (number) => `✗ ${number} abgelehnt`,
    deniedBy: (number, name) => `✗ ${number} abgelehnt von ${name}`,
    expired: (number) => `✗ ${number} abgelaufen: niemand hat rechtzeitig entschieden`,
    superseded: (number) => `✗ ${number} nicht ausgeführt: überholt von einer neueren Nachricht`,
    stopped: (number) => `✗ ${number} nicht ausgeführt: angehalten`,
    edit: "Ändern",
    allowFor: (span) => `${span} lang erlauben`,
    changedNote: (name) => `${name} hat die Argumente geändert.`,
    changedNoteOfNobody: "Jemand hat die Argumente geändert.",
    howToChange: (id) => `Vorher ändern: \`/edit ${id} name=wert\`.`,
    changed: (number) => `✎ ${number} geändert`,
    changedBy: (number, name) => `✎ ${number} geändert von ${name}`,
    erased: "Gelöscht.",
  },

  delivery: {
    nothingToShow: "(Die Antwort enthält nichts, was sich zeigen lässt.)",
    fileGone: "Die Datei ist nicht mehr da.",
    fileRefused: "Entschuldige, die Datei konnte hier nicht gesendet werden.",
    goesOn: (fileName) =>
      `Die Antwort geht in der Datei ${fileName} weiter, in der sie ganz steht.`,
    sentAgain: "noch einmal gesendet: vielleicht schon angekommen",
  },

  platform: {
    notAllowed: "Das darfst du nicht.",
    tryAgain: "Entschuldige, das hat nicht geklappt. Bitte versuch es gleich noch einmal.",
    notTaken: (errorId) => `Entschuldige, diese Nachricht konnte ich nicht annehmen. (${errorId})`,
    whatAboutThis: "Was kannst du mir dazu sagen?",
  },

  telegram: {
    buttonIsGone: "Dieser Knopf geht nicht mehr.",
    fileIsGone: "Entschuldige, Telegram gibt mir diese Datei nicht. Bitte schick sie noch einmal.",
    fileOutOfReach:
      "Entschuldige, ich konnte diese Datei nicht von Telegram holen. Bitte schick sie später noch einmal.",
    fileTooLarge: (megabytes) => `Diese Datei ist zu groß: Ich nehme Dateien bis ${megabytes} MB.`,
    cannot: {
      animation: "Entschuldige, GIFs kann ich nicht ansehen. Schick stattdessen ein Bild davon.",
      video:
        "Entschuldige, Videos kann ich nicht ansehen. Schick ein Bild davon, oder den Ton als Sprachnachricht.",
      sticker: "Entschuldige, Sticker kann ich nicht sehen. Schick ein Bild, oder schreib es.",
      paid_media:
        "Entschuldige, bezahlte Medien kann ich nicht öffnen. Sag mir in Worten, worum es geht.",
      story: "Entschuldige, Storys kann ich nicht öffnen. Sag mir in Worten, worum es geht.",
      contact:
        "Entschuldige, geteilte Kontakte kann ich nicht lesen. Schreib, was ich davon wissen soll.",
      venue: "Entschuldige, geteilte Orte kann ich nicht lesen. Schreib stattdessen die Adresse.",
      location:
        "Entschuldige, geteilte Standorte kann ich nicht lesen. Schreib stattdessen den Ort.",
      poll: "Entschuldige, Umfragen kann ich nicht lesen. Schreib stattdessen die Frage.",
      checklist:
        "Entschuldige, Checklisten kann ich nicht lesen. Schreib sie stattdessen als Liste.",
      dice: "Entschuldige, würfeln kann ich nicht. Schreib mir.",
      game: "Entschuldige, Spiele kann ich nicht spielen. Schreib mir.",
      rich_message:
        "Entschuldige, solche gestalteten Nachrichten kann ich nicht lesen. Schick sie als einfachen Text.",
    },
    thisFile: "diese Datei",
    cannotReadPicture: (name) =>
      `Entschuldige, das Bild ${name} kann ich nicht lesen. Schick es als Foto, oder als JPEG, PNG, WebP oder GIF.`,
    cannotReadFile: (name) =>
      `Entschuldige, ich kann ${name} nicht lesen. Ich lese Text, Code, CSV, JSON, PDF, Bilder und Sprache.`,
  },

  discord: {
    admin: "Für die Admins dieses Bots",
    unknownCommand: "Diesen Befehl gibt es nicht mehr.",
    unknownAction: "Damit kann ich nichts anfangen.",
    elsewhere:
      "Ich kann nur in einer Direktnachricht an mich antworten, oder auf einem Server, auf dem ich bin.",
    onlyUserInstall:
      "Hier bin ich nicht beigetreten und kann das nicht: Nutze es in einer Direktnachricht mit mir.",
    mayNotWrite: "Ich darf in diesem Kanal nicht schreiben, also kann ich hier nicht antworten.",
    mayNotAttach: "Ich darf in diesem Kanal keine Dateien senden, also geht das hier nicht.",
    delayed:
      "Entschuldige, das kann ich gerade nicht annehmen. Ich versuche es weiter und antworte hier.",
    unreadable: "Das konnte ich nicht lesen. Bitte versuch es noch einmal.",
    done: "Erledigt.",
    doneBefore:
      "Das habe ich getan, aber meine Antwort ging verloren. Frag noch einmal, wenn du sie brauchst.",
    tooLate:
      "Entschuldige, meine Antwort kam zu spät, um nur dir gezeigt zu werden. Bitte frag noch einmal.",
    askAboutThis: "Danach fragen",
    yourQuestion: "Deine Frage",
    forgotten:
      "Entschuldige, ich habe vergessen, um welche Nachricht es ging. Bitte wähl sie noch einmal aus.",
    about: (link) => `zu ${link}`,
    ask: "Frag mich etwas",
    askQuestion: "Was du wissen oder erledigt haben willst",
    askFile: "Ein Bild, ein Text, ein PDF oder eine Tondatei",
    video: (name) =>
      `Videos kann ich nicht ansehen (${name}). Ich nehme Bilder, Texte, PDFs und Tondateien.`,
    archive: (name) => `Archive kann ich nicht öffnen (${name}). Schick die Dateien darin einzeln.`,
    picture: (name) =>
      `Bilder dieser Art kann ich nicht sehen (${name}). Schick PNG, JPEG, GIF oder WebP.`,
    otherFile: (name) =>
      `Dateien dieser Art kann ich nicht lesen (${name}). Ich nehme Bilder, Texte, PDFs und Tondateien.`,
    sticker: "Sticker kann ich nicht sehen. Bitte sag es in Worten.",
    poll: "Umfragen kann ich nicht lesen. Bitte schreib die Frage als Nachricht.",
    fileIsGone: (name) =>
      `Entschuldige, Discord hat ${name} nicht mehr. Bitte schick es noch einmal.`,
    fileFailed: (name) =>
      `Entschuldige, ich konnte ${name} nicht von Discord holen. Bitte schick es noch einmal.`,
    fileTooLarge: (name, megabytes) =>
      `${name} ist zu groß. Ich nehme Dateien bis ${megabytes} MB.`,
  },

  tools: {
    none: "Ich kann gerade keine Werkzeuge benutzen.",
    free: "Das benutze ich von mir aus:",
    asking: "Dafür bitte ich vorher um Freigabe:",
    sometimes: "Dafür bitte ich um Freigabe, wo es darauf ankommt:",
    more: (count) => `Und ${count} weitere.`,
  },

  todos: {
    none: "Die To-do-Liste ist leer. Gib mir eine Aufgabe mit mehreren Schritten, dann halte ich sie hier fest.",
    heading: (done, total) => `To-do-Liste: ${done} von ${total} erledigt`,
  },

  usage: {
    heading: "Dieser Chat hat verbraucht:",
    turns: (count) => `Runden: ${count}`,
    modelCalls: (count) => `Modellaufrufe: ${count}`,
    inputTokens: (count) => `Eingabe-Tokens: ${count}`,
    outputTokens: (count) => `Ausgabe-Tokens: ${count}`,
    about: (amount) => `etwa ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "Anfrage", other: "Anfragen" })}, ${input} Eingabe- und ${output} Ausgabe-Tokens`,
    costUnknown: "Kosten unbekannt",
    cost: (amount) => `Kosten: ${amount}`,
    unknown: "unbekannt",
    andUnpriced: (amount) => `${amount}, dazu das, wofür kein Preis bekannt ist`,
  },

  limits: {
    whose: {
      you: "für dich",
      thisChat: "für diesen Chat",
      everybody: "für alle zusammen",
    },
    role: (role) => `für dich mit der Rolle ${role}`,
    platform: (platform) => `für alle auf ${platform}`,
    ofPerson: (person) => `für ${person}`,
    ofChat: (chat) => `für den Chat ${chat}`,
    hit: (limit, whose, used) =>
      `Ein Limit ist erreicht: ${limit} (${whose}). Verbraucht: ${used}.`,
    needs: (amount) => `Eine Antwort kann bis zu ${amount} brauchen: mehr, als übrig ist.`,
    resets: (when) => `Es beginnt ${when} von vorn.`,
    notKept: "Diese Nachricht wird nicht aufgehoben.",
    nearly: (percent, limit, whose, used) =>
      `${percent} % eines Limits sind verbraucht: ${limit} (${whose}). Verbraucht: ${used}.`,
    slowDown: (limit) =>
      `Zu viele Befehle: Das Limit ist ${limit}. In spätestens einer Minute geht es weiter.`,
    heading: "Diese Limits gelten in diesem Chat für dich:",
    none: "In diesem Chat gilt für dich kein Limit.",
    used: (used, when) => `verbraucht: ${used}, von vorn ${when}`,
    running: (count) => `laufen gerade: ${count}`,
    setHeading: "Aus Chats gesetzt:",
    more: (count) => `… und ${count} weitere`,
    ofTurn: "einer Runde",
    how: "/limits set <Bereich> <Größe> <Wert> setzt ein Limit, /limits reset <Bereich> [Größe] nimmt wieder, was in der Datei des Betreibers steht.\nBereiche: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Werte: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Du darfst keine Limits ändern: Das ist den Admins vorbehalten.",
    adminsOfAll: "Du darfst dieses Limit nicht ändern: Du kannst die für diesen Chat setzen.",
    badAction: (typed) => `/limits kann ${typed} nicht: Erwartet wird set, reset oder nichts.`,
    badScope: (typed) =>
      `${typed} ist kein Bereich für ein Limit: Erwartet wird person, @name, eine Kennung wie telegram:1, chat, chats, role:member, platform:telegram oder global.`,
    badMetric: (typed, metrics) => `${typed} lässt sich nicht begrenzen: Erwartet wird ${metrics}.`,
    badValue: (typed, metric, example, per) =>
      `${typed} ist kein Limit für ${metric}: Erwartet wird eines wie ${example}, je ${per}, oder off.`,
    isNow: (scope, limit, before) =>
      `Das Limit für ${scope} ist jetzt ${limit}. Vorher: ${before}. Es gilt ab der nächsten Nachricht.`,
    isReset: (scope, limit, before) =>
      `Das Limit für ${scope} ist wieder wie in der Datei des Betreibers: ${limit}. Vorher: ${before}.`,
    notSet: "keines",
    nothingSet: (scope) =>
      `Für ${scope} war aus keinem Chat etwas gesetzt: Es gibt nichts zurückzunehmen.`,
    yoursToday: (used) => `Du, heute: ${used}.`,
    yoursThisMonth: (used) => `Du, diesen Monat: ${used}.`,
    allToday: (used) => `Alle, heute: ${used}.`,
    allThisMonth: (used) => `Alle, diesen Monat: ${used}.`,
    amounts: (messages, tokens, cost) =>
      `Nachrichten: ${messages}, Tokens: ${tokens}, Kosten: ${cost}`,
  },

  whoami: {
    name: (name) => `Name: ${name}`,
    id: (id) => `Kennung: ${id}`,
    role: (role) => `Rolle: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Du schreibst anonym: Du kannst hier nichts entscheiden.",
    place: (place) => `In Listen von Orten: ${place}`,
    adminHere:
      "Du verwaltest diese Gruppe: Für ihre Einstellungen, Freigaben und Grenzen giltst du hier als Admin.",
    may: {
      owner:
        "Du betreibst diesen Bot: Du darfst alles, und niemand ändert das aus einem Chat heraus.",
      admin:
        "Du darfst alles: mit mir reden, entscheiden, worum ich bitte, Einstellungen ändern und Leute zulassen.",
      member:
        "Du darfst mit mir reden, entscheiden, worum ich dich bitte, und ändern, was nur dich betrifft.",
      guest: "Du darfst hier mit mir reden; Mitglieder entscheiden, worum ich bitte.",
      stranger: "Du darfst noch nicht mit mir reden.",
      banned: "Du darfst nicht mit mir reden.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Ich kenne niemanden namens ${typed}. Wer mir noch nie geschrieben hat, muss mit einer Kennung wie telegram:12345 genannt werden.`,
    whom: (command) =>
      `Wen meinst du? Antworte auf eine Nachricht der Person mit /${command}, oder nenne sie: /${command} @name, oder eine Kennung wie telegram:12345.`,
    anonymous: (who) =>
      `${who} schreibt anonym, vielleicht für viele: Dem kann keine Rolle gegeben werden.`,
    adminsOnly: "Du darfst keine Rollen ändern: Das darf ein Admin.",
    ownersOnly: "Das darfst du nicht: Nur wem der Bot gehört, ernennt Admins oder setzt sie ab.",
    ownerStays: (who) =>
      `Das darfst du nicht ändern: ${who} gehört dieser Bot, und kein Chat ändert das.`,
    fileBans: (who) =>
      `Die Einstellungen des Betreibers sperren ${who}: Das muss dort geändert werden.`,
    fileAllows: (who) =>
      `Die Einstellungen des Betreibers lassen ${who} zu: Das muss dort geändert werden.`,
    isNow: (who, role) => `${who} hat jetzt die Rolle ${role}.`,
    isAlready: (who, role) => `${who} hat die Rolle ${role} schon.`,
    banned: (who) => `${who} darf diesen Bot nicht mehr benutzen.`,
    unbanned: (who) => `${who} ist nicht mehr gesperrt.`,
    notBanned: (who) => `${who} ist nicht gesperrt.`,
    noRole: (typed) =>
      `${typed} ist keine Rolle, die vergeben werden kann: Möglich sind admin, member und guest.`,
    whichRole: "Welche Rolle? Es gibt admin, member und guest.",
    placeAllowed: (place) =>
      `Alle in ${place} dürfen jetzt mit mir reden. Wer keine eigene Rolle hat, ist dort Gast.`,
    placeBanned: (place) => `In ${place} schweige ich jetzt. Was Admins sagen, höre ich weiterhin.`,
    placeCleared: (place) => `Für ${place} ist nichts mehr gesetzt.`,
    placeNotSet: (place) => `Für ${place} war aus keinem Chat etwas gesetzt.`,
    noPlace: "Das ist ein Chat zu zweit: Nenne stattdessen die Person.",
    noServer: "Hier gibt es keinen Discord-Server.",
    owners: "Eigentümer:",
    admins: "Verwaltung:",
    noneNamed: "Niemand ist genannt.",
    terminal: "Wer am Terminal sitzt, in dem ich laufe, dem gehöre ich auch.",
  },

  export: {
    adminsOnly: "Du darfst nicht exportieren, was eine Gruppe gesagt hat: Das darf nur ein Admin.",
    badFormat: (typed) =>
      `${typed} ist kein Format von /export: Erwartet wird json, markdown oder nichts.`,
    full: "Entschuldige, in diesem Chat wartet zu viel darauf, gesendet zu werden. Bitte versuch es später noch einmal.",
    nothing: "Es gibt nichts zu exportieren: Wir haben noch nichts gesagt.",
    done: (entries) => `Alles, was wir gesagt haben, ${entriesOf(entries)}, steht in der Datei.`,
    doneIn: (entries, files) =>
      `Alles, was wir gesagt haben, ${entriesOf(entries)}, steht in ${files} Dateien.`,
    shown: "Alle hier können sie sehen.",
  },

  forget: {
    notAnonymously: "Du darfst im Namen einer Gruppe oder eines Kanals nichts löschen.",
    inPrivateOnly: "Das ist hier nicht erlaubt: Schreib mir /forget me in unserem privaten Chat.",
    adminsOnly:
      "Du darfst diesen Chat nicht löschen: In einer Gruppe dürfen das Admins. /forget me in unserem privaten Chat löscht, was du hier geschrieben hast.",
    badScope: (typed) =>
      `Ich kann chat löschen (alles in diesem Chat) oder me (alles, was ich von dir habe), nicht ${typed}.`,
    badCode: (typed) =>
      `${typed} bestätigt nichts: Erwartet wird yes- und vier Ziffern, so wie ich sie dir gegeben habe.`,
    yes: { chat: "Ja, diesen Chat löschen", me: "Ja, alles löschen" },
    confirm: (confirmation) =>
      `Zur Bestätigung tippe auf den Knopf oder schick innerhalb von 5 Minuten ${confirmation}.`,
    explained: {
      chat: "Das löscht endgültig alles, was ich von diesem Chat habe: was gesagt wurde, Notizen, Aufgaben, Einstellungen, Verbrauch, Dateien und Archive. Was ich hier gerade tue, endet.\nDie Nachrichten in der App selbst bleiben: Die kannst nur du dort löschen.",
      me: "Das löscht endgültig: alle deine privaten Chats mit mir, dein Profil mit deinen Vorlieben und deiner Rolle (vielleicht musst du neu zugelassen werden), und in Gruppen, was du geschrieben und ich dir geantwortet habe, deine Gründe und Änderungen, wo du für andere entschieden hast, und wo ich deine Worte wiederholt habe. Was ich gerade für dich tue, endet.\nNotizen und Aufgaben von Gruppen bleiben, weil niemand weiß, wer sie geschrieben hat; ebenso, was andere über dich geschrieben haben, und die Nachrichten in der App selbst. Eine Sperre bleibt, ohne deinen Namen, und bis zum Monatsende, wie viel du verbraucht hast.",
    },
    expired: (scope) =>
      `Das bestätigt nichts oder ist abgelaufen: Nur wer gefragt hat, kann bestätigen, hier und innerhalb von 5 Minuten. Frag neu mit /forget ${scope}.`,
    begun: "Einen Moment. Ich sage Bescheid, wenn alles gelöscht ist.",
    chatDone: "Fertig: Alles, was ich von diesem Chat hatte, ist gelöscht.",
    meDone: "Fertig: Deine privaten Chats mit mir und dein Profil sind gelöscht.",
    meDoneWith: (groups) =>
      `Fertig: Deine privaten Chats mit mir und dein Profil sind gelöscht, ebenso was du in ${counted(groups, { one: "Gruppe", other: "Gruppen" })} geschrieben hast.`,
    but: (count) =>
      `Aber ${counted(count, { one: "Teil", other: "Teile" })}, die dazugehören könnten, konnte ich nicht lesen oder entfernen: Wer mich betreibt, findet mehr in meinem Log.`,
  },

  end: {
    modelCalls: (limit) =>
      `Ich habe hier aufgehört: Diese Runde hat ihre Grenze von ${counted(limit, { one: "Modellaufruf", other: "Modellaufrufen" })} erreicht.`,
    toolExecutions: (limit) =>
      `Ich habe hier aufgehört: Diese Runde hat ihre Grenze von ${counted(limit, { one: "Werkzeugaufruf", other: "Werkzeugaufrufen" })} erreicht.`,
    tokens: (limit) =>
      `Ich habe hier aufgehört: Diese Runde hat ihre Grenze von ${counted(limit, { one: "Token", other: "Tokens" })} erreicht.`,
    cost: (limitUsd) =>
      `Ich habe hier aufgehört: Diese Runde hat ihre Kostengrenze von $${limitUsd} erreicht.`,
    deadline: (limitSeconds) =>
      `Ich habe hier aufgehört: Diese Runde hat ihre Zeitgrenze von ${counted(limitSeconds, { one: "Sekunde", other: "Sekunden" })} Arbeit erreicht.`,
    loop: "Ich habe hier aufgehört, weil ich immer wieder dasselbe getan habe, ohne voranzukommen.",
    denied: "Ich habe hier aufgehört, weil nicht freigegeben wurde, was ich tun wollte.",
    notAllowed: "Ich habe hier aufgehört, weil nicht erlaubt ist, was ich tun wollte.",
    toolFailed: "Ich habe hier aufgehört, weil ein Werkzeug gescheitert ist.",
    cut: "Hier ist Schluss: Die Antwort hat die Längengrenze erreicht. Schreib „weiter“ für den Rest.",
    cutEmpty:
      "Hier ist Schluss: Ich habe die Längengrenze erreicht, bevor ich antworten konnte. Schreib „weiter“, dann versuche ich es noch einmal.",
    downgraded: (tier) =>
      `Das Budget wird knapp, deshalb hat ein günstigeres Modell geantwortet (${tier}).`,
    poisoned: (errorId) =>
      `Entschuldige, diese Nachricht musste ich aufgeben: Die Arbeit daran ist dreimal gescheitert. Bitte versuch es anders. (${errorId})`,
    stopped: "(angehalten)",
    interrupted: "(unterbrochen)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Entschuldige, der Dienst des Modells hat gerade zu viele Anfragen. (${errorId})`,
    overloaded: (errorId) => `Entschuldige, der Dienst des Modells ist überlastet. (${errorId})`,
    timeout: (errorId) => `Entschuldige, das Modell hat zu lange gebraucht. (${errorId})`,
    network: (errorId) => `Entschuldige, das Modell war nicht zu erreichen. (${errorId})`,
    "context-overflow": (errorId) =>
      `Entschuldige, diese Unterhaltung ist zu lang für das Modell; /new beginnt eine neue. (${errorId})`,
    "setup-too-long": (errorId) =>
      `Entschuldige, schon meine Anweisungen und Werkzeuge sind zu lang für das Modell. Ein Admin kann den Prompt oder die Werkzeuge kürzen oder ein Modell mit größerem Kontextfenster wählen. (${errorId})`,
    "turn-too-long": (errorId) =>
      `Entschuldige, diese Anfrage ist zu lang für das Modell. Bitte kürze sie oder teile sie in kleinere Teile auf. (${errorId})`,
    auth: (errorId) =>
      `Entschuldige, der Dienst des Modells hat unseren Schlüssel abgelehnt. (${errorId})`,
    "invalid-request": (errorId) =>
      `Entschuldige, der Dienst des Modells hat die Anfrage abgelehnt. (${errorId})`,
    refused: (errorId) => `Entschuldige, das Modell wollte nicht antworten. (${errorId})`,
    empty: (errorId) => `Entschuldige, das Modell hat eine leere Antwort gegeben. (${errorId})`,
  },

  unreadable: {
    locked: "Die Datei ist mit einem Passwort geschützt.",
    damaged: "Die Datei ist beschädigt oder kein PDF, das ich lesen kann.",
    "too-complicated": "Die Datei ist zu kompliziert, um gelesen zu werden.",
    failed:
      "Beim Lesen ist etwas schiefgegangen. Ein neuer Versuch startet nicht von selbst: Schick die Datei noch einmal oder nimm /retry.",
    pictures: "Sie enthält keinen Text: Ihre Seiten sind vermutlich Bilder.",
    empty: "Sie enthält keinen Text.",
    unknown: "Sie ist von einer Art, die ich nicht lesen kann.",
    "no-transcription": "Sprachnachrichten kann ich hier nicht anhören.",
    "not-transcribed": "Die Sprachnachricht konnte leider nicht verschriftlicht werden.",
    silent: "Es ist niemand darin zu hören.",
    gone: "Sie ist nicht mehr da: Dateien werden einen Tag aufgehoben.",
    refused: "Der Anbieter des Modells nimmt dieses Bild nicht an.",
  },

  exported: {
    title: "Unterhaltung",
    asOf: (chat, time) => `Der Chat ${chat}, Stand ${time}.`,
    edited: (who, time) => `${who} hat eine Nachricht geändert, ${time}`,
    reading: "Text des Anhangs",
    result: (number, tool) => `Ergebnis von Aufruf ${number}, ${tool}`,
    failed: (kind) => `fehlgeschlagen: ${kind}`,
    ended: (reason) => `Die Runde endete: ${reason}`,
    reset: (time) => `Eine neue Unterhaltung, ${time}`,
    sawNothing: "Ab hier sah das Modell nichts mehr von dem, was oben steht.",
    auto: (step, of) => `Runde ${step} von höchstens ${of}, mit dem Ziel:`,
    inAnswerTo: "Als Antwort auf:",
    said: "Gesagt wurde:",
    attached: (name, bytes) => `Anhang: ${name}, ${bytes} Bytes`,
    cutOff: "abgebrochen",
    noted: "Darunter von der Plattform ergänzt:",
    thinking: "Gedanken:",
    answer: "Antwort:",
    call: (number, tool) => `Aufruf ${number}: ${tool}`,
    compaction: (strategy) => `Zusammenfassung: ${strategy}`,
    by: (model) => `von ${model}`,
    inPlaceOf: (from, to) =>
      `Ab hier sah das Modell dies anstelle der Einträge ${from} bis ${to}, die oben unverändert stehen:`,
    shortened: (entries) => `Diese Ergebnisse sah es gekürzt: ${entries}.`,
    undone: (time) => `Zurückgenommen, ${time}`,
    sawNothingOf: (from, to) =>
      `Ab hier sah das Modell nichts von den Einträgen ${from} bis ${to}.`,
    notUndone: "Was diese Aufrufe getan haben, wurde nicht rückgängig gemacht:",
  },

  console: {
    greeting: "Das ist Parley. Schreib etwas; /help zeigt alle Befehle, /quit beendet.",
    notHandedOver:
      "Das konnte noch nicht übergeben werden; es ist aufgehoben und wird wieder versucht.",
    questionIsOpen:
      "Eine Frage aus einer früheren Sitzung ist noch offen: Deine nächste Nachricht ersetzt sie.",
    questionReplaced: "Deine Nachricht ersetzt die offene Frage.",
    interruptAgain: "Zum Beenden noch einmal Strg-C drücken",
    file: (path) => `Datei: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Ich warte darauf, dass ${person} etwas freigibt oder ablehnt. Danach komme ich zu deiner Nachricht, spätestens in ${minutesLater(minutes)}.`,
    awaitsAdmin: (minutes) =>
      `Ich warte darauf, dass ein Admin etwas freigibt oder ablehnt. Danach komme ich zu deiner Nachricht, spätestens in ${minutesLater(minutes)}.`,
    awaitsDecision: (minutes) =>
      `Ich warte darauf, dass hier etwas freigegeben oder abgelehnt wird. Danach komme ich zu deiner Nachricht, spätestens in ${minutesLater(minutes)}.`,
    brokeOff: (model) => `${model} ist abgebrochen; ich frage noch einmal …`,
    shortening: "ich kürze unsere Unterhaltung …",
    shortened: (before, after) =>
      `Unsere frühere Unterhaltung ist gekürzt: etwa ${before} → ${after} Tokens. Nichts ist gelöscht; /export hat jedes Wort.`,
    nothingToShorten: "Es gibt noch nichts zu kürzen.",
    nothingToUndo: "Es gibt nichts zurückzunehmen.",
    nothingToRetry: "Es gibt nichts, was ich neu versuchen könnte.",
    cannotRetry:
      "Das kann ich nicht neu versuchen: Deine Nachricht ist inzwischen zusammengefasst. Bitte schick sie noch einmal.",
    undone: "Zurückgenommen: Deine letzte Nachricht und was darauf folgte, sehe ich nicht mehr.",
    undoneOf: (person) =>
      `Zurückgenommen: Die letzte Nachricht von ${person} und was darauf folgte, sehe ich nicht mehr.`,
    staysDone: (tools) => `Was getan ist, bleibt aber getan: ${tools}.`,
    messageKept:
      "Alle Worker sind gerade beschäftigt oder nicht da. Deine Nachricht ist aufgehoben und wird beantwortet.",
    waitsForPlace: (limit) =>
      `Deine Nachricht wartet: Es laufen so viele Antworten, wie das Limit erlaubt (${limit}). Ich komme von selbst darauf zurück.`,
    orderKept: (command) =>
      `Alle Worker sind gerade beschäftigt oder nicht da. Dein /${command} ist aufgehoben und wird ausgeführt.`,
  },

  edits: {
    refused: (why) =>
      `Nach dieser Änderung kann nicht gefragt werden: ${why} Der Aufruf wird noch einmal so gezeigt, wie er war.`,
    refusedAndGone: (why) =>
      `Nach dieser Änderung kann nicht gefragt werden: ${why} Auch nach dem Aufruf, wie er war, nicht mehr: Er wird nicht ausgeführt.`,
    notJson: 'Das ist kein JSON: Erwartet wird ein Objekt wie {"name": "wert"}.',
    unknownName: (name, known) => `Ein Argument ${name} gibt es hier nicht. Erwartet: ${known}.`,
    expected: (path, what) => `${path}: Erwartet wird ${what}.`,
    isMissing: (path) => `${path} fehlt.`,
    isHidden: (path) =>
      `${path} ist hier verborgen: Schreib es ganz neu, oder lass es, wie es ist.`,
    keptHidden: (path) =>
      `${path} ist hier verborgen: Nur wer gefragt hat, oder ein Admin, kann das Übrige ändern und es behalten.`,
    same: "Das ändert nichts: Um genau diese Argumente habe ich gebeten.",
    tooLong: (count) => `Das ist zu lang: höchstens ${count} Zeichen.`,
    how: "Was soll anders sein? /edit <id> name=wert, oder JSON mit allen Argumenten. Du kannst damit auch auf die Karte antworten.",
    which: "Welcher Aufruf? Beginne mit seiner Nummer: 2 name=wert.",
    title: "Argumente ändern",
    asJson: "Alle Argumente, als JSON",
    noForm:
      "Diese Argumente passen in kein Formular. Antworte auf die Karte mit name=wert oder mit JSON, das alle enthält.",
    types: {
      string: "ein Text",
      number: "eine Zahl",
      integer: "eine ganze Zahl",
      boolean: "true oder false",
      object: "ein JSON-Objekt",
      array: "eine JSON-Liste",
      null: "null",
    },
    oneOf: (choices) => `eines von ${choices}`,
  },

  grants: {
    none: "In diesem Chat läuft nichts ohne Frage: Niemand hat das erlaubt.",
    heading: "Was in diesem Chat ohne Frage läuft:",
    exactly: (given) => `mit genau ${given}`,
    alike: (given) => `mit beliebigen Argumenten wie ${given}`,
    lasts: (span) => `noch: ${span}`,
    allowedBy: (name) => `erlaubt von ${name}`,
    onlyFor: (name) => `nur wenn ${name} fragt`,
    howTo: "/grants revoke <nummer> nimmt eine Erlaubnis zurück.",
    revoked: (tool) => `Zurückgenommen: Bevor ich ${tool} wieder so benutze, frage ich.`,
    noSuch: (number) => `Eine Nummer ${number} gibt es hier nicht. /grants zeigt, was es gibt.`,
    notYours: "Das kann nur ein Admin zurücknehmen, oder wer es erlaubt hat.",
    given: (span) =>
      `Freigegeben. In den nächsten ${span} läuft derselbe Aufruf ohne Frage; /grants nimmt das zurück.`,
    givenAny: (span, tool) =>
      `Freigegeben. In den nächsten ${span} läuft ${tool} mit beliebigen Argumenten wie diesen ohne Frage; /grants nimmt das zurück.`,
    off: "Der Betreiber will, dass hiernach jedes Mal gefragt wird.",
    atMost: (span) => `Höchstens ${span}: Länger lässt der Betreiber es nicht gelten.`,
    noSpan: (typed) => `${typed} ist keine Zeit. Erwartet: 30m, 2h.`,
    adminsAny: "Andere Argumente als diese können nur Admins erlauben.",
    full: "Freigegeben. Mehr kann in diesem Chat nicht erlaubt werden: /grants zeigt, was erlaubt ist, und nimmt es zurück.",
    one: "Welcher Aufruf? /approve <id>.<nummer> always erlaubt einen davon.",
  },

  pause: {
    kept: "Dieser Bot macht Pause. Deine Nachricht ist aufgehoben und wird beantwortet, wenn es weitergeht.",
    halted:
      "Ich musste aufhören: Ein Admin hat diesen Bot angehalten. Frag bitte noch einmal, wenn es weitergeht.",
    scopes: {
      all: "alles",
      telegram: "die Chats in Telegram",
      discord: "die Chats in Discord",
      console: "das Terminal",
    },
    begun: (what) =>
      `Angehalten: ${what}. Keine neue Runde beginnt, und was läuft, kommt zu Ende. /resume hebt das auf.`,
    begunNow: (what) =>
      `Angehalten: ${what}. Keine neue Runde beginnt, und was lief, ist gestoppt. /resume hebt das auf.`,
    ended: (what) =>
      `Es geht weiter: ${what}. Was wartet, wird in den nächsten Sekunden beantwortet.`,
    notPaused: (what) => `Nicht angehalten: ${what}.`,
    stillAll: "Noch ist alles angehalten: /resume all hebt das auf.",
    unknown: (typed) => `${typed} ist nichts davon: all, telegram, discord, console, now.`,
    since: (moment) => `Angehalten seit ${moment}.`,
    sinceOf: (what, moment) => `Angehalten seit ${moment}: ${what}.`,
  },

  audit: {
    itself: "Parley selbst",
    heading: (count) =>
      `Die neuesten ${counted(count, { one: "Zeile", other: "Zeilen" })} des Protokolls, Zeiten in UTC:`,
    none: "Davon steht nichts im Protokoll.",
    part: "Ich habe nur die neuesten 20.000 Zeilen angesehen; /audit export hat alle.",
    unknown: (typed, kinds) =>
      `${typed} ist weder eine Zahl noch eine Person noch eine Art. Arten: ${kinds}.`,
    exported: (count) =>
      `Das Protokoll, ${grouped(count, { one: "Zeile", other: "Zeilen" })}, kommt als Datei in unseren privaten Chat.`,
    actions: {
      "approval-decided": "hat eine Freigabe entschieden",
      "approval-edited": "hat die Argumente einer Freigabe geändert",
      "values-shown": "hat verdeckte Werte einer Freigabe angesehen",
      "grant-given": "hat eine Dauererlaubnis gegeben",
      "grant-revoked": "hat eine Dauererlaubnis zurückgenommen",
      "limit-set": "hat eine Grenze gesetzt",
      "limit-reset": "hat eine Grenze zurückgesetzt",
      "role-set": "hat eine Rolle vergeben",
      "pairing-decided": "hat über einen Zugang entschieden",
      paused: "hat angehalten",
      resumed: "hat fortgesetzt",
      "setting-changed": "hat eine Einstellung geändert",
      broadcast: "hat an alle Chats geschrieben",
      "erasure-asked": "hat um eine Löschung gebeten",
      "attempt-denied": "wurde abgewiesen",
      "tool-executed": "hat ein Werkzeug laufen lassen",
    },
  },

  stats: {
    spent: (messages, tokens, cost) =>
      `${grouped(messages, { one: "Nachricht", other: "Nachrichten" })}, ${grouped(tokens, { one: "Token", other: "Tokens" })}, ${cost}`,
    chats: (today, thisMonth) =>
      `Chats, die geschrieben haben: etwa ${today} heute, ${thisMonth} in diesem Monat`,
    today: (spent) => `Heute: ${spent}`,
    thisMonth: (spent) => `In diesem Monat: ${spent}`,
    turns: (active, waiting) => `Runden: ${active} in Arbeit, ${waiting} warten`,
    deliveries: (waiting) => `Zustellungen: ${waiting} warten`,
    deadLetters: (count) => `Aufgegebene Nachrichten: ${count}`,
    running: (version, span) => `Parley ${version}, läuft seit ${span}`,
  },

  broadcast: {
    asks: (count) => `Das geht an ${counted(count, { one: "Chat", other: "Chats" })}:`,
    asksMore: (count) => `Das geht an mehr als ${counted(count, { one: "Chat", other: "Chats" })}:`,
    yes: "Abschicken",
    confirm: (command) => `Tippe auf den Knopf oder schick innerhalb von 5 Minuten ${command}.`,
    begun: "Es ist unterwegs. Ich sage Bescheid, wenn alle Chats es haben.",
    done: (count) => `Deine Nachricht ging an ${counted(count, { one: "Chat", other: "Chats" })}.`,
    nobody: "Es gibt noch keinen Chat, an den das gehen könnte.",
    tooLong: (length, limit) => `Das hat ${length} Zeichen; ich nehme bis zu ${limit}.`,
    expired: "Das bestätigt nichts oder ist abgelaufen: Frag noch einmal mit /broadcast.",
  },
};
