import { countedIn, moneyIn, numberIn } from "./counted.ts";
import type { Locale } from "./locale.ts";
import { findingsDe } from "./findings/de.ts";
import { pageDe } from "./page/de.ts";

const counted = countedIn("de");
const n = numberIn("de");
const { money, exactMoney } = moneyIn("de");

export const de: Locale = {
  ingress: {
    notAllowed: "Ich antworte leider nur freigeschalteten Personen.",
    adminsOnly: (command) => `Nur Admins können /${command} benutzen.`,
    membersOnly: (command) =>
      `Nur Mitglieder können /${command} benutzen, und du bist Gast. Bitte einen Admin, dich zum Mitglied zu machen.`,
    ownersOnly: (command) => `Nur Eigentümer können /${command} benutzen.`,
    noCommand: (command) => `/${command} kenne ich nicht. /help all zeigt alle Befehle.`,
    wroteNothing: "Ja? Was kann ich für dich tun?",
    tooLong: (length, limit) =>
      `Diese Nachricht ist zu lang (${n(length)} Zeichen, möglich sind ${n(limit)}). Bitte teile sie auf.`,
    full: "Ich komme in diesem Chat gerade nicht hinterher und konnte diese Nachricht nicht annehmen. Bitte schick sie in ein paar Minuten noch einmal.",
    fullWhilePaused:
      "Ich mache gerade Pause, und in diesem Chat warten schon so viele Nachrichten, dass ich diese nicht mehr aufheben kann. Bitte schick sie noch einmal, wenn ich wieder da bin.",
    leftOut: (count) =>
      `Ab hier nicht angenommen: ${counted(count, { one: "Nachricht", other: "Nachrichten" })}.`,
    notKept: (errorId) =>
      `Entschuldige, mein Speicher ist voll und ich konnte deine Nachricht nicht speichern. Bitte schick sie später noch einmal. (Fehler ${errorId})`,
    notDone: (errorId) =>
      `Entschuldige, mein Speicher ist voll, deshalb geht das gerade nicht. Bitte versuch es später noch einmal. (Fehler ${errorId})`,
    tapTooOld: "Dieser Button funktioniert nicht mehr.",
    tapTooLate: "Das hat zu lange gedauert. Bitte tippe noch einmal.",
    notAllowedInGroup:
      "Ich antworte leider nur freigeschalteten Personen. Ein Admin kann mich mit /allow here für diese Gruppe freischalten.",
  },

  files: {
    noVoice: "Sprachnachrichten kann ich hier nicht anhören. Bitte schreib es stattdessen.",
    noImage: (name) => `${name} lässt sich nicht öffnen. Ich kann PNG, JPEG, GIF und WebP lesen.`,
    noText: (name) =>
      `${name} lässt sich nicht lesen. Ich kann Bilder (PNG, JPEG, GIF, WebP), PDFs und Textdateien lesen.`,
    blind: {
      picture: (name) =>
        `${name} kann ich nicht ansehen, denn Bilder sehe ich nicht. Beschreib es bitte in Worten.`,
      file: (name) => `${name} lässt sich nicht lesen. Ich kann PDFs und Textdateien lesen.`,
      video: "Videos kann ich nicht ansehen. Beschreib es bitte in Worten.",
    },
    reading: (name) => `${name} wird gelesen …`,
    nameless: {
      image: "Das Bild",
      document: "Das Dokument",
      voice: "Die Sprachnachricht",
    },
    tooMany: (count, limit) =>
      `Das sind zu viele Dateien (${count}). Bitte schick höchstens ${limit} auf einmal.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} ist zu groß (${megabytes} MB). Das Limit ist ${limit} MB.`,
    chatIsFull: (count, megabytes) =>
      `Dieser Chat hat das Dateilimit für heute erreicht (${count} Dateien oder ${megabytes} MB). Bitte versuch es morgen noch einmal.`,
    empty: (name) => `${name} ist leer.`,
  },

  inPrivate: {
    askThere: "Das klären wir besser privat. Schreib mir direkt.",
    full: "Entschuldige, für dich warten schon zu viele private Nachrichten. Bitte versuch es später noch einmal.",
    answered: "Ich habe dir die Antwort privat geschickt.",
    writeFirst: "Nichts angekommen? Schreib mir erst einmal direkt und frag dann noch einmal.",
    askedIn: (group) => `Für die Gruppe ${group}:`,
    topic: (thread) => `Thema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} möchte diesen Bot benutzen.`,
    code: (code) => `Code: ${code}`,
    allow: "Zulassen",
    deny: "Ablehnen",
    yourCode: (code) =>
      `Hallo! Dieser Bot ist privat. Ich habe den Admin gebeten, dich zuzulassen. Dein Code, falls er danach fragt: ${code}`,
    askedOwner: (code) =>
      `Ich habe jetzt einen Eigentümer und habe ihn gebeten, dich zuzulassen. Dein Code, falls er danach fragt: ${code}`,
    unknownCode:
      "Diesen Code kenne ich nicht. Vielleicht ist er abgelaufen, oder es wurde schon entschieden.",
    isAdmin: (who) => `${who} ist schon Admin.`,
    allowed: (who, admin) => `${admin} hat ${who} zugelassen.`,
    denied: (who, admin) => `${admin} hat ${who} abgelehnt.`,
    youMay: "Du bist dabei! Frag mich, was du willst.",
    mayUse: (who) => `${who} kann diesen Bot jetzt benutzen.`,
    neither: (typed) =>
      `Mit ${typed} kann ich nichts anfangen. Ich brauche einen Code aus 8 Zeichen, einen Namen wie @sam oder eine ID wie telegram:12345.`,
    adminsDecide: "Das kann nur ein Admin entscheiden.",
  },

  start: {
    youAreOwner: "Dieser Bot gehört jetzt dir. Sag Hallo, oder schau in /help.",
    hello: "Hallo, ich bin Parley. Frag mich, was du willst.",

    tools: (count) =>
      `Ich habe ${counted(count, { one: "Werkzeug", other: "Werkzeuge" })} (/tools).`,

    direct: "In Gruppen: Erwähne mich oder antworte auf eine meiner Nachrichten.",
    mention: "In dieser Gruppe: Erwähne mich oder antworte mir.",
    always: "In dieser Gruppe beantworte ich jede Nachricht.",
    privacy: (model) =>
      `Deine Nachrichten werden gespeichert und an das KI-Modell ${model} geschickt. /export lädt sie herunter, /forget löscht sie, /help zeigt mehr.`,
    question: "Wie spät ist es in Tokio?",
    showTools: "Zeig deine Werkzeuge",
    showSettings: "Zeig die Einstellungen",
    wrongCode: "Dieser Code stimmt nicht. Kopiere die /start-Zeile noch einmal aus dem Terminal.",
    asksFirst: "Bevor ich etwas ändere, frage ich dich.",
    directOnDiscord: "Auf einem Server: Erwähne mich oder antworte auf eine meiner Nachrichten.",
  },

  help: {
    groups: {
      talk: "Unterhaltung",
      choose: "Wie ich arbeite",
      look: "Aktueller Stand",
      data: "Deine Daten",
      admin: "Für Admins",
    },
    more: "/help <Befehl> erklärt einen Befehl.",
    alias: (names) => `Auch: ${names}.`,
    all: "/help all zeigt alle Befehle.",
    terminal: "Im Terminal",
    quit: "Parley beenden",
  },

  contact: {
    noOwner:
      "Hallo! Dieser Bot ist privat, und ich habe noch keinen Eigentümer. Wenn du mich betreibst, öffne den Link im Terminal.",
    noOwnerOnDiscord:
      "Hallo! Dieser Bot ist privat, und ich habe noch keinen Eigentümer. Wenn du mich betreibst, schick mir den /start-Code aus dem Terminal in einer privaten Nachricht.",
    waiting: "Diese Leute möchten den Bot benutzen:",
    more: (count) => `… und ${n(count)} weitere.`,
    nobodyWaits: "Niemand wartet darauf, zugelassen zu werden.",
    howToAllow: "Mit /allow und einem Code lässt du jemanden zu.",
    groupsWait: "Diese Gruppen möchten den Bot benutzen:",
    hello: "Hallo, ich bin Parley.",
    greeting: "Hallo, ich bin Parley. Erwähne mich oder antworte mir, dann antworte ich.",
    seeHelp: "/help zeigt, was ich kann.",
    askedOwner:
      "Diese Gruppe kenne ich noch nicht. Ich habe meinen Eigentümer gebeten, sie zuzulassen.",
    letIn: (place) => `${place} zulassen?`,
    addedBy: (who) => `${who} hat mich hinzugefügt.`,
    leave: "Verlassen",
    stayQuiet: "Still bleiben",
    placeAllowed: (place, admin) => `${admin} hat ${place} zugelassen.`,
    placeLeft: (place, admin) => `${admin} hat mich aus ${place} entfernt.`,
    placeQuiet: (place, admin) => `${admin} möchte, dass ich in ${place} still bleibe.`,
    alreadyDecided: (outcome) => `Das ist schon entschieden. ${outcome}`,
    stillAtLimit: "Dieses Limit ist immer noch erreicht.",
    silent: "Das dauert etwas: Das Modell hat noch nichts gesagt. /stop bricht ab.",
  },

  errors: {
    tellOperator: "Bitte sag der Person Bescheid, die mich betreibt.",
    toldOwner: "Ich habe meinem Eigentümer Bescheid gesagt.",
    cause: (cause) => `Ursache: ${cause}`,
    fix: {
      "rate-limited": (when) =>
        `Versuch es ${when ?? "in einer Minute"} noch einmal, oder trage in parley.yaml ein zweites Modell für die Stufe ein, das dann einspringt.`,
      overloaded: (when) =>
        `Versuch es ${when ?? "später"} noch einmal, oder trage in parley.yaml ein zweites Modell für die Stufe ein, das dann einspringt.`,
      timeout:
        "Der Modellserver ist zu langsam. Nimm ein kleineres Modell, oder sieh nach, ob der Server ausgelastet ist.",
      network:
        "Starte den Modellserver (bei Ollama: ollama serve), oder korrigiere seine Adresse (OLLAMA_HOST, OPENAI_BASE_URL).",
      "context-overflow": "Nimm ein Modell mit größerem Kontextfenster oder weniger Werkzeuge.",
      auth: "Prüfe den API-Schlüssel (OPENAI_API_KEY oder apiKey in parley.yaml; bei Ollama die Anmeldung in OLLAMA_HOST).",
      "no-credit":
        "Der Schlüssel stimmt, aber das Konto hat kein Guthaben. Lade es auf der Abrechnungsseite des Anbieters auf, oder erhöhe das Ausgabenlimit des Schlüssels.",
      "unknown-model":
        "Trage ein Modell ein, das der Anbieter hat (OPENAI_MODEL, OLLAMA_MODEL oder tiers in parley.yaml). Bei Ollama lädt ollama pull es herunter.",
      "invalid-request": "Der Anbieter hat die Anfrage abgelehnt; die Ursache oben sagt, warum.",
      moderated:
        "Die Moderation des Anbieters hat die Anfrage beanstandet. Wenn das oft passiert, versuch es mit /model und einem anderen Modell.",
      "broken-call":
        "Das Modell benutzt Werkzeuge nicht so, dass es funktioniert. Versuch es mit /model und einem anderen Modell, oder prüfe den Tool-Parser und das Chat-Template seines Servers.",
      refused:
        "Der Anbieter hat diese Anfrage abgelehnt. Versuch es mit /model und einem anderen Modell.",
      empty: "Das Modell hat nichts geantwortet. Versuch es mit /model und einem anderen Modell.",
      poisoned: "Ein Prozess ist an dieser Stelle dreimal abgestürzt. Suche den Fehlercode im Log.",
    },
    heading: (id) => `Fehler ${id}`,
    latest: "Die neuesten Fehler (UTC):",
    when: (time) => `Wann: ${time} UTC`,
    model: (model) => `Modell: ${model}`,
    inLog: (path) => `Einzelheiten stehen in ${path}.`,
    trace: (chat) => `Mehr in der Shell: npm run trace -- ${chat}`,
    none: "In letzter Zeit gab es keine Fehler.",
    unknown: (typed, days) =>
      `Einen Fehler ${typed} kenne ich nicht. Ich merke mir die neuesten ${n(days)} Tage lang; im Log steht vielleicht mehr.`,
  },

  outage: {
    stopped: (model, since) => `Seit ${since} bekommt niemand Antworten von ${model}.`,
    replaced: (model, since) =>
      `${model} antwortet seit ${since} nicht. Ein anderes Modell springt ein.`,
    cutOff: (platform, bot, since) =>
      `Ich habe seit ${since} keine Verbindung zu ${platform} (Bot ${bot}). Dort bekommt niemand Antworten.`,
    backAgain: (platform, bot, lasted) =>
      `Ich bin nach ${lasted} wieder bei ${platform} (Bot ${bot}).`,
    page: (url) => `Dashboard: ${url}`,
    over: (model, lasted) => `${model} antwortet wieder, nach ${lasted}.`,
    unanswered: (count) =>
      `${counted(count, { one: "Nachricht blieb", other: "Nachrichten blieben" })} in dieser Zeit ohne Antwort.`,
  },

  menu: {
    pending: { description: "Wer diesen Bot benutzen möchte" },
    error: {
      description: "Was ich über einen Fehler weiß",
      id: "Der Code in Klammern unter dem Fehler; leer lassen für die neuesten",
    },
    pause: {
      pause: "Nicht mehr antworten, überall oder auf einer Plattform",
      resume: "Nach /pause weitermachen",
      platform: "Wo (leer lassen für überall)",
      now: "Auch laufende Antworten stoppen",
    },
    audit: {
      description: "Protokoll, Neuestes zuerst",
      count: "Wie viele Zeilen",
      who: "Nur diese Person, mit @Name oder ID",
      what: "Nur diese Art, oder „export“ für alles als Datei",
    },
    stats: { description: "Statistik" },
    doctor: { description: "Diese Installation untersuchen und sagen, was zu beheben ist" },
    dashboard: {
      description: "Das Dashboard im Browser öffnen",
      action: "off meldet alle deine Browser ab",
    },
    import: {
      description: "Fakten und Zeitpläne eines anderen Bots übernehmen",
      code: "Der Code, den ich gezeigt habe",
    },
    broadcast: {
      description: "Eine Nachricht an alle Chats schicken",
      text: "Die Nachricht",
    },
    start: {
      description: "Was ich kann",
      code: "Der Eigentümer-Code, der beim Start ausgegeben wird",
    },
    help: {
      description: "Was du tun kannst",
      command: "Ein Befehl, oder „all“ für alle",
    },
    new: { description: "Eine neue Unterhaltung beginnen" },
    stop: { description: "Die aktuelle Antwort stoppen" },
    retry: { description: "Deine letzte Nachricht noch einmal versuchen" },
    undo: {
      description: "Deine letzte Nachricht und meine Antwort zurücknehmen",
    },
    compact: {
      description: "Die Unterhaltung zusammenfassen, um Platz zu schaffen",
    },
    auto: {
      description: "Mich selbstständig an einem Ziel arbeiten lassen",
      goal: "Das Ziel, bis zu 2.000 Zeichen",
      turns: (limit, usual) => `Höchstzahl der Schritte, 1 bis ${limit} (Standard: ${usual})`,
    },
    tier: {
      description: "Schneller oder gründlicher antworten: fast, smart, deep …",
      tier: "Die Stufe, oder „default“ zum Zurücksetzen",
    },
    model: {
      description: "Das Modell wählen",
      model: "Ein Teil des Modellnamens, oder „default“ zum Zurücksetzen",
    },
    for: "„me“ (Standard) oder „chat“ für alle hier",
    persona: {
      description: "Wählen, wer antwortet, oder eine Persona erstellen",
      pick: "Wählen, wer hier antwortet",
      new: "Eine Persona erstellen, mit vier Fragen",
      edit: "Eine Persona ändern",
      show: "Prompt, Werkzeuge und Modell einer Persona zeigen",
      delete: "Eine Persona löschen",
      history: "Frühere Versionen einer Persona",
      name: "Eine Persona, oder new, edit, show, delete, history",
      persona: "Ihr Name, oder „default“ zum Zurücksetzen",
      for: "me (Standard), chat für alle hier, place für die ganze Gruppe oder den Server",
      newName: "Ihr Name; leer lassen, dann finde ich einen",
    },
    settings: {
      description: "Einstellungen für diesen Chat",
      name: "Welche Einstellung (leer lassen für alle)",
      value: "Der neue Wert, oder „default“ zum Zurücksetzen",
    },
    activation: {
      description: "Wann ich in dieser Gruppe antworte",
      when: "mention = nur bei Erwähnung oder Antwort; always = jede Nachricht",
    },
    language: {
      description: "Meine Sprache",
      language: "Eine Sprache, oder „auto“ wie in deiner App",
    },
    status: { description: "Was ich gerade mache" },
    approvals: {
      description: "Aktionen, die auf Freigabe warten",
      id: "Die ID: zeigt dir privat, was verdeckt ist",
    },
    approve: {
      description: "Eine Aktion freigeben",
      id: "Die ID, dahinter eine Nummer für eine von mehreren Aktionen (siehe /approvals)",
      always: "Eine Zeit lang ohne Rückfrage erlauben, z. B. 1h (Admins: auch „any“)",
    },
    deny: {
      description: "Eine Aktion ablehnen",
      id: "Die ID, dahinter eine Nummer für eine von mehreren Aktionen (siehe /approvals)",
      reason: "Grund (ich sehe ihn)",
    },
    edit: {
      description: "Eine Aktion vor der Freigabe ändern",
      id: "Die ID (siehe /approvals)",
      change: "Ein- oder mehrmals name=wert, oder JSON mit allen Argumenten",
    },
    grants: {
      description: "Was ich hier ohne Rückfrage darf",
      revoke: "„revoke“ und eine Nummer entfernt eine Erlaubnis",
    },
    tools: {
      description: "Meine Werkzeuge, und welche eine Freigabe brauchen",
    },
    skills: {
      description: "Skills anzeigen oder hier ein- und ausschalten",
      action: "Was zu tun ist: on oder off; für Admins review, show, approve oder deny",
      skill: "Der Name des Skills",
    },
    skill: {
      description: "Eine Aufgabe mit einem Skill erledigen",
      name: "Der Name des Skills",
      task: "Was zu tun ist",
    },
    remind: {
      description: "Dich an etwas erinnern",
      when: "in 20m, morgen 9:00, 2027-01-05 09:00, jeden Montag 9:00",
      text: "Woran ich dich erinnern soll",
    },
    schedule: {
      description: "Erinnerungen und Zeitpläne dieses Chats",
      action: "Was zu tun ist: list, run, pause, resume, delete oder zone",
      list: "Erinnerungen und Zeitpläne zeigen",
      run: "Jetzt ausführen",
      pause: "Pausieren",
      resume: "Fortsetzen",
      delete: "Löschen",
      zone: "Deine Zeitzone zeigen oder festlegen",
      id: "Die ID, wie die Liste sie zeigt",
      city: "Zum Beispiel Europe/Berlin",
      page: "Welcher Teil einer langen Liste",
    },
    memory: {
      description: "Was ich über dich und diesen Chat weiß",
      action: "Was ich tun soll: list, delete, edit oder export",
      list: "Zeigen, was ich mir gemerkt habe",
      delete: "Etwas löschen",
      edit: "Etwas ändern",
      export: "Alles als Datei senden",
      id: "Die ID aus der Liste",
      text: "Der neue Text",
    },
    recall: {
      description: "Durchsuchen, was in diesem Chat gesagt wurde",
      words: "Wörter, nach denen gesucht wird",
    },
    todos: { description: "To-do-Liste dieses Chats anzeigen" },
    limits: {
      description: "Deine Limits und wie viel du verbraucht hast",
      set: "Ein Limit setzen: für eine Person, einen Chat, eine Rolle, eine Plattform oder alle",
      reset: "Zurück zum konfigurierten Limit",
      scope: "person, @name, eine ID wie telegram:1, chat, role:member, platform oder global",
      metric: "Was begrenzt wird",
      value: "Wie viel: 20/min, 200k tokens/day, 5usd/month, 15m, off",
    },
    usage: {
      description: "Tokens und Kosten in diesem Chat",
    },
    export: {
      description: "Diese Unterhaltung herunterladen",
      format: "markdown (Standard) oder json",
    },
    forget: {
      description: "Diesen Chat oder alle deine Daten löschen",
      what: "chat = dieser Chat; me = alles über dich, überall",
      confirmation: "Der Bestätigungscode, den du von mir bekommen hast",
    },
    whoami: { description: "Deine ID und Rolle" },
    role: {
      description: "Deine Rolle und was du damit darfst",
      give: "Die Rolle einer Person ändern",
      person: "Wer (leer lassen für dich selbst)",
      role: "Die neue Rolle",
    },
    allow: {
      description: "Jemandem Zugang geben, oder allen in diesem Chat",
      person: "Wer",
      code: "Code oder ID der Person",
    },
    ban: {
      description: "Jemanden sperren, oder mich in diesem Chat stummschalten",
      person: "Wer",
      reason: "Grund (steht im Protokoll)",
      place: "Statt einer Person: dieser Chat oder der ganze Server",
    },
    unban: {
      description: "Jemanden entsperren, oder die Regel für diesen Chat löschen",
      person: "Wer",
      place: "Statt einer Person: dieser Chat oder der ganze Server",
    },
    admins: { description: "Eigentümer und Admins anzeigen" },
  },

  /** Of `/persona`. */
  personas: {
    owners: {
      person: "deine",
      chat: "von diesem Chat",
      everyone: "für alle",
      file: "vom Betreiber",
    },
    answers: (name, why) => `${name} antwortet dir hier (${why}).`,
    why: {
      person: "deine Wahl",
      chat: "für diesen Chat eingestellt",
      place: "für diese Gruppe oder diesen Server eingestellt",
      default: "Standard",
    },
    noneAnswers: "Ich antworte hier wie gewohnt, ohne Persona.",
    listed: "Diese Personas gibt es:",
    noneYet: "Es gibt noch keine Personas.",
    more: (count) => `… und ${n(count)} weitere.`,
    how: "/persona <Name> wechselt, /persona default geht zurück.",
    howNew: "/persona new erstellt eine.",
    make: "Neue Persona",
    notAnonymously: "Wer anonym schreibt, kann keine eigene Persona haben.",
    notForChat: "Nur ein Admin kann die Persona für diesen Chat wählen.",
    notForPlace: "Nur ein Admin kann die Persona für die ganze Gruppe oder den Server wählen.",
    noPlace: "Hier gibt es keine Gruppe und keinen Server. Lass das weg, oder schreib chat.",
    badScope: (typed) => `${typed} gibt es nicht. Möglich sind me, chat, place.`,
    doesNotFit: (name) =>
      `${name} lässt sich nicht für andere wählen. Das geht nur mit einer Persona dieses Chats, einer für alle oder einer vom Betreiber.`,
    chosen: {
      person: (name) => `Ab deiner nächsten Nachricht antwortet dir hier ${name}.`,
      chat: (name) => `Ab der nächsten Nachricht antwortet in diesem Chat ${name}.`,
      place: (name) =>
        `Ab der nächsten Nachricht antwortet ${name} in der ganzen Gruppe oder auf dem ganzen Server.`,
    },
    cleared: {
      person: "Deine Wahl gilt nicht mehr.",
      chat: "Die Wahl für diesen Chat gilt nicht mehr.",
      place: "Die Wahl für diese Gruppe oder diesen Server gilt nicht mehr.",
    },
    yoursFirst: (name) => `Für dich gilt weiterhin deine eigene Wahl: ${name}.`,
    starters: "Zum Einstieg:",
    noPersona: (typed) => `Ich kenne keine Persona ${typed}.`,
    seeAll: "/persona zeigt alle.",
    gone: "Diese Persona gibt es nicht mehr.",
    tools: (what) => `Werkzeuge: ${what}`,
    allTools: "alles, was ich hier benutzen kann",
    noTools: "keine",
    model: (what) => `Modell: ${what}`,
    automatic: "automatisch",
    skills: (what) => `Skills: ${what}`,
    temperature: (value) => `Temperatur: ${n(value)}`,
    modelCalls: (count) => `Modellanfragen je Antwort: höchstens ${n(count)}`,
    noMemory: "Sie sieht weder Notizen noch Fakten noch frühere Unterhaltungen.",
    saved: (when, number, by) =>
      `Version ${n(number)} vom ${when}${by === undefined ? "" : `, von ${by}`}`,
    fromFile: (name) =>
      `Sie kommt aus der Datei personas/${name}.md des Betreibers und lässt sich nur dort ändern.`,
    prompt: "Ihr Prompt:",
    about: (text) => `Beschreibung: ${text}`,
    ask: {
      purpose:
        "Wofür ist sie da? Du kannst einen Namen davorsetzen, etwa „koch: plant mein Abendessen“.",
      style: "Wie soll sie sprechen? Zum Beispiel: kurz und freundlich, wie eine gute Kollegin.",
      tools:
        "Was darf sie benutzen? Wähle aus, oder schick Namen von Werkzeugen (/tools zeigt sie). Sie bekommt nie mehr, als ich hier habe, und ich frage weiterhin nach, wo ich das sonst auch tue.",
      model:
        "Welches Modell soll antworten? Wähle aus, oder schick den Namen eines Modells (/model zeigt sie).",
      name: "Wie soll sie heißen?",
      description: "Was ist sie, in einer Zeile?",
      prompt: "Schick den neuen Prompt.",
      extras:
        "Schick die Zeilen, die sich ändern sollen, wie in der Datei einer Persona, zum Beispiel „temperature: 0.5“. Was du weglässt, bleibt; ohne Wert gilt wieder der Standard. So ist es jetzt:",
    },
    begin:
      "Lass uns eine Persona erstellen. Ich stelle vier Fragen und zeige dir das Ergebnis, bevor ich es speichere.",
    howToStop: "Jeder Befehl beendet das, zum Beispiel /stop.",
    replyToAnswer: "Antworte auf diese Nachricht.",
    none: "Keine Werkzeuge",
    all: "Alles",
    auto: "Automatisch",
    cancel: "Abbrechen",
    cancelled: "OK, verworfen. Es wurde nichts gespeichert.",
    left: "Die angefangene Persona ist verworfen. /persona new fängt neu an.",
    wroteNothing: "Bitte antworte mit etwas Text.",
    tooLong: (length, limit) =>
      `Das ist zu lang (${n(length)} Zeichen, möglich sind ${n(limit)}). Bitte schick einen kürzeren Text.`,
    badName: (typed, limit) =>
      `${typed} geht nicht als Name. Möglich sind Buchstaben und Ziffern, höchstens ${n(limit)}, mit Bindestrichen zwischen Wörtern.`,
    reservedName: (name) =>
      `„${name}“ ist ein Wort dieses Befehls. Bitte wähle einen anderen Namen.`,
    lookalikeName: (name) =>
      `In diesem Namen sind Buchstaben, die nur wie andere aussehen: ${name}. Bitte wähle einen anderen.`,
    taken: (name) => `Eine Persona ${name} gibt es schon. Bitte wähle einen anderen Namen.`,
    noTool: (typed) => `Ich habe kein Werkzeug ${typed}.`,
    seeTools: "/tools zeigt sie.",
    noFields: "Das verstehe ich nicht. Schick Zeilen wie „temperature: 0.5“ oder „memory: off“.",
    noField: (typed) => `Eine Einstellung ${typed} gibt es hier nicht.`,
    expectedStarters: (count, length) =>
      `Möglich ist eine Liste mit bis zu ${n(count)} Nachrichten, jede in einer Zeile mit höchstens ${n(length)} Zeichen`,
    expectedSkills:
      "Möglich ist eine Liste von Skills (/skills zeigt sie), etwa [pdf], oder [] für keine",
    preview: (name) => `Deine neue Persona: ${name}`,
    previewOfChange: (name) => `Geändert: ${name}`,
    nothingChanged: "Es würde sich nichts ändern.",
    before: "− vorher, + nachher:",
    sampleFollows: (question) => `Als Nächstes kommt eine Beispielantwort auf „${question}“`,
    sample: "Wer bist du, und wie hilfst du? Gib mir ein kurzes Beispiel.",
    noSample: (why) => `Ich kann gerade keine Beispielantwort zeigen. ${why}`,
    busy: "In diesem Chat warten zu viele Nachrichten.",
    notSavedYet: "Gespeichert wird erst, wenn du zustimmst.",
    approve: "Zustimmen",
    approveChat: "Für diesen Chat zustimmen",
    approveEveryone: "Für alle zustimmen",
    change: "Ändern",
    whatToChange: "Was möchtest du ändern?",
    fields: {
      name: "Name",
      purpose: "Wofür sie da ist",
      style: "Wie sie spricht",
      tools: "Was sie benutzen darf",
      model: "Modell",
      description: "Beschreibung",
      prompt: "Anweisung (Prompt)",
      extras: "Weitere Einstellungen",
    },
    back: "Zurück",
    formTitle: "Neue Persona",
    formTitleOfChange: (name) => `${name} ändern`,
    isSaved: (name, owner) => `${name} ist gespeichert (${owner}).`,
    alreadySaved: (name) => `${name} ist schon gespeichert.`,
    use: "Hier benutzen",
    howToUse: (name) => `/persona {name:${name}} wechselt zu ihr.`,
    noDraft: "Hier gibt es nichts mehr zu speichern oder zu ändern. /persona new fängt neu an.",
    outdated: "Diese Vorschau ist veraltet. Bitte nimm die neueste.",
    notYetDone: "Eine Frage ist noch offen.",
    changedSince: (name) =>
      `${name} wurde inzwischen von jemand anderem geändert. /persona edit {name:${name}} fängt neu an.`,
    mayNotMake:
      "Nur Mitglieder können Personas erstellen, und du bist Gast. Eine wählen kannst du aber.",
    mayNotSave: {
      chat: "Nur ein Admin kann eine Persona für diesen Chat erstellen.",
      everyone: "Nur ein Admin kann eine Persona für alle erstellen.",
    },
    mayNotChange: (name, owner) => `Nur ein Admin kann ${name} ändern (${owner}).`,
    tooMany: (limit) =>
      `Mehr als ${n(limit)} Personas gehen nicht. Bitte lösche zuerst eine: /persona delete <Name>.`,
    tooLongToEdit: (name, limit) =>
      `Der Prompt von ${name} ist länger als die ${n(limit)} Zeichen, die sich im Chat ändern lassen.`,
    which: (action) => `Welche? /persona ${action} <Name>`,
    delete: "Löschen",
    sureToDelete: (name, owner) => `${name} (${owner}) mit allen Versionen löschen?`,
    deleted: (name) => `${name} ist gelöscht.`,
    history: (name) => `Versionen von ${name}:`,
    current: "aktuell",
    rollBack: (number) => `Zurück zu ${n(number)}`,
    rolledBack: (name, number) => `${name} ist wieder auf Version ${n(number)}.`,
    noVersion: (name, typed) => `Von ${name} gibt es keine Version ${typed} mehr.`,
    badTarget: (typed) => `${typed} gibt es nicht. Möglich sind me, chat, everyone.`,
    badAction: (typed) => `/persona ${typed} kenne ich nicht.`,
  },

  control: {
    full: "In diesem Chat warten zu viele Nachrichten, das Limit ist erreicht. Bitte versuch es später noch einmal.",
    begun: "Einen Moment.",
    dropped: (count) =>
      `${counted(count, { one: "wartende Nachricht", other: "wartende Nachrichten" })} verworfen.`,
    onlyTheirs: {
      stop: (name) => `Nur ${name} oder ein Admin kann diese Antwort stoppen.`,
      undo: (name) => `Nur ${name} oder ein Admin kann diese Nachricht zurücknehmen.`,
      retry: (name) =>
        `Nur ${name} oder ein Admin kann diese Nachricht noch einmal beantworten lassen.`,
    },
    nothingToStop: "Gerade läuft nichts.",
    stopped: "Gestoppt.",
    stoppedByAdmin: "Ein Admin hat diese Antwort gestoppt.",
    stoppedAndDropped: (count) =>
      `Gestoppt. ${counted(count, { one: "wartende Nachricht", other: "wartende Nachrichten" })} habe ich verworfen.`,
    newAfterAnswer: "Ich beende noch die aktuelle Antwort, danach beginnt eine neue Unterhaltung.",
    newConversation:
      "Neue Unterhaltung. Was wir vorher gesagt haben, sehe ich nicht mehr; in /export ist es noch da.",
  },

  auto: {
    running: (step, of) =>
      `Ich arbeite schon an einem Ziel, Schritt ${step} von ${of}. /stop beendet es.`,
    begun: (of) =>
      `Mach ich. Ich arbeite bis zu ${counted(of, { one: "Schritt", other: "Schritte" })} lang daran; /stop beendet es vorher.`,
    noGoal: "Was ist das Ziel? Zum Beispiel: /auto {goal:plane eine Reise nach Lissabon} {turns:5}",
    badTurns: (limit, typed) =>
      `Die Zahl der Schritte muss zwischen 1 und ${limit} liegen, nicht ${typed}.`,
    numberHint:
      "Wenn die Zahl zum Ziel gehört, häng die Schritte hinten an: /auto {goal:…} {turns:10}",
    goalTooLong: (length, limit) =>
      `Das Ziel ist zu lang (${n(length)} Zeichen, das Limit ist ${n(limit)}).`,
    ended: (step) =>
      `Ich arbeite nicht weiter am Ziel, nach ${counted(step, { one: "Schritt", other: "Schritten" })}.`,
    done: (step) => `Ziel erreicht, nach ${counted(step, { one: "Schritt", other: "Schritten" })}.`,
    atLimit: (of) =>
      `Das Limit von ${counted(of, { one: "Schritt", other: "Schritten" })} ist erreicht. Schick noch einmal /auto, um weiterzumachen.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Deine Stufe: ${value} (${reason}).`,
      chats: (value) => `Stufe dieses Chats: ${value}.`,
      yoursIsNow: (value) => `Deine Stufe ist jetzt ${value}.`,
      chatsIsNow: (value) => `Die Stufe dieses Chats ist jetzt ${value}.`,
      yoursIsDefault: "Für dich gilt wieder die Standardstufe.",
      chatsIsDefault: "Für diesen Chat gilt wieder die Standardstufe.",
      notForChat: "Die Stufe dieses Chats kann nur ein Admin wählen.",
      notAnonymously: "Wer anonym schreibt, kann keine eigene Stufe haben.",
      noneOfYours: "Stufe: automatisch (meist balanced).",
      noneOfChats: "Stufe dieses Chats: automatisch (meist balanced).",
    },
    model: {
      yours: (value, reason) => `Dein Modell: ${value} (${reason}).`,
      chats: (value) => `Modell dieses Chats: ${value}.`,
      yoursIsNow: (value) => `Dein Modell ist jetzt ${value}.`,
      chatsIsNow: (value) => `Das Modell dieses Chats ist jetzt ${value}.`,
      yoursIsDefault: "Für dich gilt wieder das Standardmodell.",
      chatsIsDefault: "Für diesen Chat gilt wieder das Standardmodell.",
      notForChat: "Das Modell dieses Chats kann nur ein Admin wählen.",
      notAnonymously: "Wer anonym schreibt, kann kein eigenes Modell haben.",
      noneOfYours: "Modell: automatisch.",
      noneOfChats: "Modell dieses Chats: automatisch.",
    },
    byYou: "deine Wahl",
    byChat: "für diesen Chat eingestellt",
    byPersona: "von der Persona",
    gone: (value) => `${value} war vorher gewählt, ist aber nicht mehr verfügbar.`,
    hidden: (count, command) =>
      `… und ${n(count)} weitere. Schreib /${command} und einen Teil des Namens.`,
    how: (command) =>
      `/${command} <Name> für dich · /${command} <Name> chat für alle hier · /${command} default zum Zurücksetzen`,
    notHere: "Wer anonym schreibt, kann das nicht ändern.",
    adminsHere: "Hier kann das nur ein Admin ändern.",
    replacesYours: (model) => `Das ersetzt dein eigenes Modell, ${model}.`,
    replacesChats: (model) => `Das ersetzt das Modell dieses Chats, ${model}.`,
    yoursFirst: (value) => `Für dich gilt weiterhin deine eigene Wahl: ${value}.`,
    noTier: (typed, tiers) => `Die Stufe ${typed} gibt es nicht. Zur Auswahl: ${tiers}, default.`,
    noModel: (typed) => `Das Modell ${typed} gibt es nicht.`,
    several: (typed, models) => `${typed} passt auf mehrere Modelle: ${models}.`,
    thereAre: (names) => `Zur Auswahl: ${names}.`,
    didYouMean: (name) => `Meintest du ${name}?`,
    andMore: (names, count) => `${names} und ${n(count)} weitere`,
    order: (models) => `Ich frage sie in dieser Reihenfolge: ${models}.`,
    sameAs: (tiers, same) => `Hier dasselbe wie ${same}: ${tiers}`,
  },

  settings: {
    heading: "Einstellungen für diesen Chat:",
    how: "Zum Ändern: /settings <Name> <Wert>, oder „default“ zum Zurücksetzen.",
    changes: (name, expected) => `Zum Ändern: /settings {name:${name}} <Wert>. ${expected}.`,
    isDefaultAgain: (name, value) => `${name} steht wieder auf dem Standard: ${value}.`,
    cannotBe: (name, typed, expected) => `${name} kann nicht ${typed} sein. ${expected}.`,
    isNow: (name, value) => `${name} ist in diesem Chat jetzt ${value}.`,
    groups: {
      answers: "Antworten",
      actions: "Werkzeuge und Erlaubnisse",
      limits: "Limits",
      memory: "Gedächtnis der Unterhaltung",
      model: "Modell",
    },
    modelsOwn: "wie das Modell es vorgibt",
    noneChosen: (kind) => `${kind}: automatisch (siehe /${kind})`,
    yourChoice: (kind, value) => `${kind}: ${value} (deine Wahl; siehe /${kind})`,
    chatsChoice: (kind, value) => `${kind}: ${value} (für diesen Chat eingestellt; siehe /${kind})`,
    personasChoice: (kind, value) => `${kind}: ${value} (von der Persona; siehe /persona)`,
    withPersona: (persona, value) => `mit der Persona ${persona}: ${value}`,
    default: (name, value) => `${name}: ${value}`,
    own: (name, value, fallback) => `${name}: ${value} (Standard: ${fallback})`,
    adminsOnly: (name) => `Nur ein Admin kann ${name} ändern.`,
    adminsInGroups: (name) => `In einer Gruppe kann nur ein Admin ${name} ändern.`,
    which: "Welche Einstellung?",
    unknown: (typed) => `Die Einstellung ${typed} gibt es nicht.`,
    expectedCount: (min, max) => `Möglich ist eine ganze Zahl von ${n(min)} bis ${n(max)}`,
    expectedDecimal: (min, max) => `Möglich ist eine Zahl von ${n(min)} bis ${n(max)}`,
    expectedDuration: "Möglich ist eine Dauer wie 15m oder 24h",
    expectedUsd: "Möglich ist ein Betrag in US-Dollar wie 5usd",
    orOff: (expected) => `${expected}, oder off`,

    expectedWords: (words) => `Möglich sind ${words} oder default`,
    about: {
      whileBusy: "wenn du schreibst, während ich noch antworte",
      tools: "wie viel du von meinen Werkzeugen siehst",
      activation: "wann ich in einer Gruppe antworte",
      thinking: "meine Überlegungen zeigen",
      maxModelCalls: "höchstens so viele Modellanfragen pro Antwort",
      maxToolExecutions: "höchstens so viele Werkzeugnutzungen pro Antwort",
      deadline: "höchstens so viel Zeit pro Antwort",
      maxTokens: "höchstens so viele Tokens pro Antwort",
      maxCost: "höchstens so viel Geld pro Antwort",
      toolFailure: "aufhören, wenn ein Werkzeug scheitert",
      confirmationDenied: "aufhören, wenn jemand ablehnt",
      policyDenied: "aufhören, wenn eine Regel es verbietet",
      loopSameCall: "so viele Wiederholungen einer Aktion gelten als Schleife",
      loopSameTool: "so viele Nutzungen eines Werkzeugs hintereinander gelten als Schleife",
      loopHints: "so viele Hinweise gegen eine Schleife, bevor ich aufhöre",
      permissions: "ob ich frage, bevor ich etwas tue",
      compactAt: "wie voll mein Gedächtnis wird, bevor ich zusammenfasse (0 bis 1)",
      keepTurns: "bei so vielen Antworten bleiben Werkzeugergebnisse vollständig",
      strategy: "wie ich eine lange Unterhaltung kürze",
      temperature: "wie abwechslungsreich ich formuliere, 0 am wenigsten",
      maxOutputTokens: "höchstens so viele Tokens pro Antwort des Modells",
      repeatPenalty: "wie sehr ich Wiederholungen vermeide, 1 ist aus",
    },
    values: {
      followup: "danach beantworten",
      steer: "gleich berücksichtigen",
      interrupt: "abbrechen und die neue Nachricht beantworten",
      collect: "alles zusammen beantworten",
      off: "nichts zeigen",
      names: "die Namen der Werkzeuge zeigen",
      full: "Namen und Einzelheiten zeigen",
      mention: "nur bei Erwähnung oder Antwort",
      always: "jede Nachricht",
      ask: "vor jeder Aktion fragen, die eine Freigabe braucht",
      auto: "nicht fragen, wo eine Regel das erlaubt, z. B. auto 30m",
      summarise: "den älteren Teil zusammenfassen",
      agent: "einen Helfer lesen und das Wichtige notieren lassen",
      truncate: "den älteren Teil weglassen",
    },
  },

  activation: {
    direct: "Das ist ein privater Chat, also beantworte ich jede Nachricht.",
    mention:
      "In dieser Gruppe antworte ich, wenn mich jemand erwähnt, mir antwortet oder einen Befehl schickt.",
    always: "Ich beantworte jede Nachricht in dieser Gruppe.",
    how: "Zum Ändern: /activation mention oder /activation always.",
    telegramHint:
      "Damit ich jede Nachricht sehe, muss ich Admin dieser Gruppe sein, oder mein Privacy Mode muss aus sein (@BotFather → Bot Settings → Group Privacy).",
    discordHint:
      "Damit ich jede Nachricht sehe, muss in meinen Einstellungen discord.messageContent: true stehen. Bitte frag die Person, die mich betreibt.",
    unknown: (typed) =>
      `${typed} verstehe ich nicht. Möglich sind /activation mention und /activation always.`,
  },

  language: {
    name: "Deutsch",
    isNow: "Alles klar, ab jetzt auf Deutsch.",
    isAuto: "Ich richte mich nach der Sprache deiner App: Deutsch.",
    is: "Ich spreche Deutsch, wie du es gewählt hast.",
    how: (codes) => `Zum Ändern: /language <${codes}>, oder /language auto wie in deiner App.`,
    unknown: (typed, codes) => `${typed} spreche ich nicht. Zur Auswahl: ${codes}, auto.`,
    notAnonymously: "Wer anonym schreibt, kann keine eigene Sprache haben.",
  },

  status: {
    memory: {
      auto: "Gedächtnis: Ich durchsuche frühere Nachrichten von selbst (nur Stichwörter)",
      tool: "Gedächtnis: Frühere Nachrichten werden bei Bedarf durchsucht (nur Stichwörter)",
      off: "Gedächtnis: Frühere Nachrichten werden nicht durchsucht",
      autoMeaning:
        "Gedächtnis: Ich durchsuche frühere Nachrichten von selbst (Stichwörter und Bedeutung)",
      toolMeaning:
        "Gedächtnis: Frühere Nachrichten werden bei Bedarf durchsucht (Stichwörter und Bedeutung)",
      keywordsOnly:
        "Gedächtnis: Die Suche nach Bedeutung ist gerade nicht verfügbar, nur Stichwörter",
    },
    idle: "Gerade läuft nichts.",
    queued: "In der Warteschlange.",
    running: "Ich arbeite an einer Antwort.",
    waiting: "Ich warte darauf, dass jemand eine Aktion freigibt oder ablehnt.",
    auto: (step, of) => `/auto: Schritt ${step} von ${of}. /stop beendet es.`,
    queue: (count) => `Wartende Nachrichten: ${n(count)}`,
    model: (models) => `Modell: ${models}`,
    tier: (tier) => `Stufe: ${tier}`,
    persona: (name: string) => `Persona: ${name}.`,
    noTier: "Stufe: automatisch",
    remembered: (count) => `Nachrichten und Aktionen in dieser Unterhaltung: ${n(count)}`,
  },

  approvals: {
    none: "Nichts wartet auf Freigabe.",
    heading: (count) =>
      `${counted(count, { one: "Aktion wartet", other: "Aktionen warten" })} auf Freigabe:`,
    askedFor: (person) => `für ${person}`,
    expiresIn: (time) => `noch ${time} gültig`,
    more: (count) => `Und ${n(count)} weitere.`,
    hiddenValues: (tool) => `Verdeckte Werte von ${tool}:`,
    nothingHidden: "Dort ist nichts verdeckt.",
  },

  decisions: {
    otherChat: "Dieser Button gehört zu einem anderen Chat oder ist zu alt.",
    otherMessage: "Dieser Button gehört zu einer anderen Nachricht.",
    notAllowed: (who) => `Das kann nur ${who} entscheiden.`,
    anAdmin: "ein Admin",
    orAnAdmin: (name) => `${name} oder ein Admin`,
    anOwner: "ein Eigentümer",
    aMember: "ein Mitglied",
    both: (one, other) => `${one} und ${other}`,
    counted: "Verstanden: 1 von 2 Freigaben. Noch eine Person muss zustimmen.",
    countedBefore: "Du hast das schon freigegeben. Noch eine Person muss zustimmen.",
    approved: "Freigegeben.",
    denied: "Abgelehnt.",
    kept: "Gemerkt.",
    notKept: "Nicht gemerkt.",
    approvedOf: (done, of) => `Freigegeben: ${done} von ${of}.`,
    deniedOf: (done, of) => `Abgelehnt: ${done} von ${of}.`,
    approvedBy: (name) => `Freigegeben von ${name}.`,
    deniedBy: (name) => `Abgelehnt von ${name}.`,
    deniedBecause: (name, reason) => `Abgelehnt von ${name}: ${reason}`,
    undecided: "Abgelaufen. Niemand hat rechtzeitig entschieden, also habe ich es nicht getan.",
    expired: "Das ist abgelaufen.",
    tooLate: "Das hat zu lange gedauert und zählt nicht. Bitte tippe noch einmal.",
    tooOld: "Dieser Button funktioniert nicht mehr.",
    already: {
      pending: "Das ist noch nicht entschieden.",
      approved: "Das ist schon freigegeben.",
      denied: "Das ist schon abgelehnt.",
      expired: "Das ist abgelaufen.",
      superseded: "Das wurde schon durch eine neuere Nachricht ersetzt.",
      cancelled: "Das ist schon abgebrochen.",
      changed: "Das wurde schon geändert; siehe die neuere Karte unten.",
    },
    changed: "Geändert. Bitte prüf es und gib es unten frei.",
    changedBy: (name) => `Geändert von ${name}; siehe die neue Karte unten.`,
    alreadyChangedBy: (name) => `${name} hat das schon geändert; siehe die neuere Karte unten.`,
    alreadyApprovedBy: (name) => `Das wurde schon von ${name} freigegeben.`,
    alreadyDeniedBy: (name) => `Das hat ${name} schon abgelehnt.`,
    superseded: "Abgebrochen wegen einer neueren Nachricht.",
    stopped: "Abgebrochen.",
    unknownId: (id) => `Hier wartet keine Freigabe ${id}. Siehe /approvals.`,
    whichCard:
      "Ich bin nicht sicher, was du meinst. Antworte auf die Karte, tippe auf einen ihrer Buttons oder sende /approve <id> oder /deny <id>. /approvals zeigt die IDs.",
    noCall: (typed, command) =>
      `Auf dieser Karte gibt es keine Aktion ${typed}. Nenne eine davon mit ihrer Nummer: /${command} {id:<id> 1}. /approvals zeigt, was wartet.`,
    which: (command) =>
      `Mehrere Aktionen warten. /approvals zeigt sie, /${command} <id> wählt eine aus.`,
  },

  cards: {
    approve: "Freigeben",
    deny: "Ablehnen",
    keep: "Merken",
    dontKeep: "Nicht merken",
    factOfYours: "Über dich. Ich nutze es nur in deinen privaten Chats mit mir.",
    factOf: (name) => `Über ${name}. Ich nutze es nur in den privaten Chats dieser Person mit mir.`,
    factOfChat: "Über diesen Chat. Alle hier können es sehen.",
    factReplaces: (id) => `Ersetzt ${id}.`,
    approveAll: "Alle freigeben",
    denyAll: "Alle ablehnen",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "Tag", other: "Tage" }),
    },
    characters: (count) => counted(count, { one: "Zeichen", other: "Zeichen" }),
    needed: (title) => `${title}?`,
    neededFor: (count) =>
      `Freigabe nötig für ${counted(count, { one: "Aktion", other: "Aktionen" })}:`,
    calls: (count) => `${counted(count, { one: "Aktion", other: "Aktionen" })}:`,
    about: (sentence) => `„${sentence}“`,
    noArguments: "Keine Argumente.",
    secretsHidden: (id) =>
      `Geheimes erscheint teilweise als ••••. \`/approvals {id:${id}}\` zeigt es dir privat.`,
    secretsMasked: "Geheimes erscheint teilweise als ••••.",
    showHidden: "Verdecktes zeigen",
    lookalikes: (words) =>
      `Vorsicht: Diese Wörter enthalten Buchstaben, die anderen zum Verwechseln ähnlich sehen: ${words}.`,
    details: (call) => `Vollständige Eingabe für ${call}:`,
    decides: (who) => `Entscheiden kann ${who}.`,
    waitsForAdmins: "Ich habe die Admins um Freigabe gebeten. /stop bricht ab.",
    waitsForOwner: "Ich habe meinen Eigentümer um Freigabe gebeten. /stop bricht ab.",
    asksElsewhere: (who) => `${who} möchte das in einem privaten Chat mit mir.`,
    youDecide: "Du entscheidest.",
    twoDecide: (who) => `Braucht zwei Freigaben. Entscheiden kann ${who}.`,
    firstOfTwo: (name) => `1 von 2: freigegeben von ${name}. Eine Freigabe fehlt noch.`,
    expiresAt: (moment) => `Läuft ab: ${moment}.`,
    expiresIn: (duration) => `Gültig für ${duration}.`,
    id: (id) => `ID: \`${id}\``,
    typed: (id) =>
      `Buttons kann ich hier nicht zeigen: Sende \`/approve ${id}\` oder \`/deny ${id}\`.`,
    approved: (what) => `✓ ${what} freigegeben`,
    approvedBy: (what, name) => `✓ ${what} freigegeben von ${name}`,
    approvedFirst: (what, name) => `… ${what} freigegeben von ${name}. Eine Freigabe fehlt noch`,
    denied: (what) => `✗ ${what} abgelehnt`,
    deniedBy: (what, name) => `✗ ${what} abgelehnt von ${name}`,
    kept: (what) => `✓ ${what} gemerkt`,
    keptBy: (what, name) => `✓ ${what} gemerkt, zugestimmt hat ${name}`,
    notKept: (what) => `✗ ${what} nicht gemerkt`,
    expired: (what) => `✗ ${what} abgelaufen, niemand hat rechtzeitig entschieden`,
    superseded: (what) => `✗ ${what} abgebrochen wegen einer neueren Nachricht`,
    stopped: (what) => `✗ ${what} abgebrochen`,
    edit: "Ändern",
    allowFor: (span) => `${span} lang erlauben`,
    changedNote: (name) => `${name} hat die Argumente geändert.`,
    changedNoteOfYours: "Du hast die Argumente geändert.",
    changedNoteOfNobody: "Jemand hat die Argumente geändert.",
    changed: (what) => `✎ ${what} geändert`,
    changedBy: (what, name) => `✎ ${what} geändert von ${name}`,
    erased: "Gelöscht.",
  },

  toolTitles: {
    current_time: "Uhrzeit nennen",
    calculate: "Rechnen",
    fetch_url: "Webseite öffnen",
    web_search: "Im Web suchen",
    read_notes: "Notizen lesen",
    write_note: "Notiz schreiben",
    remember: "Merken",
    recall: "Diesen Chat durchsuchen",
    read_more: "Ergebnis weiterlesen",
    todo_list: "To-do-Liste zeigen",
    todo_write: "To-do-Liste ändern",
    find_tools: "Werkzeuge suchen",
    schedule: "Erinnerung oder Zeitplan anlegen",
    activate_skill: "Skill lesen",
    read_skill_file: "Datei eines Skills lesen",
  },

  toolDescriptions: {
    current_time: "Datum und Uhrzeit überall auf der Welt",
    calculate: "Rechnet genau, auch mit Einheiten und Daten",
    fetch_url: "Liest eine Seite, deren Adresse du mir gibst",
    web_search: "Findet Seiten und zeigt kurze Auszüge",
    read_notes: "Liest die Notizen dieses Chats",
    write_note: "Fügt diesem Chat eine Notiz hinzu",
    remember: "Behält etwas über dich oder diesen Chat",
    recall: "Findet, was in diesem Chat früher gesagt wurde",
    read_more: "Liest in einem langen Ergebnis weiter",
    todo_list: "Zeigt die To-do-Liste dieses Chats",
    todo_write: "Ergänzt Aufgaben und hakt sie ab",
    find_tools: "Findet unter vielen Werkzeugen das passende",
    schedule: "Legt Erinnerungen und Zeitpläne an, ändert und löscht sie",
    activate_skill: "Liest die Anleitung eines Skills",
    read_skill_file: "Liest eine Datei, die zu einem Skill gehört",
  },

  delivery: {
    nothingToShow: "(leere Antwort)",
    fileGone: "Die Datei ist nicht mehr da.",
    fileRefused: "Entschuldige, ich konnte die Datei hier nicht senden.",
    goesOn: (fileName) => `Die ganze Antwort steht in ${fileName}.`,
    sentAgain: "noch einmal gesendet; vielleicht siehst du es doppelt",
    noButtons: "Buttons kann ich hier nicht zeigen. /help zeigt, was du stattdessen tippen kannst.",
    undelivered: (place, why) =>
      `Meine Nachricht an dich in ${place} konnte ich nicht senden. ${why} Du kannst mich hier noch einmal fragen.`,
    notPosted: (place, why) => `Das hier konnte ich in ${place} nicht senden. ${why}`,
    elsewhere: "der Gruppe, in der du gefragt hast",
    why: {
      closed: "Das Thema oder der Thread ist geschlossen.",
      gone: "Das Thema wurde gelöscht, oder der Chat ist nicht mehr erreichbar.",
      forbidden: "Die Berechtigung, dort zu schreiben, fehlt.",
      blocked: "Nachrichten an diese Person sind blockiert.",
      moderated: "Ein Filter des Servers hat den Text blockiert.",
      other: "Die Plattform hat sie nicht angenommen.",
    },
  },

  platform: {
    notAllowed: "Das darfst du nicht.",
    tryAgain: "Entschuldige, das hat nicht geklappt. Bitte versuch es gleich noch einmal.",
    notTaken: (errorId) =>
      `Entschuldige, diese Nachricht konnte ich nicht annehmen. (Fehler ${errorId})`,
    whatAboutThis: "Was kannst du mir dazu sagen?",
  },

  telegram: {
    buttonIsGone: "Dieser Button funktioniert nicht mehr.",
    fileIsGone: "Entschuldige, Telegram hat diese Datei nicht mehr. Bitte schick sie noch einmal.",
    fileOutOfReach:
      "Entschuldige, ich konnte diese Datei nicht von Telegram laden. Bitte schick sie später noch einmal.",
    fileTooLarge: (megabytes) => `Diese Datei ist zu groß. Das Limit ist ${megabytes} MB.`,
    cannot: {
      animation: "Entschuldige, GIFs kann ich nicht ansehen. Schick bitte ein Standbild.",
      video: "Entschuldige, Videos kann ich nicht ansehen. Schick bitte ein Standbild.",
      sticker: "Entschuldige, Sticker kann ich nicht sehen. Sag es bitte in Worten.",
      paid_media:
        "Entschuldige, bezahlte Medien kann ich nicht öffnen. Sag mir bitte, worum es geht.",
      story: "Entschuldige, Storys kann ich nicht öffnen. Sag mir bitte, worum es geht.",
      other:
        "Entschuldige, solche Nachrichten kann ich nicht lesen. Sag mir bitte in Worten, worum es geht.",
    },
    thisFile: "diese Datei",
    cannotReadPicture: (name) =>
      `Entschuldige, das Bild ${name} kann ich nicht lesen. Schick es bitte als Foto, oder als JPEG, PNG, WebP oder GIF.`,
    cannotReadFile: (name) =>
      `Entschuldige, ich kann ${name} nicht lesen. Lesen kann ich Text, Code, CSV, JSON und PDF.`,
  },

  discord: {
    admin: "Für die Admins dieses Bots",
    unknownCommand: "Diesen Befehl gibt es nicht mehr.",
    unknownAction: "Damit kann ich leider nichts anfangen.",
    elsewhere:
      "Ich kann nur in einer Direktnachricht antworten, oder auf einem Server, auf dem ich bin.",
    onlyUserInstall:
      "Auf diesem Server bin ich nicht Mitglied. Bitte nutze das in einer Direktnachricht.",
    mayNotWrite: "In diesem Kanal darf ich nicht schreiben, deshalb kann ich hier nicht antworten.",
    mayNotAttach: "In diesem Kanal darf ich keine Dateien senden, deshalb geht das hier nicht.",
    delayed:
      "Entschuldige, das kann ich gerade nicht annehmen. Ich versuche es weiter und antworte hier.",
    unreadable: "Das konnte ich nicht lesen. Bitte versuch es noch einmal.",
    done: "Erledigt.",
    doneBefore:
      "Das ist erledigt, aber meine Antwort ging verloren. Frag noch einmal, wenn du sie brauchst.",
    tooLate:
      "Entschuldige, das hat zu lange gedauert, um dir noch privat zu antworten. Bitte frag noch einmal.",
    askAboutThis: "Dazu etwas fragen",
    yourQuestion: "Deine Frage",
    forgotten:
      "Entschuldige, ich habe diese Nachricht aus den Augen verloren. Bitte wähl sie noch einmal aus.",
    about: (link) => `zu ${link}`,
    ask: "Frag mich etwas",
    askQuestion: "Deine Frage oder Bitte",
    askFile: "Eine Datei zu deiner Frage",
    video: (name) => `Videos kann ich nicht ansehen (${name}). Schick bitte ein Standbild.`,
    archive: (name) => `Archive kann ich nicht öffnen (${name}). Schick die Dateien bitte einzeln.`,
    picture: (name) =>
      `Solche Bilder kann ich nicht öffnen (${name}). Schick bitte PNG, JPEG, GIF oder WebP.`,
    otherFile: (name) =>
      `Solche Dateien kann ich nicht lesen (${name}). Lesen kann ich Bilder, Textdateien und PDFs.`,
    sticker: "Sticker kann ich nicht sehen. Sag es bitte in Worten.",
    fileIsGone: (name) =>
      `Entschuldige, Discord hat ${name} nicht mehr. Bitte schick es noch einmal.`,
    fileFailed: (name) =>
      `Entschuldige, ich konnte ${name} nicht von Discord laden. Bitte schick es noch einmal.`,
    fileTooLarge: (name, megabytes) => `${name} ist zu groß. Das Limit ist ${megabytes} MB.`,
  },

  tools: {
    none: "Ich habe gerade keine Werkzeuge.",
    free: "Das benutze ich ohne Rückfrage:",
    asking: "Hierfür frage ich vorher:",
    sometimes: "Hierfür frage ich manchmal vorher:",
    more: (count) => `Und ${n(count)} weitere.`,
    noSearch:
      "Im Web suchen kann ich noch nicht. Ein Admin kann das mit npm run init oder unter webSearch in parley.yaml einrichten.",
  },

  memory: {
    none: "Ich habe mir hier nichts gemerkt. Sag „merk dir, dass …“, und ich frage dich, bevor ich es mir merke.",
    aboutYou: "Über dich (nur in deinen privaten Chats zu sehen):",
    aboutChat: "Über diesen Chat:",
    note: "Notiz",
    more: "Mehr",
    howTo:
      "Zum Löschen: ✕ oder /memory delete <ID>. Zum Ändern: /memory edit <ID> <Text>. /memory export schickt alles als Datei.",
    which: "Was davon? /memory zeigt die IDs.",
    unknown: (typed) => `${typed} kenne ich nicht. /memory zeigt, was ich mir hier gemerkt habe.`,
    badAction: (typed) =>
      `${typed} kenne ich nicht. Es gibt /memory list, delete, edit und export.`,
    badText: (limit) =>
      `Bitte schreib den neuen Text hinter die ID, höchstens ${n(limit)} Zeichen.`,
    notYours: "Das kann nur ändern, wer es gesagt hat, oder ein Admin.",
    full: "Hier ist kein Platz mehr. Lösch zuerst etwas: /memory",
    isDeleted: (text) => `Ich habe vergessen: ${text}`,
    isChanged: (text) => `Geändert. Ich weiß jetzt: ${text}`,
    isExported: "Hier ist als Datei, was ich mir gemerkt habe.",
    title: "Was Parley sich gemerkt hat",
    summaries: "Zusammenfassungen früherer Unterhaltungen",
    supersedes: (id) => `(ersetzt ${id})`,
  },

  recall: {
    none: "Dazu habe ich in diesem Chat nichts gefunden.",
    bot: "Ich",
    indexing: "Ich erfasse diesen Chat noch. Bitte versuch es in einer Minute noch einmal.",
    tooLong:
      "Dieser Chat ist zu lang, um ihn ganz zu durchsuchen. Ich habe den neuesten Teil durchsucht.",
    off: "Die Suche ist hier ausgeschaltet.",
  },

  todos: {
    none: "Die To-do-Liste ist leer. Gib mir eine Aufgabe mit mehreren Schritten, dann halte ich sie hier fest.",
    heading: (done, total) => `To-do-Liste: ${done} von ${total} erledigt`,
  },

  usage: {
    heading: "Dieser Chat bisher:",
    turns: (count) => `Antworten: ${n(count)}`,
    modelCalls: (count) => `Modellanfragen: ${n(count)}`,
    inputTokens: (count) => `Eingabe-Tokens: ${n(count)}`,
    outputTokens: (count) => `Ausgabe-Tokens: ${n(count)}`,
    about: (amount) => `etwa ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "Anfrage", other: "Anfragen" })}, ${input} Eingabe- und ${output} Ausgabe-Tokens`,
    costUnknown: "Kosten unbekannt",
    cost: (amount) => `Kosten: ${amount}`,
    unknown: "unbekannt",
    andUnpriced: (amount) => `${amount}, dazu Modelle ohne bekannten Preis`,
    spent: (messages, tokens) =>
      `${counted(messages, { one: "Nachricht", other: "Nachrichten" })}, ${counted(tokens, { one: "Token", other: "Tokens" })}`,
  },

  limits: {
    whose: {
      you: "für dich",
      thisChat: "für diesen Chat",
      everybody: "für alle zusammen",
      eachPerson: "für jede Person",
      eachChat: "für jeden Chat",
      terminal: "für alle im Terminal",
    },
    role: (role) => `für dich als ${role}`,
    platform: (platform) => `für alle auf ${platform}`,
    ofPerson: (person) => `für ${person}`,
    ofChat: (chat) => `für den Chat ${chat}`,
    hit: (limit, whose) => `Das Limit von ${limit} (${whose}) ist erreicht.`,
    needs: (amount, used, limit, whose) =>
      `Für eine Antwort (bis zu ${amount}) reicht es nicht mehr: ${used} vom Limit von ${limit} (${whose}) sind verbraucht.`,
    resets: (when) => `Es wird ${when} zurückgesetzt.`,
    notKept: "Bitte schick das dann noch einmal.",
    nearly: (percent, limit, whose, used) =>
      `${percent} % vom Limit von ${limit} (${whose}) sind verbraucht: ${used}.`,
    slowDown: (limit) =>
      `Etwas langsamer bitte: Das Limit liegt bei ${limit}. Spätestens in einer Minute geht es weiter.`,
    heading: "Deine Limits in diesem Chat:",
    none: "Du hast in diesem Chat keine Limits.",
    used: (used, when) => `verbraucht: ${used}, wird ${when} zurückgesetzt`,
    running: (count) => `laufen gerade: ${n(count)}`,
    setHeading: "Von Admins in Chats gesetzt:",
    more: (count) => `… und ${n(count)} weitere`,

    how: "Setzen: /limits set <Bereich> <Größe> <Wert>. Zurück zum konfigurierten Limit: /limits reset <Bereich> [Größe].\nBereiche: person, @name, telegram:1, chat, chats, role:member, platform:telegram, global. Werte: 20/min, 200k tokens/day, 5usd/month, 15m, off.",
    adminsOnly: "Nur Admins können Limits ändern.",
    adminsOfAll:
      "Dieses Limit können nur die Admins des Bots ändern. Du kannst die Limits dieses Chats setzen.",
    badAction: (typed) =>
      `${typed} verstehe ich nicht. Es gibt /limits, /limits set und /limits reset.`,
    badScope: (typed) =>
      `Ich weiß nicht, wer mit ${typed} gemeint ist. Möglich sind person, @name, eine ID wie telegram:1, chat, chats, role:member, platform:telegram und global.`,
    badMetric: (typed, metrics) => `${typed} kann ich nicht begrenzen. Möglich sind ${metrics}.`,
    badAmount: (typed, example) =>
      `${typed} verstehe ich nicht. Möglich ist ein Limit wie ${example}, oder off.`,
    badValue: (typed, metric, example, per) =>
      `${typed} verstehe ich nicht. Möglich für ${metric}: ein Limit wie ${example}, je ${per}, oder off.`,
    isNow: (whose, limit, before) =>
      `Neues Limit ${whose}: ${limit} (vorher: ${before}). Es gilt ab der nächsten Nachricht.`,
    isReset: (whose, limit, before) =>
      `Das Limit ${whose} ist wieder das konfigurierte: ${limit} (vorher: ${before}).`,
    unlimited: {
      messages: "unbegrenzt viele Nachrichten",
      tokens: "unbegrenzt viele Tokens",
      cost: "unbegrenzte Kosten",
      turns: "unbegrenzt viele Antworten",
      "model-calls": "unbegrenzt viele Modellanfragen",
      "tool-executions": "unbegrenzt viele Werkzeugnutzungen",
      deadline: "unbegrenzte Zeit",
    },
    ofEach: (role) => `für alle mit der Rolle ${role}`,
    notSet: "keines",
    nothingSet: (whose) =>
      `In keinem Chat war ein Limit ${whose} gesetzt, es gibt also nichts zurückzusetzen.`,
    yoursToday: (used) => `Du, heute: ${used}`,
    yoursThisMonth: (used) => `Du, diesen Monat: ${used}`,
    allToday: (used) => `Alle, heute: ${used}`,
    allThisMonth: (used) => `Alle, diesen Monat: ${used}`,

    amount: {
      messages: (count) => counted(count, { one: "Nachricht", other: "Nachrichten" }),
      tokens: (count) => counted(count, { one: "Token", other: "Tokens" }),
      turns: (count) => counted(count, { one: "Antwort", other: "Antworten" }),
      "model-calls": (count) => counted(count, { one: "Modellanfrage", other: "Modellanfragen" }),
      "tool-executions": (count) =>
        counted(count, { one: "Werkzeugnutzung", other: "Werkzeugnutzungen" }),
    },
    per: {
      minute: (amount) => `${amount} pro Minute`,
      hour: (amount) => `${amount} pro Stunde`,
      day: (amount) => `${amount} pro Tag`,
      month: (amount) => `${amount} pro Monat`,
      turn: (amount) => `${amount} pro Antwort`,
      "at-once": (amount) => `${amount} gleichzeitig`,
    },
    hitYours: (limit) => `Du hast dein Limit von ${limit} erreicht.`,
    nearlyYours: (percent, limit, used) =>
      `Du hast ${percent} % von deinem Limit von ${limit} verbraucht (${used}).`,
  },

  whoami: {
    name: (name) => `Name: ${name}`,
    id: (id) => `ID: ${id}`,
    role: (role) => `Rolle: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Du schreibst anonym, deshalb kannst du hier nichts entscheiden.",
    place: (place) => `Orts-ID: ${place}`,
    adminHere:
      "Du bist Admin dieser Gruppe, also kannst du ihre Einstellungen und Limits ändern und über Freigaben entscheiden.",
    roles: {
      owner: "Eigentümer",
      admin: "Admin",
      member: "Mitglied",
      guest: "Gast",
      stranger: "noch keine",
      banned: "gesperrt",
    },
    may: {
      owner: "Dieser Bot gehört dir. Du kannst alles.",
      admin:
        "Du kannst alles: mit mir chatten, Aktionen freigeben, Einstellungen ändern und Leuten Zugang geben.",
      member:
        "Du kannst mit mir chatten, freigeben, was ich für dich tue, und deine eigenen Einstellungen ändern.",
      guest: "Du kannst hier mit mir chatten. Aktionen geben Mitglieder frei.",
      stranger: "Du hast noch keinen Zugang.",
      banned: "Du bist gesperrt.",
    },
  },

  people: {
    nobodyCalled: (typed) =>
      `Ich kenne niemanden namens ${typed}. Wenn die Person mir noch nie geschrieben hat, nimm eine ID wie telegram:12345.`,
    whomOnDiscord: (command) =>
      `Wer? Wähle in den Optionen von /${command} eine Person oder einen Ort.`,
    whom: (command) =>
      `Wer? Antworte auf eine Nachricht der Person mit /${command}, oder nimm @name oder eine ID: /${command} telegram:12345`,
    anonymous: (who) =>
      `${who} schreibt anonym, vielleicht für mehrere Personen, und kann deshalb keine Rolle haben.`,
    adminsOnly: "Nur ein Admin kann Rollen ändern.",
    ownersOnly: "Nur Eigentümer können Admins ernennen oder absetzen.",
    ownerStays: (who) =>
      `${who} gehört dieser Bot. Das lässt sich nur in der Konfiguration des Bots ändern.`,
    fileBans: (who) => `${who} ist in der Konfiguration des Bots gesperrt. Bitte ändere es dort.`,
    fileAllows: (who) => `${who} hat über die Konfiguration des Bots Zugang. Bitte ändere es dort.`,
    aRole: {
      owner: "Eigentümer",
      admin: "Admin",
      member: "Mitglied",
      guest: "Gast",
      banned: "gesperrt",
    },
    isNow: (who, role) => `${who} ist jetzt ${role}.`,
    isAlready: (who, role) => `${who} ist schon ${role}.`,
    banned: (who) => `${who} ist gesperrt.`,
    unbanned: (who) => `${who} ist nicht mehr gesperrt.`,
    notBanned: (who) => `${who} ist nicht gesperrt.`,
    noRole: (typed) => `Die Rolle ${typed} gibt es nicht. Möglich sind admin, member und guest.`,
    whichRole: "Welche Rolle? Möglich sind admin, member und guest.",
    placeAllowed: (place) => `Alle in ${place} können jetzt mit mir reden (als Gast).`,
    placeBanned: (place) => `In ${place} bleibe ich still, außer für Admins.`,
    placeCleared: (place) => `Die Regel in ${place} ist gelöscht.`,
    placeNotSet: (place) => `In ${place} gibt es keine Regel.`,
    noPlace: "Das ist ein privater Chat. Nenne stattdessen eine Person.",
    noServer: "Das ist kein Discord-Server.",
    owners: "Eigentümer:",
    admins: "Admins:",
    noneNamed: "Niemand.",
    terminal: "Auch wer an meinem Terminal sitzt, ist Eigentümer.",
    thisChat: "diesem Chat",
    thisServer: "diesem Server",
  },

  export: {
    adminsOnly: "Nur ein Admin kann die Unterhaltung einer Gruppe exportieren.",
    badFormat: (typed) =>
      `Als ${typed} kann ich nicht exportieren. Möglich sind /export json und /export markdown.`,
    full: "Entschuldige, in diesem Chat warten zu viele Nachrichten auf den Versand. Bitte versuch es später noch einmal.",
    nothing: "Es gibt noch nichts zu exportieren.",
    done: (entries) =>
      `Hier ist die Unterhaltung mit ${counted(entries, { one: "Element", other: "Elementen" })}.`,
    doneIn: (entries, files) =>
      `Hier ist die Unterhaltung mit ${counted(entries, { one: "Element", other: "Elementen" })} in ${n(files)} Dateien.`,
    shown: "Alle hier können das sehen.",
  },

  forget: {
    notAnonymously: "Im Namen einer Gruppe oder eines Kanals kannst du nichts löschen.",
    inPrivateOnly: "Das geht nur in unserem privaten Chat. Bitte schick mir dort /forget me.",
    adminsOnly:
      "In einer Gruppe können nur Admins den Chat löschen. Um zu löschen, was du hier geschrieben hast, schick mir privat /forget me.",
    badScope: (typed) =>
      `Ich kann „chat“ (diesen Chat) oder „me“ (alle deine Daten) löschen; ${typed} kenne ich nicht.`,
    badCode: (typed) => `Dieser Code stimmt nicht: ${typed}. Er sieht aus wie yes-1234.`,
    yes: { chat: "Ja, diesen Chat löschen", me: "Ja, alles löschen" },
    confirm: (confirmation) => `Zur Bestätigung schick innerhalb von 5 Minuten ${confirmation}.`,
    explained: {
      chat: "Das löscht endgültig alles, was ich zu diesem Chat gespeichert habe: Nachrichten, Notizen, To-dos, Einstellungen, Verbrauch, Dateien und Archive. Was ich hier gerade tue, wird gestoppt.\nNachrichten in der App selbst bleiben. Die kannst nur du dort löschen.",
      me: "Das löscht deine Daten endgültig und stoppt, was ich gerade für dich tue.\nGelöscht wird:\n• deine privaten Chats mit mir\n• dein Profil mit Vorlieben und Rolle (vielleicht musst du neu zugelassen werden)\n• in Gruppen: was du geschrieben hast, was ich dir geantwortet habe und wo ich deine Worte wiederholt habe\n• deine Gründe und Änderungen, wo du für andere entschieden hast\nErhalten bleiben:\n• Notizen und To-dos von Gruppen\n• was andere über dich geschrieben haben\n• der Verbrauch dieses Monats\n• eine Sperre, falls du eine hast (ohne deinen Namen)\n• Nachrichten in der App selbst",
    },
    expired: (scope) =>
      `Diese Bestätigung ist falsch oder abgelaufen. Bestätigen kann nur, wer darum gebeten hat, hier und innerhalb von 5 Minuten. Beginne noch einmal mit /forget ${scope}.`,
    begun: "Einen Moment. Ich sage Bescheid, wenn alles gelöscht ist.",
    chatDone: "Fertig. Alles in diesem Chat ist gelöscht.",
    meDone: "Fertig. Deine privaten Chats mit mir und dein Profil sind gelöscht.",
    meDoneWith: (groups) =>
      `Fertig. Deine privaten Chats mit mir, dein Profil und was du in ${counted(groups, { one: "Gruppe", other: "Gruppen" })} geschrieben hast, sind gelöscht.`,
    but: (count) =>
      `${counted(count, { one: "Element, das dazugehören könnte, konnte ich nicht lesen oder entfernen", other: "Elemente, die dazugehören könnten, konnte ich nicht lesen oder entfernen" })}. Wer mich betreibt, findet mehr in meinem Log.`,
  },

  end: {
    modelCalls: (limit) =>
      `Ich habe hier gestoppt, weil das Limit von ${counted(limit, { one: "Schritt", other: "Schritten" })} erreicht ist. Schreib „weiter“, um fortzufahren.`,
    toolExecutions: (limit) =>
      `Ich habe hier gestoppt, weil das Limit von ${counted(limit, { one: "Werkzeugnutzung", other: "Werkzeugnutzungen" })} erreicht ist. Schreib „weiter“, um fortzufahren.`,
    tokens: (limit) =>
      `Ich habe hier gestoppt, weil das Limit von ${counted(limit, { one: "Token", other: "Tokens" })} pro Antwort erreicht ist.`,
    cost: (limitUsd) =>
      `Ich habe hier gestoppt, weil das Kostenlimit von ${exactMoney(limitUsd)} pro Antwort erreicht ist.`,
    deadline: (limitSeconds) =>
      `Ich habe hier gestoppt, weil das Zeitlimit von ${counted(limitSeconds, { one: "Sekunde", other: "Sekunden" })} pro Antwort erreicht ist.`,
    loop: "Ich habe mich im Kreis gedreht und deshalb gestoppt. Kannst du es anders ausdrücken?",
    denied: "Ich habe hier gestoppt, weil das nicht freigegeben wurde.",
    notAllowed: "Ich habe hier gestoppt, weil das nicht erlaubt ist.",
    toolFailed: "Ich habe hier gestoppt, weil ein Werkzeug gescheitert ist.",
    cut: "Hier habe ich gestoppt, das Längenlimit ist erreicht. Schreib „weiter“ für den Rest.",
    cutEmpty:
      "Ich habe am Längenlimit gestoppt, bevor ich antworten konnte. Schreib „weiter“, dann versuche ich es noch einmal.",
    filtered: "Der Inhaltsfilter des KI-Dienstes hat meine Antwort hier gestoppt.",
    downgraded: (tier) =>
      `Das Budget wird knapp, deshalb hat ein günstigeres Modell geantwortet (${tier}).`,
    poisoned: (errorId) =>
      `Entschuldige, ich habe es dreimal versucht und bin gescheitert. Bitte versuch es anders. (Fehler ${errorId})`,
    stopped: "(gestoppt)",
    interrupted: "(unterbrochen)",
  },

  modelFailed: {
    "rate-limited": (errorId, when) =>
      `Entschuldige, der KI-Dienst ist gerade überlastet. Bitte versuch es ${when ?? "in einer Minute"} noch einmal. (Fehler ${errorId})`,
    overloaded: (errorId, when) =>
      `Entschuldige, der KI-Dienst hat gerade Probleme. Bitte versuch es ${when ?? "später"} noch einmal. (Fehler ${errorId})`,
    timeout: (errorId) =>
      `Entschuldige, mein KI-Modell hat zu lange gebraucht. Bitte versuch es noch einmal. (Fehler ${errorId})`,
    network: (errorId) =>
      `Entschuldige, ich erreiche mein KI-Modell gerade nicht. Bitte versuch es später noch einmal. (Fehler ${errorId})`,
    "context-overflow": (errorId) =>
      `Entschuldige, diese Unterhaltung ist zu lang für das Modell. /new beginnt eine neue. (Fehler ${errorId})`,
    "setup-too-long": (errorId) =>
      `Entschuldige, schon meine Anweisungen und Werkzeuge sind zu lang für das Modell. Ein Admin kann den Prompt oder die Werkzeuge kürzen oder ein Modell mit größerem Kontextfenster wählen. (Fehler ${errorId})`,
    "turn-too-long": (errorId) =>
      `Entschuldige, diese Anfrage ist zu lang für das Modell. Bitte kürze sie oder teile sie auf. (Fehler ${errorId})`,
    auth: (errorId) =>
      `Entschuldige, der KI-Dienst hat den API-Schlüssel abgelehnt. (Fehler ${errorId})`,
    "invalid-request": (errorId) =>
      `Entschuldige, der KI-Dienst hat meine Anfrage abgelehnt. (Fehler ${errorId})`,
    refused: (errorId) =>
      `Entschuldige, das KI-Modell hat die Antwort verweigert. (Fehler ${errorId})`,
    "no-credit": (errorId) =>
      `Entschuldige, mein Konto beim KI-Dienst hat kein Guthaben mehr. (Fehler ${errorId})`,
    moderated: (errorId) =>
      `Entschuldige, der Inhaltsfilter des KI-Dienstes hat das nicht durchgelassen. Formuliere es bitte anders, oder beginne mit /new neu. (Fehler ${errorId})`,
    "unknown-model": (errorId) =>
      `Entschuldige, mein KI-Modell gibt es nicht mehr. (Fehler ${errorId})`,
    "broken-call": (errorId) =>
      `Entschuldige, mein KI-Modell wollte ein Werkzeug benutzen und hat dabei einen Fehler gemacht. Bitte versuch es noch einmal. (Fehler ${errorId})`,
    empty: (errorId) =>
      `Entschuldige, ich habe keine Antwort bekommen. Bitte versuch es noch einmal. (Fehler ${errorId})`,
  },

  unreadable: {
    locked: "Die Datei ist mit einem Passwort geschützt.",
    damaged: "Die Datei ist beschädigt oder kein lesbares PDF.",
    "too-complicated": "Die Datei ist zu komplex, um sie zu lesen.",
    failed:
      "Beim Lesen ist etwas schiefgegangen. Bitte schick die Datei noch einmal oder nimm /retry.",
    pictures: "Sie enthält keinen Text. Die Seiten sind vermutlich Bilder.",
    empty: "Sie enthält keinen Text.",
    unknown: "Diese Art von Datei kann ich nicht lesen.",
    "no-transcription": "Sprachnachrichten kann ich hier nicht anhören.",
    "not-transcribed": "Entschuldige, die Sprachnachricht ließ sich nicht in Text umwandeln.",
    silent: "Ich konnte darin nichts Gesprochenes hören.",
    gone: "Sie ist nicht mehr gespeichert. Dateien werden nach einem Tag gelöscht.",
    refused: "Der KI-Dienst nimmt dieses Bild nicht an.",
  },

  exported: {
    title: "Unterhaltung",
    asOf: (chat, time) => `Der Chat ${chat}, Stand ${time}.`,
    sample: (persona, who) => `Beispiel für die Persona ${persona}: ${who}`,
    asPersona: (model, persona) => `${model} als ${persona}`,
    edited: (who, time) => `${who} hat eine Nachricht geändert, ${time}`,
    reading: "Text des Anhangs",
    result: (number, tool) => `Ergebnis von Aktion ${number}, ${tool}`,
    failed: (kind) => `fehlgeschlagen: ${kind}`,
    ended: (reason) => `Die Antwort endete: ${reason}`,
    endedAs: (reason, persona) => `Die Antwort als ${persona} endete: ${reason}`,
    reset: (time) => `Eine neue Unterhaltung, ${time}`,
    sawNothing: "Ab hier sah das Modell nichts mehr von dem, was oben steht.",
    auto: (step, of) => `Schritt ${step} von höchstens ${of}, Ziel:`,
    threadBegan: "Dieser Thread begann mit:",
    inAnswerTo: "Als Antwort auf:",
    said: "Nachricht:",
    attached: (name, bytes) => `Anhang: ${name}, ${n(bytes)} Bytes`,
    cutOff: "abgebrochen",
    noted: "Von der Plattform ergänzt:",
    thinking: "Überlegungen:",
    answer: "Antwort:",
    call: (number, tool) => `Aktion ${number}: ${tool}`,
    compaction: (strategy) => `Zusammenfassung: ${strategy}`,
    by: (model) => `von ${model}`,
    inPlaceOf: (from, to) =>
      `Ab hier sah das Modell dies anstelle der Elemente ${from} bis ${to} oben:`,
    shortened: (entries) => `Diese Ergebnisse sah es gekürzt: ${entries}.`,
    undone: (time) => `Zurückgenommen, ${time}`,
    sawNothingOf: (from, to) => `Ab hier sah das Modell die Elemente ${from} bis ${to} nicht mehr.`,
    notUndone: "Was diese Aktionen getan haben, wurde nicht rückgängig gemacht:",
  },

  console: {
    demoModel: "Demo-Modell",
    hints: "Schreib eine Nachricht. /help zeigt die Befehle, mit /quit gehst du.",
    earlier: "Zuletzt:",
    working: (seconds) => `${seconds} s · Strg-C stoppt`,
    outcomes: {
      approved: "freigegeben",
      denied: "abgelehnt",
      expired: "abgelaufen: niemand hat rechtzeitig entschieden",
      superseded: "nicht ausgeführt, weil du etwas Neues geschrieben hast",
      cancelled: "gestoppt",
      changed: "geändert, unten wird neu gefragt",
    },
    notHandedOver:
      "Das konnte ich noch nicht annehmen. Es ist gespeichert, und ich versuche es wieder.",
    questionIsOpen:
      "Das wartet noch vom letzten Mal. Antworte mit y oder n; alles andere bricht es ab.",
    questionReplaced: "Die offene Aktion ist abgebrochen.",
    formGone: "Das wartet nicht mehr auf eine Antwort. Deine Änderung ist verworfen.",
    interruptAgain: "Zum Beenden noch einmal Strg-C drücken",
    file: (path) => `Datei: ${path}`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Ich warte darauf, dass ${person} etwas freigibt. Danach kümmere ich mich um deine Nachricht, spätestens in ${counted(minutes, { one: "Minute", other: "Minuten" })}.`,
    awaitsAdmin: (minutes) =>
      `Ich warte darauf, dass ein Admin etwas freigibt. Danach kümmere ich mich um deine Nachricht, spätestens in ${counted(minutes, { one: "Minute", other: "Minuten" })}.`,
    awaitsDecision: (minutes) =>
      `Ich warte hier noch auf eine Freigabe. Danach kümmere ich mich um deine Nachricht, spätestens in ${counted(minutes, { one: "Minute", other: "Minuten" })}.`,
    brokeOff: (model) => `${model} hat mittendrin aufgehört. Neuer Versuch …`,
    shortening: "fasse unsere Unterhaltung zusammen …",
    shortened: (before, after) =>
      `Ich habe den früheren Teil unserer Unterhaltung zusammengefasst, um Platz zu schaffen (etwa ${before} → ${after} Tokens). Nichts ist verloren: /export hat jedes Wort.`,
    nothingToShorten: "Es gibt noch nichts zusammenzufassen.",
    nothingToUndo: "Es gibt nichts zurückzunehmen.",
    nothingToRetry: "Es gibt nichts, was ich noch einmal versuchen könnte.",
    cannotRetry:
      "Das kann ich nicht noch einmal versuchen, weil es inzwischen zusammengefasst ist. Bitte schick es neu.",
    undone: "Zurückgenommen. Deine letzte Nachricht und alles danach sehe ich nicht mehr.",
    undoneOf: (person) =>
      `Zurückgenommen. Die letzte Nachricht von ${person} und alles danach sehe ich nicht mehr.`,
    staysDone: (tools) => `Das lässt sich nicht rückgängig machen: ${tools}.`,
    messageKept:
      "Ich bin gerade ausgelastet. Deine Nachricht ist gespeichert, und ich antworte, sobald ich kann.",
    waitsForPlace: (limit) =>
      `Ich arbeite schon an ${counted(limit, { one: "Antwort", other: "Antworten" })}, mehr geht nicht gleichzeitig. Deine kommt als Nächstes; du musst nichts neu schicken.`,
    kept: (when, errorId) =>
      `Entschuldige, mein KI-Modell antwortet gerade nicht. Deine Nachricht ist gespeichert: Ich frage ${when} noch einmal und in den nächsten anderthalb Stunden noch ein paar Mal. Du musst nichts neu schicken. (Fehler ${errorId})`,
    orderKept: (command) =>
      `Ich bin gerade ausgelastet. Dein /${command} ist gespeichert, und ich kümmere mich darum, sobald ich kann.`,
  },

  edits: {
    refused: (why) => `Diese Änderung geht nicht: ${why} Hier ist noch einmal das Original.`,
    refusedAndGone: (why) =>
      `Diese Änderung geht nicht: ${why} Auch das Original ist nicht mehr möglich, also lasse ich es.`,
    notJson: 'Das ist kein JSON. Es muss aussehen wie {"name": "wert"}.',
    unknownName: (name, known) => `Ein Argument ${name} gibt es hier nicht. Möglich sind ${known}.`,
    expected: (path, what) => `${path} muss ${what} sein.`,
    isMissing: (path) => `${path} fehlt.`,
    isHidden: (path) => `${path} ist verdeckt. Gib den ganzen Wert ein, oder lass ihn unverändert.`,
    keptHidden: (path) =>
      `${path} ist verdeckt. Nur wer darum gebeten hat oder ein Admin kann den Rest ändern und den Wert behalten.`,
    same: "Nichts geändert: Das sind die aktuellen Werte.",
    tooLong: (count) =>
      `Das ist zu lang. Das Limit sind ${counted(count, { one: "Zeichen", other: "Zeichen" })}.`,
    how: (id) => `Zum Ändern: /edit ${id} name=wert, oder JSON mit allen Argumenten.`,
    whichOne: "Welche Aktion willst du ändern?",
    nothingToChange: "Diese Aktionen haben keine Argumente, die du ändern könntest.",
    change: "name=wert",
    newValue: (name) => `Antworte auf diese Nachricht mit dem neuen Wert für ${name}.`,
    newValues: (names) =>
      `Antworte auf diese Nachricht mit dem, was sich ändern soll, je eine Zeile name=wert. Ändern lässt sich: ${names}.`,
    title: "Argumente ändern",
    asJson: "Alle Argumente, als JSON",
    noForm:
      "Das ist zu groß für ein Formular. Antworte auf die Karte mit name=wert, oder mit JSON, das alle Argumente enthält.",
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

  permissions: {
    auto: (until, by) => `auto bis ${until}, eingestellt von ${by}`,
    status: (mode) => `Erlaubnisse: ${mode}`,
    isAuto: (until) =>
      `Bis ${until} frage ich nicht, wo eine Regel das erlaubt. /settings permissions {value:ask} beendet das.`,
    onlyYours:
      "Du bist nur in dieser Gruppe Admin, deshalb gilt es nur für das, was du selbst möchtest.",
    isAsk: "Alles klar, ich frage, bevor ich etwas tue.",
    expected: "Möglich sind ask, auto oder auto mit einer Dauer wie auto 30m",
    noRule: "Keine Regel erlaubt hier auto, deshalb frage ich weiter.",
    full: "In diesem Chat gibt es schon zu viele Erlaubnisse. /grants zeigt und entfernt sie.",
    inGrants: "auto: alles, was eine Regel ohne Rückfrage erlaubt",
    ranByAuto: "ohne Rückfrage ausgeführt (auto)",
  },

  grants: {
    none: "In diesem Chat frage ich immer zuerst.",
    heading: "Was ich hier ohne Rückfrage tun darf:",
    exactly: (given) => `mit genau ${given}`,
    alike: (given) => `mit beliebigen Argumenten wie ${given}`,
    lasts: (span) => `noch ${span}`,
    allowedBy: (name) => `erlaubt von ${name}`,
    onlyFor: (name) => `nur wenn ${name} darum bittet`,
    howTo: "Zum Entfernen: /grants revoke <Nummer>.",
    ownFacts: (name) =>
      `Nur ${name} kann das länger erlauben: Was ich mir merke, braucht die eigene Zustimmung.`,
    revoked: (tool) => `Erledigt. Bevor ich ${tool} wieder benutze, frage ich.`,
    noSuch: (number) => `Eine Nummer ${number} gibt es hier nicht. Siehe /grants.`,
    notYours: "Das kann nur ein Admin entfernen, oder wer es erlaubt hat.",
    given: (span) =>
      `Freigegeben. ${span} lang mache ich genau das ohne Rückfrage. /grants nimmt das zurück.`,
    givenAny: (span, tool) =>
      `Freigegeben. ${span} lang benutze ich ${tool} mit beliebigen Argumenten wie diesen ohne Rückfrage. /grants nimmt das zurück.`,
    off: "Das braucht immer eine Freigabe.",
    atMost: (span) => `Erlaubt sind höchstens ${span}.`,
    noSpan: (typed) => `${typed} verstehe ich nicht. Versuch 30m oder 2h.`,
    adminsAny: "Andere Argumente können nur Admins erlauben.",
    full: "Freigegeben, aber in diesem Chat gibt es schon so viele Erlaubnisse, dass ich mir diese nicht merken kann. /grants zeigt und entfernt sie.",
    one: "Welche Aktion? /approve <id>.<Nummer> always erlaubt eine davon.",
  },

  pause: {
    kept: "Ich mache gerade Pause. Deine Nachricht ist gespeichert; ich antworte, wenn ich zurück bin.",
    halted:
      "Ein Admin hat mich pausiert, deshalb habe ich hier gestoppt. Bitte frag später noch einmal.",
    scopes: {
      all: "überall",
      telegram: "auf Telegram",
      discord: "auf Discord",
      console: "im Terminal",
    },
    begun: (what) =>
      `Ich mache ${what} Pause. Laufende Antworten werden noch fertig, neue Nachrichten warten. Weiter geht es mit /resume.`,
    begunNow: (what) =>
      `Ich mache ${what} Pause. Laufende Antworten sind gestoppt, neue Nachrichten warten. Weiter geht es mit /resume.`,
    ended: (what) => `Ich bin ${what} wieder da. Wartende Nachrichten beantworte ich gleich.`,
    notPaused: (what) => `Eine Pause ${what} läuft gerade nicht.`,
    stillAll: "Ich mache noch überall Pause. /resume all beendet das.",
    unknown: (typed) =>
      `${typed} verstehe ich nicht. Möglich sind all, telegram, discord, console und now.`,
    since: (moment) => `Pause seit ${moment}.`,
    sinceOf: (what, moment) => `Pause ${what} seit ${moment}.`,
  },

  audit: {
    itself: "Parley selbst",
    heading: "Protokoll (Neuestes zuerst, UTC):",
    none: "Im Protokoll ist nichts dazu.",
    part: "Ich habe nur die neuesten 20.000 Zeilen durchsucht. /audit export hat alles.",
    unknown: (typed, kinds) =>
      `${typed} verstehe ich nicht. Möglich sind eine Zahl, eine Person oder eine Art: ${kinds}.`,
    exported: (count) =>
      `Ich schicke dir das Protokoll (${counted(count, { one: "Zeile", other: "Zeilen" })}) als Datei in unseren privaten Chat.`,
    actions: {
      "approval-decided": "entschied über",
      "approval-edited": "änderte die Argumente von",
      "values-shown": "sah verdeckte Werte von",
      "contents-shown": "las mit in",
      "grant-given": "erlaubte ohne Rückfrage",
      "grant-revoked": "beendete eine Erlaubnis für",
      "limit-set": "setzte ein Limit für",
      "limit-reset": "setzte ein Limit zurück für",
      "role-set": "änderte die Rolle von",
      "pairing-decided": "entschied über den Zugang von",
      paused: "pausierte",
      resumed: "reaktivierte",
      "setting-changed": "änderte die Einstellung",
      "turn-stopped": "stoppte die Antworten",
      "schedule-changed": "änderte den Zeitplan",
      "skill-decided": "entschied über den Skill",
      broadcast: "schickte eine Nachricht an alle Chats",
      "page-login": "meldete sich am Dashboard an mit",
      "page-session-ended": "meldete vom Dashboard ab",
      "erasure-asked": "bat um Löschung von",
      "dead-letter-settled": "kümmerte sich um eine nicht zugestellte Nachricht",
      "attempt-denied": "wurde abgewiesen bei",
      "tool-executed": "benutzte",
    },
    outcomes: {
      approved: "freigegeben",
      denied: "abgelehnt",
      expired: "abgelaufen",
      "approved 1 of 2": "freigegeben, 1 von 2",
      "not entitled": "nicht berechtigt",
      "another chat": "in einem anderen Chat",
      allowed: "zugelassen",
      allow: "alle haben Zugang",
      ban: "der Bot bleibt still",
      none: "nichts",
      done: "erledigt",
      cancelled: "abgebrochen",
      "outcome-unknown": "Ausgang unbekannt",
      unknown: "Ausgang unbekannt",
      failed: "fehlgeschlagen",
      "tool-error": "fehlgeschlagen",
      timeout: "Zeit überschritten",
      "invalid-arguments": "ungültige Argumente",
      "unknown-tool": "unbekanntes Werkzeug",
      "policy-denied": "von einer Regel verboten",
      "confirmation-denied": "Freigabe abgelehnt",
      "confirmation-expired": "Freigabe abgelaufen",
      superseded: "durch eine neuere Nachricht ersetzt",
      "limit-reached": "Limit erreicht",
      deadline: "Zeit für die Antwort abgelaufen",
      "asked-again": "noch einmal gefragt",
      refused: "abgelehnt",
      "not-asked": "nicht gefragt",
      "not-allowed": "nicht erlaubt",
      replayed: "noch einmal gesendet",
      dropped: "verworfen",
      yes: "ja",
      same: "dieselben Argumente",
      like: "ähnliche Argumente",
      shell: "der Shell",
      off: "aus",
    },
    facts: {
      requester: "angefragt von",
      first: "zuerst freigegeben von",
      persona: "Persona",
      scope: "für",
      until: "bis",
      before: "vorher",
      now: "jetzt",
      reason: "Grund",
      value: "Wert",
      characters: "Zeichen",
      role: "Rolle",
      asked: "verlangt",
      changed: "geändert",
      from: "aus",
      name: "Name",
      version: "Version",
    },
  },

  skills: {
    none: "Ich habe noch keine Skills.",
    heading: "Skills in diesem Chat:",
    howTo: "So benutzt du einen: /skill <name> <task>",
    inUse: (names) => `In diesem Chat eingeschaltete Skills: ${names}. /skills zeigt alle.`,
    waiting: (names) => `Wartet auf Prüfung: ${names}. Admins sehen es mit /skills review.`,
    noneWaits: "Kein Skill wartet auf Prüfung.",
    alsoWait: (names) => `Es warten auch: ${names}.`,
    unknown: (typed) => `Ich kenne den Skill ${typed} nicht.`,
    which: "Welcher Skill? Zum Beispiel: /skills off {skill:pdf}",
    isOn: (name) => `Der Skill ${name} ist in diesem Chat jetzt an.`,
    isOff: (name) => `Der Skill ${name} ist in diesem Chat jetzt aus.`,
    offHere: (name, command) => `Der Skill ${name} ist in diesem Chat aus. Einschalten: ${command}`,
    notOfPersona: (name, persona) =>
      `Die Persona ${persona} nutzt den Skill ${name} nicht. /persona zeigt, wer sonst antworten kann.`,
    personaUses: (persona, names) => `${persona} nutzt nur: ${names}.`,
    personaUsesNone: (persona) => `${persona} nutzt keinen davon.`,
    begun: (name) => `Mache ich, mit dem Skill ${name}.`,
    noTask:
      "Was soll ich damit tun? Zum Beispiel: /skill {name:pdf} {task:fülle dieses Formular aus}",
    news: (names) =>
      `Skills warten auf deine Prüfung: ${names}. Sieh sie dir mit /skills review an.`,
    isNew: (name) => `Neuer Skill: ${name}`,
    hasChanged: (name) => `Geänderter Skill: ${name}`,
    wants: (tools) => `Er verlangt diese Werkzeuge, was nichts ändert: ${tools}`,
    mentions: (tools) => `Er nennt diese Werkzeuge: ${tools}`,
    hidden: (count) =>
      `Vorsicht: ${counted(count, { one: "verstecktes Zeichen", other: "versteckte Zeichen" })}, als Code gezeigt, etwa \\u200b.`,
    leftOut: (count) =>
      `${counted(count, { one: "Datei fehlt, weil sie kein Text oder zu lang ist", other: "Dateien fehlen, weil sie kein Text oder zu lang sind" })}. Solche Dateien lese ich nie.`,
    cut: (command) => `Das ist nur der Anfang. Alles lesen und dann freigeben: ${command}`,
    toDeny: (command) => `Ablehnen: ${command}`,
    readFirst: (command) => `Vor der Freigabe gibt es noch mehr zu lesen: ${command}`,
    toDecide: (approve, deny) => `Entscheiden: ${approve} oder ${deny}`,
    files: {
      added: "Neue Datei",
      changed: "Geänderte Datei",
      removed: "Gelöschte Datei",
      same: "Unveränderte Datei",
    },
    approved: (name, admin) => `${admin} hat den Skill ${name} freigegeben.`,
    denied: (name, admin) => `${admin} hat den Skill ${name} abgelehnt.`,
    noSuchVersion: "Diese Version des Skills gibt es nicht mehr. Sieh mit /skills review nach.",
    privately: "Bitte mach das in einem privaten Chat mit mir.",
    sent: (name) => `Ich schicke dir den Skill ${name} als Datei.`,
  },

  dashboard: {
    off: "Das Dashboard ist aus. Mit PARLEY_PAGE_PORT wird es dort eingeschaltet, wo ich laufe.",
    directOnly: "Den Link schicke ich nur im Direktchat. Schick mir dort /dashboard.",
    link: (url) =>
      `Mit diesem Link meldest du dich am Dashboard an. Er gilt einmal und 10 Minuten lang, gib ihn also nicht weiter:\n${url}`,
    isOpenIn: (browsers) => `Gerade angemeldet: ${browsers}.`,
    end: (browser) => `${browser} abmelden`,
    ended: (browser) => `${browser} ist abgemeldet.`,
    endedBefore: "Dieser Browser ist nicht mehr angemeldet.",
    allEnded: "Alle deine Browser sind abgemeldet, und unbenutzte Links gelten nicht mehr.",
    someBrowser: "ein Browser",
    newBrowser: (browser, when) =>
      `Jemand hat sich als du am Dashboard angemeldet: ${browser}, ${when}. Wenn du das nicht warst, melde ihn ab; /dashboard off meldet alle deine Browser ab.`,
    notMe: "Das war ich nicht",
  },

  imports: {
    none: "Es gibt nichts zu übernehmen. Führe zuerst „npm run init -- --from openclaw“ (oder hermes) aus.",
    directOnly: "Das geht nur im Direktchat. Schick mir dort /import.",
    facts: "Das würde ich mir über dich merken:",
    schedules: "Zeitpläne für diesen Chat, pausiert, bis du sie fortsetzt:",
    question: "Ohne deine Zustimmung wird nichts übernommen.",
    take: "Alles übernehmen",
    hasChanged: "Die Liste hat sich geändert. Bitte sieh sie dir noch einmal an:",
    done: (facts: number, schedules: number) =>
      `Übernommen. Fakten: ${n(facts)}, pausierte Zeitpläne: ${n(schedules)}. Siehe /memory und /schedule.`,
    full: (count: number) =>
      `Für ${n(count)} davon war kein Platz. Lösche etwas mit /memory oder /schedule und schick dann noch einmal /import.`,
  },

  doctor: {
    fine: (count: number) => `Alles in Ordnung (${n(count)} geprüft).`,
    found: (broken: number, warnings: number) => `Defekt: ${n(broken)}, Warnungen: ${n(warnings)}`,
    fix: (how: string) => `Abhilfe: ${how}`,
    rest: (count: number) => `In Ordnung: ${n(count)}`,
    modelFails: (what: string, fix: string) =>
      `Ich kann niemandem antworten, bis das behoben ist.\n${what}\n${fix}`,
    oneModelFails: (what: string, fix: string) =>
      `Eines meiner Modelle antwortet nicht; ein anderes springt ein.\n${what}\n${fix}`,
  },
  stats: {
    chats: (today, thisMonth) =>
      `Aktive Chats: etwa ${n(today)} heute, ${n(thisMonth)} in diesem Monat`,
    today: (spent) => `Heute: ${spent}`,
    thisMonth: (spent) => `In diesem Monat: ${spent}`,
    turns: (active, waiting) => `Antworten: ${n(active)} in Arbeit, ${n(waiting)} warten`,
    deliveries: (waiting) => `Zu sendende Nachrichten: ${n(waiting)}`,
    deadLetters: (count) => `Fehlgeschlagene Zustellungen: ${n(count)}`,
    running: (version, span) => `Parley ${version}, läuft seit ${span}`,
  },

  broadcast: {
    asks: (count) => `Das geht an ${counted(count, { one: "Chat", other: "Chats" })}:`,
    asksMore: (count) => `Das geht an mehr als ${counted(count, { one: "Chat", other: "Chats" })}:`,
    yes: "Abschicken",
    confirm: (command) => `Zur Bestätigung schick innerhalb von 5 Minuten ${command}.`,
    begun: "Wird verschickt. Ich sage Bescheid, wenn es fertig ist.",
    done: (count) => `Deine Nachricht ging an ${counted(count, { one: "Chat", other: "Chats" })}.`,
    nobody: "Es gibt noch keine Chats, an die das gehen könnte.",
    tooLong: (length, limit) =>
      `Das ist zu lang (${n(length)} Zeichen, das Limit ist ${n(limit)}).`,
    expired: "Diese Bestätigung ist falsch oder abgelaufen. Beginne noch einmal mit /broadcast.",
  },
  schedules: {
    when: {
      today: "heute",
      tomorrow: "morgen",
      in: "in",
      later: "später",
      every: "jeden|jede|jedes|alle",
      day: "tag|tage",
      workday: "werktag|wochentag|arbeitstag",
      at: "um|am",
      oclock: "uhr",
      dayParts:
        "morgens|früh|vormittags|mittags|nachmittags|abends|nachts|am morgen|am vormittag|am nachmittag|am abend|in der früh|in der nacht",
      and: "und|oder|am|um|an|ab|von|vom|bis|diesen|dieser|nächsten|nächster|kommenden|kommender",
      weekdays:
        "montag|mo dienstag|di mittwoch|mi donnerstag|do freitag|fr samstag|sonnabend|sa sonntag|so",
      units:
        "s|sek|sekunde|sekunden m|min|minute|minuten h|std|stunde|stunden d|tag|tage|tagen w|woche|wochen",
    },
    zones: "Europe/Berlin Europe/Vienna Europe/Zurich",
    howTo:
      "Sag mir, wann und was. Zum Beispiel: /remind {when:in 20m} {text:Tee}, oder: /remind {when:morgen 9:00} {text:Zahnarzt anrufen}",
    noText: "Woran soll ich dich erinnern? Zum Beispiel: /remind {when:in 20m} {text:Tee}",
    tooLong: (length, limit) =>
      `Das ist zu lang (${n(length)} Zeichen, höchstens ${n(limit)} gehen).`,
    forModel: (text) => `Stell eine Erinnerung ein: ${text}`,
    begun: "Ich schaue, wann das wäre.",
    willRemind: (when) => `Alles klar, ich erinnere dich: ${when}.`,
    problems: {
      impossible:
        "Dieses Datum oder diese Uhrzeit gibt es nicht. Versuch 2027-01-05 09:00 oder morgen 9:00.",
      past: "Diese Zeit ist schon vorbei. Wähl eine, die noch kommt.",
      soon: "Das ist zu bald. Gib mir mindestens 5 Sekunden.",
      far: "Das ist zu weit weg. Wähl eine Zeit in den nächsten zehn Jahren.",
      never: "Diese Regel träfe nie zu. Versuch jeden Montag 9:00 oder 0 9 * * 1.",
      often: "Das ist zu oft. Lass mindestens 5 Minuten dazwischen.",
    },
    tooMany: (limit) =>
      `Du hast schon ${n(limit)} Erinnerungen und Zeitpläne in allen Chats zusammen, mehr gehen nicht. Lösch zuerst einen: /schedule`,
    none: "Du hast hier keine Erinnerungen oder Zeitpläne. So legst du einen an: /remind {when:in 20m} {text:Tee}",
    heading: "Erinnerungen und Zeitpläne in diesem Chat:",
    more: "Mehr",
    buttons: "▶ führt sofort aus, ⏸ pausiert, ⏵ setzt fort, ✕ löscht.",
    next: (when) => `nächstes Mal: ${when}`,
    over: "vorbei",
    paused: {
      person: "pausiert",
      failures: "nach drei Fehlern pausiert",
      rights: "pausiert, weil es der Person nicht mehr erlaubt ist",
      dead: "pausiert, weil ich in diesem Chat nicht mehr schreiben kann",
    },
    dead: {
      someGroup: "einer unserer Gruppen",
      inGroup: (place) =>
        `Ich kann in ${place} nicht mehr schreiben. Was du dort geplant hattest, habe ich pausiert:`,
      inPrivate: (platform) =>
        `Ich kann in einem unserer privaten Chats auf ${platform} nicht mehr schreiben. Was du dort geplant hattest, habe ich pausiert:`,
      goesOn:
        "Sobald ich dort wieder schreiben kann, geht es von selbst weiter. Wenn du es lieber hier haben möchtest, plane es in diesem Chat neu, zum Beispiel mit /remind.",
      ofPerson: (name, ids) =>
        `Ich kann ${name} nicht mehr schreiben. Was in unserem privaten Chat geplant war, habe ich pausiert (${ids}). Sobald ich dort wieder schreiben kann, geht es von selbst weiter.`,
      ofGroup: (name, place, ids) =>
        `Ich kann in ${place} nicht mehr schreiben und ${name} auch privat nicht erreichen. Was ${name} dort geplant hatte, habe ich pausiert (${ids}). Sobald ich dort wieder schreiben kann, geht es von selbst weiter.`,
      lost: (name, id, why) =>
        `Was ${name} geplant hatte (${id}), konnte ich nicht senden, und anderswo war ${name} auch nicht zu erreichen. ${why}`,
    },
    last: (outcomes) => `zuletzt: ${outcomes}`,
    outcomes: {
      sent: "gesendet",
      asked: "beantwortet",
      unchanged: "keine Änderung",
      late: "verpasst",
      refused: "abgelehnt",
      failed: "fehlgeschlagen",
    },
    run: "Jetzt ausführen",
    pause: "Pausieren",
    resume: "Fortsetzen",
    delete: "Löschen",
    which: "Welchen? /schedule zeigt die IDs.",
    unknown: (typed) => `${typed} kenne ich nicht. /schedule zeigt, was du hier hast.`,
    badAction: (typed) =>
      `${typed} kenne ich nicht. Es gibt /schedule list, run, pause, resume, delete und zone.`,
    notYours: "Das kann nur ein Admin ändern, oder wer es angelegt hat.",
    justChanged: "Das hat sich inzwischen geändert. Schau in /schedule und versuch es noch einmal.",
    isDeleted: (what) => `Gelöscht: ${what}`,
    isPaused: (what) => `Pausiert: ${what}`,
    isResumed: (what, when) => `Geht weiter: ${what} (nächstes Mal: ${when})`,
    isRunning: (what) => `Wird jetzt ausgeführt: ${what}`,
    isOver: "Die Zeit dafür ist vorbei. Leg mit /remind einen neuen an.",
    zone: {
      is: (zone) =>
        `Deine Zeitzone ist ${zone}. So änderst du sie: /schedule zone {city:Europe/Berlin}`,
      isUnknown: "Ich kenne deine Zeitzone noch nicht und rechne deshalb in UTC.",
      ask: "Ich kenne deine Zeitzone nicht, deshalb ist das in UTC. Wo bist du?",
      how: "Falls sie nicht dabei ist: /schedule zone {city:Europe/Berlin}",
      unknown: (typed) =>
        `Die Zeitzone ${typed} kenne ich nicht. Nenne eine große Stadt in deiner Zeitzone, zum Beispiel: /schedule zone {city:Berlin}`,
      near: (typed, zones) =>
        `Die Zeitzone ${typed} kenne ich nicht. Meintest du ${zones}? Wenn nicht, nenne eine große Stadt in deiner Zeitzone, zum Beispiel: /schedule zone {city:Berlin}`,
      isNow: (zone) => `Deine Zeitzone ist jetzt ${zone}.`,
      others: "Diese sind noch in einer anderen Zeitzone. Wähle aus, was umziehen soll:",
      moved: (when) => `Ich habe es verschoben: ${when}.`,
      notAnonymously: "Anonym kann man keine eigene Zeitzone haben.",
    },
    rules: {
      every: (span) => `alle ${span}`,
      daily: (time) => `jeden Tag um ${time}`,
      workdays: (time) => `Montag bis Freitag um ${time}`,
      weekly: (weekday, time) => `jeden ${weekday} um ${time}`,
      cron: (rule) => `nach der Regel ${rule}`,
    },
    card: {
      existing: (what) => `Aktuell: ${what}`,
      next: (times) => `Als Nächstes: ${times}`,
      cost: (amount) => `Etwa ${amount} im Monat, gemessen an den Antworten in diesem Chat.`,
      costUnknown: "Was es im Monat kostet, ist nicht bekannt.",
      costNothing: "Es kostet nichts, denn es wird kein KI-Modell gefragt.",
    },
    reminder: (text) => `⏰ ${text}`,
    reminderFor: (name, text) => `⏰ ${name}: ${text}`,
    wasDue: (when) => `Fällig war das ${when}.`,
    noRights: (text) =>
      `Ich habe den Zeitplan „${text}“ pausiert, weil du hier keine Zeitpläne mehr haben darfst.`,
    notRun: (text) => `Der Zeitplan „${text}“ ist deshalb diesmal ausgefallen.`,
    failed: (text) =>
      `Ich habe den Zeitplan „${text}“ pausiert, weil er dreimal hintereinander fehlgeschlagen ist. Mit /schedule kannst du ihn fortsetzen.`,
  },
  findings: findingsDe,
  page: pageDe,
  number: n,
  money,
  exactMoney,
};
