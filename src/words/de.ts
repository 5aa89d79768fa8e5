import { countedIn, groupedIn } from "./counted.ts";
import type { Words } from "./words.ts";

const counted = countedIn("de");
const grouped = groupedIn("de");
const turns = (count: number): string =>
  counted(count, { one: "Runde", other: "Runden" });
const waitingMessages = (count: number): string =>
  counted(count, { one: "wartende Nachricht", other: "wartende Nachrichten" });
const entriesOf = (count: number): string =>
  counted(count, { one: "Eintrag", other: "Einträge" });
const minutesLater = (count: number): string =>
  counted(count, { one: "Minute", other: "Minuten" });

export const de: Words = {
  door: {
    notAllowed: "Du darfst diesen Bot nicht benutzen.",
    adminsOnly: (command) =>
      `Du darfst /${command} nicht benutzen: Das ist den Admins vorbehalten.`,
    noCommand: (command) =>
      `Den Befehl /${command} gibt es nicht. /help zeigt alle.`,
    wroteNothing: "Du hast nichts geschrieben. Was kann ich für dich tun?",
    tooLong: (length, limit) =>
      `Diese Nachricht hat ${length} Zeichen; ich nehme höchstens ${limit}. Schick sie in mehreren Teilen.`,
    full: "In diesem Chat warten zu viele Nachrichten. Diese hier wird nicht aufgehoben: Bitte schick sie später noch einmal.",
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
    empty: (name) => `${name} ist leer.`,
  },

  inPrivate: {
    askThere: "Das ist privat: Schreib mir direkt und frag dort.",
    full: "Entschuldige, für dich wartet schon zu viel darauf, privat gesendet zu werden. Bitte versuch es später noch einmal.",
    answered: "Ich habe dir privat geantwortet.",
    writeFirst:
      "Falls nichts angekommen ist: Schreib mir einmal direkt und frag dann noch einmal.",
    askedIn: (group) =>
      `Du hast in der Gruppe ${group} gefragt; „dieser Chat“ ist diese Gruppe:`,
    topic: (thread) => `Thema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} möchte diesen Bot benutzen.`,
    code: (code) => `Code: ${code}`,
    allow: "Zulassen",
    deny: "Ablehnen",
    yourCode: (code) =>
      `Du darfst diesen Bot noch nicht benutzen. Ein Admin kann dich zulassen: Dein Code ist ${code}.`,
    unknownCode:
      "Dieser Code ist unbekannt, abgelaufen oder schon entschieden.",
    isAdmin: (who) => `${who} ist schon Admin.`,
    allowed: (who, admin) => `${who}: zugelassen von ${admin}.`,
    denied: (who, admin) => `${who}: abgelehnt von ${admin}.`,
    youMay: "Du darfst diesen Bot jetzt benutzen. Schreib mir einfach.",
    mayUse: (who) => `${who} darf diesen Bot jetzt benutzen.`,
    neither: (typed) =>
      `${typed} ist weder ein Code aus 8 Buchstaben und Ziffern noch eine Kennung wie telegram:12345.`,
    adminsDecide: "Du darfst das nicht entscheiden: Das darf ein Admin.",
  },

  start: {
    youAreAdmin:
      "Du bist jetzt Admin dieses Bots. /help zeigt, was du tun kannst.",
    hello: (place) => `Ich beantworte Fragen ${place}: Schreib mir einfach.`,
    places: {
      telegram: "hier in Telegram",
      discord: "hier in Discord",
      console: "in diesem Terminal",
    },
    tools: (count) =>
      `Ich kann ${counted(count, { one: "Werkzeug", other: "Werkzeuge" })} benutzen (siehe /tools). Was eine Freigabe braucht, tue ich erst, wenn du auf „Freigeben“ getippt hast.`,
    noTools:
      "Was eine Freigabe braucht, tue ich erst, wenn du auf „Freigeben“ getippt hast.",
    direct:
      "Hier beantworte ich alles; in einer Gruppe erwähne mich oder antworte mir.",
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

  menu: {
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
      turns: (limit, usual) =>
        `Wie viele Runden höchstens: 1 bis ${limit}, ohne Angabe ${usual}`,
    },
    tier: {
      description: "Wie viel Modell antwortet: fast, smart, deep …",
      tier: "Welche Stufe; default nimmt die Wahl zurück",
    },
    model: {
      description: "Welches Modell zuerst gefragt wird",
      model:
        "Name eines Modells oder ein Teil davon; default nimmt die Wahl zurück",
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
    approvals: { description: "Was in diesem Chat auf eine Freigabe wartet" },
    approve: {
      description: "Freigeben, worum ich gebeten habe",
      id: "Welche; /approvals zeigt sie",
    },
    deny: {
      description: "Ablehnen, worum ich gebeten habe",
      id: "Welche; /approvals zeigt sie",
      reason: "Warum; ich erfahre es",
    },
    tools: {
      description: "Was ich benutzen kann und was davon erst fragt",
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
    role: { description: "Deine Rolle und was du damit darfst" },
    allow: {
      description: "Jemanden zulassen",
      code: "Der Code, den der Bot vergeben hat, oder eine Kennung wie telegram:12345",
    },
  },

  control: {
    full: "In diesem Chat warten zu viele Nachrichten: Es gibt eine Grenze. Bitte versuch es später noch einmal.",
    begun: "Einen Moment.",
    dropped: (count) => `${waitingMessages(count)} verworfen.`,
    nothingToStop: "Es gibt nichts anzuhalten.",
    stopped: "Angehalten.",
    stoppedAndDropped: (count) =>
      `Angehalten und ${waitingMessages(count)} verworfen.`,
    newConversation:
      "Eine neue Unterhaltung: Ich sehe nicht mehr, was wir vorher gesagt haben.",
  },

  auto: {
    running: (step, of) =>
      `/auto arbeitet schon an etwas, Runde ${step} von ${of}. /stop beendet es.`,
    begun: (of) =>
      of === 1
        ? `Ich arbeite selbstständig daran, ${turns(of)} lang. /stop beendet es.`
        : `Ich arbeite selbstständig daran, bis zu ${turns(of)} lang. /stop beendet es.`,
    noGoal: "Was ist das Ziel? Schreib /auto <Ziel> [Runden].",
    badTurns: (limit, typed) =>
      `/auto nimmt 1 bis ${limit} Runden, nicht ${typed}.`,
    numberHint:
      "Gehört die Zahl zum Ziel, dann schreib die Zahl der Runden dahinter.",
    goalTooLong: (length, limit) =>
      `Das Ziel hat ${length} Zeichen; die Grenze ist ${limit}.`,
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
      notForChat:
        "Du darfst die Stufe dieses Chats nicht wählen: Das darf ein Admin.",
      notAnonymously:
        "Du schreibst anonym; eine eigene Stufe ist da nicht erlaubt.",
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
      notForChat:
        "Du darfst das Modell dieses Chats nicht wählen: Das darf ein Admin.",
      notAnonymously:
        "Du schreibst anonym; ein eigenes Modell ist da nicht erlaubt.",
      noneOfYours: "Du hast kein Modell gewählt: Die Stufe entscheidet.",
      noneOfChats:
        "Für diesen Chat ist kein Modell eingestellt: Die Stufe entscheidet.",
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
    yoursFirst: (value) =>
      `Für dich geht deine eigene Wahl, ${value}, weiterhin vor.`,
    noTier: (typed, tiers) =>
      `Die Stufe ${typed} gibt es nicht. Es gibt: ${tiers} und default.`,
    noModel: (typed) => `Das Modell ${typed} gibt es nicht.`,
    several: (typed, models) =>
      `Mit ${typed} kann mehr als ein Modell gemeint sein: ${models}.`,
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
    cannotBe: (name, typed, expected) =>
      `${name} kann nicht ${typed} sein: ${expected}.`,
    isNow: (name, value) => `${name} ist in diesem Chat jetzt ${value}.`,
    noneChosen: (kind) => `${kind}: nichts gewählt (siehe /${kind})`,
    yourChoice: (kind, value) =>
      `${kind}: ${value} (deine eigene Wahl; siehe /${kind})`,
    chatsChoice: (kind, value) =>
      `${kind}: ${value} (für diesen Chat eingestellt; siehe /${kind})`,
    default: (name, value) => `${name}: ${value} (wie üblich)`,
    own: (name, value, fallback) =>
      `${name}: ${value} (für diesen Chat eingestellt; üblich: ${fallback})`,
    adminsOnly: (name) => `Du darfst ${name} nicht ändern: Das darf ein Admin.`,
    adminsInGroups: (name) =>
      `Du darfst ${name} in einer Gruppe nicht ändern: Das darf ein Admin.`,
    which: "Welche Einstellung?",
    unknown: (typed) => `Die Einstellung ${typed} gibt es nicht.`,
    expectedWords: (words) => `erwartet wird ${words} oder default`,
  },

  activation: {
    direct: "Hier schreibst nur du mir: Ich beantworte alles.",
    mention:
      "Ich antworte, wenn mich jemand erwähnt, mir antwortet oder einen Befehl schickt.",
    always: "Ich beantworte jede Nachricht dieser Gruppe.",
    how: "/activation mention oder /activation always ändert das.",
    telegramHint:
      "Dafür muss ich jede Nachricht sehen: Mach mich zum Admin dieser Gruppe oder schalte bei @BotFather meinen Privacy Mode aus.",
    discordHint:
      "Dafür muss ich jede Nachricht sehen: Wer mich betreibt, stellt discord.messageContent ein.",
    unknown: (typed) =>
      `/activation nimmt mention oder always, nicht ${typed}.`,
  },

  language: {
    name: "Deutsch",
    isNow: "Ich rede jetzt Deutsch mit dir.",
    isAuto: "Ich richte mich nach deiner App: Wir reden Deutsch.",
    is: "Ich rede Deutsch mit dir, weil du das gewählt hast.",
    how: (codes) =>
      `/language <${codes}> ändert das, /language auto richtet sich nach deiner App.`,
    unknown: (typed, codes) =>
      `Die Sprache ${typed} habe ich nicht. Es gibt: ${codes} und auto.`,
    notAnonymously:
      "Du schreibst anonym; eine eigene Sprache ist da nicht erlaubt.",
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
  },

  decisions: {
    otherChat: "Dieser Knopf gehört nicht zu diesem Chat oder ist zu alt.",
    otherMessage: "Dieser Knopf gehört nicht zu dieser Nachricht.",
    notAllowed: (who) => `Du darfst das nicht entscheiden: Das darf ${who}.`,
    anAdmin: "ein Admin",
    orAnAdmin: (name) => `${name} oder ein Admin`,
    approved: "Freigegeben.",
    denied: "Abgelehnt.",
    approvedOf: (done, of) => `Freigegeben: ${done} von ${of}.`,
    deniedOf: (done, of) => `Abgelehnt: ${done} von ${of}.`,
    approvedBy: (name) => `Freigegeben von ${name}.`,
    deniedBy: (name) => `Abgelehnt von ${name}.`,
    deniedBecause: (name, reason) => `Abgelehnt von ${name}: ${reason}`,
    undecided:
      "Abgelaufen: Niemand hat rechtzeitig entschieden, also wurde es abgelehnt.",
    expired: "Das ist abgelaufen.",
    tooLate:
      "Das hat zu lange gedauert und zählt nicht. Bitte tippe noch einmal.",
    tooOld: "Dieser Knopf ist zu alt.",
    already: {
      pending: "Das ist noch nicht entschieden.",
      approved: "Das ist schon freigegeben.",
      denied: "Das ist schon abgelehnt.",
      expired: "Das ist abgelaufen.",
      superseded: "Das ist schon überholt.",
      cancelled: "Das ist schon abgebrochen.",
    },
    alreadyApprovedBy: (name) => `Das hat ${name} schon freigegeben.`,
    alreadyDeniedBy: (name) => `Das hat ${name} schon abgelehnt.`,
    superseded: "Nicht ausgeführt: überholt von einer neueren Nachricht.",
    stopped: "Nicht ausgeführt: angehalten.",
    unknownId: (id) =>
      `Hier wartet keine Freigabe ${id}. /approvals zeigt, was wartet.`,
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
    secretsHidden: "Geheimes ist verdeckt: ••••.",
    details: (call) => `Alles, was ${call} bekommen würde:`,
    decides: (who) => `Es entscheidet: ${who}.`,
    expiresAt: (moment) => `Läuft ab: ${moment}.`,
    expiresIn: (duration) => `Läuft ab in ${duration}.`,
    typed: (id) => `Als Text: \`/approve ${id}\` oder \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Als Text: \`/approve ${id}\` für alle, \`/approve ${id}.1\` für den ersten, \`/deny\` ebenso.`,
    approved: (number) => `✓ ${number} freigegeben`,
    approvedBy: (number, name) => `✓ ${number} freigegeben von ${name}`,
    denied: (number) => `✗ ${number} abgelehnt`,
    deniedBy: (number, name) => `✗ ${number} abgelehnt von ${name}`,
    expired: (number) =>
      `✗ ${number} abgelaufen: niemand hat rechtzeitig entschieden`,
    superseded: (number) =>
      `✗ ${number} nicht ausgeführt: überholt von einer neueren Nachricht`,
    stopped: (number) => `✗ ${number} nicht ausgeführt: angehalten`,
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
    tryAgain:
      "Entschuldige, das hat nicht geklappt. Bitte versuch es gleich noch einmal.",
    notTaken: (errorId) =>
      `Entschuldige, diese Nachricht konnte ich nicht annehmen. (${errorId})`,
    whatAboutThis: "Was kannst du mir dazu sagen?",
  },

  telegram: {
    buttonIsGone: "Dieser Knopf geht nicht mehr.",
    fileIsGone:
      "Entschuldige, Telegram gibt mir diese Datei nicht. Bitte schick sie noch einmal.",
    fileOutOfReach:
      "Entschuldige, ich konnte diese Datei nicht von Telegram holen. Bitte schick sie später noch einmal.",
    fileTooLarge: (megabytes) =>
      `Diese Datei ist zu groß: Ich nehme Dateien bis ${megabytes} MB.`,
    cannot: {
      animation:
        "Entschuldige, GIFs kann ich nicht ansehen. Schick stattdessen ein Bild davon.",
      video:
        "Entschuldige, Videos kann ich nicht ansehen. Schick ein Bild davon, oder den Ton als Sprachnachricht.",
      sticker:
        "Entschuldige, Sticker kann ich nicht sehen. Schick ein Bild, oder schreib es.",
      paid_media:
        "Entschuldige, bezahlte Medien kann ich nicht öffnen. Sag mir in Worten, worum es geht.",
      story:
        "Entschuldige, Storys kann ich nicht öffnen. Sag mir in Worten, worum es geht.",
      contact:
        "Entschuldige, geteilte Kontakte kann ich nicht lesen. Schreib, was ich davon wissen soll.",
      venue:
        "Entschuldige, geteilte Orte kann ich nicht lesen. Schreib stattdessen die Adresse.",
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
    unknownCommand: "Diesen Befehl gibt es nicht mehr.",
    unknownAction: "Damit kann ich nichts anfangen.",
    elsewhere:
      "Ich kann nur in einer Direktnachricht an mich antworten, oder auf einem Server, auf dem ich bin.",
    mayNotWrite:
      "Ich darf in diesem Kanal nicht schreiben, also kann ich hier nicht antworten.",
    mayNotAttach:
      "Ich darf in diesem Kanal keine Dateien senden, also geht das hier nicht.",
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
    archive: (name) =>
      `Archive kann ich nicht öffnen (${name}). Schick die Dateien darin einzeln.`,
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
    andUnpriced: (amount) =>
      `${amount}, dazu das, wofür kein Preis bekannt ist`,
  },

  whoami: {
    name: (name) => `Name: ${name}`,
    id: (id) => `Kennung: ${id}`,
    role: (role) => `Rolle: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Du schreibst anonym: Du kannst hier nichts entscheiden.",
    may: {
      admin:
        "Du darfst alles: mit mir reden, entscheiden, worum ich bitte, Einstellungen ändern und Leute zulassen.",
      member:
        "Du darfst mit mir reden, entscheiden, worum ich dich bitte, und ändern, was nur dich betrifft.",
      stranger: "Du darfst noch nicht mit mir reden.",
      banned: "Du darfst nicht mit mir reden.",
    },
  },

  export: {
    adminsOnly:
      "Du darfst nicht exportieren, was eine Gruppe gesagt hat: Das darf nur ein Admin.",
    badFormat: (typed) =>
      `${typed} ist kein Format von /export: Erwartet wird json, markdown oder nichts.`,
    full: "Entschuldige, in diesem Chat wartet zu viel darauf, gesendet zu werden. Bitte versuch es später noch einmal.",
    nothing: "Es gibt nichts zu exportieren: Wir haben noch nichts gesagt.",
    done: (entries) =>
      `Alles, was wir gesagt haben, ${entriesOf(entries)}, steht in der Datei.`,
    doneIn: (entries, files) =>
      `Alles, was wir gesagt haben, ${entriesOf(entries)}, steht in ${files} Dateien.`,
    shown: "Alle hier können sie sehen.",
  },

  forget: {
    notAnonymously:
      "Du darfst im Namen einer Gruppe oder eines Kanals nichts löschen.",
    inPrivateOnly:
      "Das ist hier nicht erlaubt: Schreib mir /forget me in unserem privaten Chat.",
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
      me: "Das löscht endgültig: alle deine privaten Chats mit mir, dein Profil mit deinen Vorlieben und deiner Rolle (vielleicht musst du neu zugelassen werden), und in Gruppen, was du geschrieben und ich dir geantwortet habe. Was ich gerade für dich tue, endet.\nNotizen und Aufgaben von Gruppen bleiben, weil niemand weiß, wer sie geschrieben hat; ebenso, was andere über dich geschrieben haben, und die Nachrichten in der App selbst. Eine Sperre bleibt, ohne deinen Namen.",
    },
    expired: (scope) =>
      `Das bestätigt nichts oder ist abgelaufen: Nur wer gefragt hat, kann bestätigen, hier und innerhalb von 5 Minuten. Frag neu mit /forget ${scope}.`,
    begun: "Einen Moment. Ich sage Bescheid, wenn alles gelöscht ist.",
    chatDone: "Fertig: Alles, was ich von diesem Chat hatte, ist gelöscht.",
    meDone:
      "Fertig: Deine privaten Chats mit mir und dein Profil sind gelöscht.",
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
    denied:
      "Ich habe hier aufgehört, weil nicht freigegeben wurde, was ich tun wollte.",
    notAllowed:
      "Ich habe hier aufgehört, weil nicht erlaubt ist, was ich tun wollte.",
    toolFailed: "Ich habe hier aufgehört, weil ein Werkzeug gescheitert ist.",
    poisoned: (errorId) =>
      `Entschuldige, diese Nachricht musste ich aufgeben: Die Arbeit daran ist dreimal gescheitert. Bitte versuch es anders. (${errorId})`,
    stopped: "(angehalten)",
    interrupted: "(unterbrochen)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Entschuldige, der Dienst des Modells hat gerade zu viele Anfragen. (${errorId})`,
    overloaded: (errorId) =>
      `Entschuldige, der Dienst des Modells ist überlastet. (${errorId})`,
    timeout: (errorId) =>
      `Entschuldige, das Modell hat zu lange gebraucht. (${errorId})`,
    network: (errorId) =>
      `Entschuldige, das Modell war nicht zu erreichen. (${errorId})`,
    "context-overflow": (errorId) =>
      `Entschuldige, diese Unterhaltung ist zu lang für das Modell; /new beginnt eine neue. (${errorId})`,
    auth: (errorId) =>
      `Entschuldige, der Dienst des Modells hat unseren Schlüssel abgelehnt. (${errorId})`,
    "invalid-request": (errorId) =>
      `Entschuldige, der Dienst des Modells hat die Anfrage abgelehnt. (${errorId})`,
    refused: (errorId) =>
      `Entschuldige, das Modell wollte nicht antworten. (${errorId})`,
    empty: (errorId) =>
      `Entschuldige, das Modell hat eine leere Antwort gegeben. (${errorId})`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Ich warte darauf, dass ${person} etwas freigibt oder ablehnt. Danach komme ich zu deiner Nachricht, spätestens in ${minutesLater(minutes)}.`,
    awaitsAdmin: (minutes) =>
      `Ich warte darauf, dass ein Admin etwas freigibt oder ablehnt. Danach komme ich zu deiner Nachricht, spätestens in ${minutesLater(minutes)}.`,
    brokeOff: (model) => `${model} ist abgebrochen; ich frage noch einmal …`,
    shortening: "ich kürze unsere Unterhaltung …",
    shortened: (before, after) =>
      `Unsere frühere Unterhaltung ist gekürzt: etwa ${before} → ${after} Tokens. Nichts ist gelöscht; /export hat jedes Wort.`,
    nothingToShorten: "Es gibt noch nichts zu kürzen.",
    nothingToUndo: "Es gibt nichts zurückzunehmen.",
    nothingToRetry: "Es gibt nichts, was ich neu versuchen könnte.",
    cannotRetry:
      "Das kann ich nicht neu versuchen: Deine Nachricht ist inzwischen zusammengefasst. Bitte schick sie noch einmal.",
    undone:
      "Zurückgenommen: Deine letzte Nachricht und was darauf folgte, sehe ich nicht mehr.",
    undoneOf: (person) =>
      `Zurückgenommen: Die letzte Nachricht von ${person} und was darauf folgte, sehe ich nicht mehr.`,
    staysDone: (tools) => `Was getan ist, bleibt aber getan: ${tools}.`,
    messageKept:
      "Alle Worker sind gerade beschäftigt oder nicht da. Deine Nachricht ist aufgehoben und wird beantwortet.",
    orderKept: (command) =>
      `Alle Worker sind gerade beschäftigt oder nicht da. Dein /${command} ist aufgehoben und wird ausgeführt.`,
  },
};
