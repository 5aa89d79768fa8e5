import { countedIn, numberIn } from "../counted.ts";
import type { findingsEn } from "./en.ts";

const counted = countedIn("de");
const n = numberIn("de");

const dimensionen = { one: "Dimension", other: "Dimensionen" };
const werkzeuge = { one: "Werkzeug", other: "Werkzeuge" };

export const findingsDe: typeof findingsEn = {
  checks: {
    machine: "Dieser Rechner",
    httpPort: "Der HTTP-Port",
    page: "Das Dashboard",
    processes: "Die Liste der Prozesse",
    work: "Die wartende Arbeit",
    schedules: "Die Liste der Zeitpläne",
    owners: "Die Liste der Besitzer",
    groups: "Die Liste der abgewiesenen Gruppen",
    backup: "Die Zeit der letzten Sicherung",
    personas: "Der Ordner der Personas",
    tools: "Die Liste der Werkzeugregeln",
    skills: "Die Liste der Skills",
    model: (id) => `Das Modell ${id}`,
    embeddings: (model) => `Das Embedding-Modell ${model}`,
    search: (provider) => `Die Websuche (${provider})`,
    mcp: (name) => `Der MCP-Server „${name}“`,
  },
  late: {
    what: (check, seconds) => `${check}: keine Antwort innerhalb von ${n(seconds)} s.`,
    why: "Was hier hängt, hängt auch für alle, die mit dem Bot schreiben.",
    fix: "Sieh ins Log und prüfe das Netzwerk zwischen diesem Rechner und dem Dienst, dann lass doctor noch einmal laufen.",
  },
  unexamined: {
    what: (check, cause) => `${check} konnte nicht geprüft werden: ${cause}`,
    why: "Ob das funktioniert, ist unbekannt. Was hier nicht stimmt, kann auch andere treffen.",
    fix: "Behebe, was die Meldung nennt, dann lass doctor noch einmal laufen. Wenn sie nichts nennt, was bei dir liegt, melde es als Fehler.",
  },
  machine: {
    oldNode: {
      what: (version) => `Node ${version} ist zu alt.`,
      why: (oldest) => `Parley braucht Node ${oldest} oder neuer.`,
      fix: "npm ci (bringt Node 24 mit)",
    },
    settings: (file) => `Die Einstellungen sind in Ordnung (${file}).`,
    noFile: "ohne parley.yaml",
  },
  files: {
    closed: (path) => `Nur der Besitzer der Datei kann ${path} lesen.`,
    open: (path, mode) => `Andere Benutzer dieses Rechners können ${path} lesen (Rechte ${mode}).`,
    holdsSecrets: "Darin stehen Tokens und Schlüssel.",
    mayBeShared: "Das ist in Ordnung, solange kein Schlüssel darin steht.",
    noFolder: {
      what: (folder) => `${folder} gibt es noch nicht.`,
      why: "Parley legt den Ordner beim ersten Start an; einen anderen Ort bestimmt PARLEY_DATA.",
    },
    folderClosed: (folder) => `Andere Benutzer können die Daten in ${folder} nicht lesen.`,
    folderOpen: {
      what: (folder, mode) =>
        `Andere Benutzer dieses Rechners können ${folder} öffnen (Rechte ${mode}).`,
      why: "Darin liegen Unterhaltungen.",
    },
    canWrite: (folder, freeMb) => `${folder} ist beschreibbar (${n(freeMb)} MB frei).`,
    cannotWrite: {
      what: (folder, cause, freeMb) =>
        `In ${folder} lässt sich nichts schreiben: ${cause} (${n(freeMb)} MB frei).`,
      why: "Parleys eigenes Redis nimmt dann keine Nachrichten an, und es gibt kein Log.",
    },
    scarce: {
      what: (folder, freeMb) =>
        `Der Datenträger von ${folder} ist fast voll: ${n(freeMb)} MB frei.`,
      why: "Ist er voll, wird nichts Neues gespeichert und niemand bekommt eine Antwort.",
    },
    freeSpace: (folder) =>
      `Platz schaffen: df -h ${folder} ; oder setze PARLEY_DATA auf einen Ordner auf einem anderen Datenträger.`,
  },
  port: {
    free: (port) => `Port ${port} ist frei; Parley benutzt ihn, sobald es läuft.`,
    ready: (url) => `Parley läuft und ist unter ${url} bereit.`,
    notReady: {
      what: (url, answer) => `Parley läuft unter ${url}, ist aber nicht bereit: ${answer}`,
      why: "Bis dahin bekommt niemand eine Antwort.",
      fix: "Behebe, was sonst noch defekt ist; im Log steht dasselbe.",
    },
    taken: {
      what: (port, host) => `Ein anderes Programm belegt Port ${port} von ${host}.`,
      why: (variable) => `Parley kann nicht starten, solange ${variable} belegt ist.`,
      fix: (port, variable) =>
        `Beende dieses Programm (ss -ltnp 'sport = :${port}'), oder setze ${variable} auf einen anderen Port.`,
    },
  },
  page: {
    free: (port) => `Port ${port} ist frei; das Dashboard ist dort, sobald Parley läuft.`,
    isAt: (url) => `Das Dashboard läuft unter ${url}.`,
    reached: (url) => `Das Dashboard ist unter ${url} erreichbar.`,
    notOfRole: {
      what: (role) =>
        `PARLEY_PAGE_PORT ist gesetzt, aber in der Rolle ${role} gibt es kein Dashboard.`,
      why: "Das Dashboard läuft in den Rollen bots und all.",
      fix: "Setze es dort, wo PARLEY_ROLE bots oder all ist.",
    },
    otherHost: {
      what: (url) => `Der Proxy unter ${url} gibt einen anderen Host weiter als seinen eigenen.`,
      why: "Die Links von /dashboard führen dorthin.",
      fix: "Lass ihn den Host-Header weitergeben; bei nginx: proxy_set_header Host $host;",
    },
    unreached: {
      what: (url, answer) =>
        `Das Dashboard ist von diesem Rechner aus nicht unter ${url} erreichbar (${answer}).`,
      why: "Die Links von /dashboard führen dorthin.",
      fix: "Korrigiere PARLEY_PAGE_URL oder den Proxy (docs/page.md). Wenn nur Browser anderswo die Adresse erreichen sollen, ist nichts zu tun.",
    },
  },
  redis: {
    unknown: "unbekannt",
    answers: (name, version) => `${name} antwortet (Version ${version}).`,
    tooOld: {
      what: (name, version) => `${name} hat die Version ${version}.`,
      why: "Parley braucht Befehle von Redis 6.2.",
      fix: "Installiere Redis 6.2 oder neuer (oder Valkey), oder entferne REDIS_URL: Dann startet Parley sein eigenes.",
    },
    replica: {
      what: (name) => `${name} ist ein Replikat.`,
      why: "Dorthin lässt sich nichts schreiben.",
      fix: "Richte REDIS_URL auf den primären Server.",
    },
    alsoInFile: (command) => `${command} (und dasselbe in redis.conf)`,
    evictsNothing: (name) => `${name} verdrängt nichts.`,
    mayEvict: {
      what: (name) => `${name} nennt seine maxmemory-policy nicht.`,
      why: "Mit jeder anderen als noeviction gehen Nachrichten verloren, wenn der Speicher voll ist.",
    },
    evicts: {
      what: (name, policy) =>
        `${name} verdrängt Schlüssel, wenn der Speicher voll ist (maxmemory-policy ${policy}).`,
      why: "Nachrichten und Freigaben gingen verloren; Parley startet damit nicht.",
    },
    writesAtOnce: (name) => `${name} schreibt jede Nachricht sofort auf die Festplatte.`,
    noFile: {
      what: (name) => `${name} führt keine Append-only-Datei.`,
      why: "Was schon angenommen ist, kann verloren gehen, wenn Redis endet.",
    },
    writesLater: {
      what: (name, value) => `${name} hat appendfsync ${value}.`,
      why: "Bei einem Stromausfall kann verloren gehen, was zuletzt angenommen wurde.",
    },
    cannotWrite: {
      what: (name) => `${name} kann nicht auf die Festplatte schreiben.`,
      why: "Bis dahin wird jedes Schreiben abgelehnt: Keine Nachricht wird gespeichert, niemand bekommt eine Antwort.",
      fix: "Schaffe Platz auf der Festplatte von Redis (df -h), oder korrigiere die Rechte seines Ordners; danach geht es von selbst weiter.",
    },
    uses: (name, usedMb, limitMb) => `${name} belegt ${n(usedMb)} MB von ${n(limitMb)} MB.`,
    usesOfUnknown: (name, usedMb) => `${name} belegt ${n(usedMb)} MB; die Grenze ist unbekannt.`,
    full: (name, usedMb, limitMb) =>
      `${name} belegt ${n(usedMb)} MB von ${n(limitMb)} MB: Der Speicher ist voll.`,
    memory: {
      why: "Ist der Speicher voll, werden neue Nachrichten abgewiesen.",
      fix: "Erhöhe maxmemory (redis-cli config set maxmemory 2gb), oder verkürze retention.history und retention.traces in parley.yaml.",
    },
  },
  clock: {
    agrees: (redis) => `Die Uhr dieses Rechners stimmt mit der von ${redis} überein.`,
    here: {
      ahead: (seconds, redis) =>
        `Die Uhr dieses Rechners geht gegenüber der von ${redis} ${n(seconds)} s vor.`,
      behind: (seconds, redis) =>
        `Die Uhr dieses Rechners geht gegenüber der von ${redis} ${n(seconds)} s nach.`,
      why: "Parley richtet sich nach der Uhr von Redis, aber Logzeilen, TLS und Tokens richten sich nach dieser.",
      fix: "timedatectl set-ntp true (auf dem Rechner, dessen Uhr falsch geht; date zeigt sie)",
    },
    elsewhere: {
      ahead: (host, process, seconds) =>
        `Die Uhr von ${host} (Prozess ${process}) geht gegenüber der von Redis ${n(seconds)} s vor.`,
      behind: (host, process, seconds) =>
        `Die Uhr von ${host} (Prozess ${process}) geht gegenüber der von Redis ${n(seconds)} s nach.`,
      why: "Parley richtet sich nach der Uhr von Redis, aber Logzeilen, TLS und Tokens jenes Rechners richten sich nach seiner eigenen.",
      fix: (host) => `timedatectl set-ntp true (auf ${host})`,
    },
  },
  processes: {
    none: {
      what: "Mit diesem Redis läuft kein Parley.",
      why: "So lange bekommt niemand eine Antwort.",
    },
    runs: (version, processes) => `Parley ${version} läuft: ${processes}.`,
    one: (role, process, host) => `${role} (Prozess ${process} auf ${host})`,
    versions: {
      what: (versions) => `Es laufen Prozesse verschiedener Versionen: ${versions}.`,
      why: "Das ist nur für die Minuten eines Updates gedacht.",
      fix: "Starte die älteren neu, in der Reihenfolge aus docs/guides/upgrade.md.",
    },
    noneAnswers: {
      what: (role) => `Es läuft kein Prozess mit der Rolle ${role}.`,
      why: "Nachrichten werden gespeichert, aber niemand bekommt eine Antwort.",
    },
  },
  work: {
    nothingOverdue: "Nichts ist überfällig.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "Chat oder Freigabe hätte", other: "Chats oder Freigaben hätten" })} vor mehr als 30 s an der Reihe sein sollen.`,
      why: "Kein laufender Prozess kümmert sich darum, und jemand wartet.",
      fix: "npm start (oder starte die Prozesse neu, die hängen)",
    },
    noneWaits: "Keine Nachricht wartet lange.",
    waits: {
      what: (chat, span) => `Eine Nachricht in ${chat} wartet seit ${span}.`,
      why: "Der Prozess, der antworten sollte, hängt, es läuft keiner, oder alles ist pausiert.",
      fix: (chat) =>
        `npm run trace -- ${chat} ; npm run admin -- resume (falls pausiert); sonst starte die Prozesse neu.`,
    },
    delivered: "Alle Antworten wurden zugestellt.",
    undelivered: {
      what: (count) =>
        `${counted(count, { one: "Nachricht konnte", other: "Nachrichten konnten" })} nicht zugestellt werden.`,
      why: "Jemandem fehlt eine Antwort.",
      reasons: (listed) => `Gründe: ${listed}`,
      reasonsOfSome: (count, listed) => `Gründe bei ${n(count)} davon: ${listed}`,
      fix: "npm run admin -- dead-letters (zeigt, warum; danach dead-letters replay --all)",
    },
  },
  schedules: {
    nothingOverdue: "Kein Zeitplan ist überfällig.",
    overdue: {
      what: (count) =>
        `${counted(count, { one: "Zeitplan hätte", other: "Zeitpläne hätten" })} vor mehr als zwei Minuten ausgelöst werden sollen.`,
      why: "Kein laufender Prozess löst sie aus, oder in ihren Chats warten zu viele Nachrichten.",
      fix: "npm start (oder starte die Prozesse neu, die hängen)",
    },
    noneFailed: "Kein Zeitplan ist wegen Fehlern pausiert.",
    failed: {
      what: (count) =>
        `Nach drei Fehlschlägen hintereinander pausiert: ${counted(count, { one: "Zeitplan", other: "Zeitpläne" })}.`,
      why: "Wer sie angelegt hat, weiß davon; der Grund kann ein Modell oder ein Werkzeug sein, das alle benutzen.",
      fix: "Suche im Log nach ihren Fehlern, dann setze sie in ihren Chats mit /schedule fort.",
    },
    noneDead: "Kein Zeitplan ist pausiert, weil der Bot in seinem Chat nicht schreiben kann.",
    dead: {
      what: (count) =>
        `Pausiert, weil der Bot in ihrem Chat nicht mehr schreiben kann: ${counted(count, { one: "Zeitplan", other: "Zeitpläne" })}.`,
      why: "Der Bot wurde dort entfernt, der Ort wurde gelöscht, oder die Person hat den Bot blockiert. Wer sie angelegt hat, weiß davon.",
      fix: "Füge den Bot dort wieder hinzu, dann geht es von selbst weiter; oder lösche sie auf der Seite.",
    },
  },
  people: {
    owners: (owners) => `Besitzer: ${owners}.`,
    noOwner: {
      what: "Der Bot hat keinen Besitzer.",
      why: "Niemand kann andere zulassen, über Admin-Fragen entscheiden oder lesen, was defekt ist.",
      fix: "Setze PARLEY_ADMINS=telegram:<deine ID> (oder discord:<deine ID>) in .env.",
      fixByCode:
        "npm start zeigt einen Code: Schick ihn dem Bot als Direktnachricht, als /start {code:CODE}. Oder setze PARLEY_ADMINS=telegram:<deine ID>.",
    },
    refusedGroup: {
      what: (group) =>
        `In der Gruppe ${group} wurde in den letzten zehn Minuten jemand abgewiesen.`,
      why: "Weder die Gruppe noch die Person ist zugelassen.",
      fix: (command, place) =>
        `Schreib als Admin ${command} in der Gruppe, oder trage ${place} unter access.allow in parley.yaml ein.`,
    },
  },
  backup: {
    age: (span) => `Die letzte Sicherung ist ${span} alt.`,
    nothingYet: "Es gibt noch nichts zu sichern.",
    old: {
      never: "Es ist noch keine Sicherung verzeichnet.",
      why: "Unterhaltungen, Rollen und Freigaben liegen nur in Redis.",
      fix: "Sichere Redis (docs/guides/backup.md), dann: npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username) => `Telegram kennt den Bot: ${username}.`,
    refused: {
      what: "Telegram lehnt TELEGRAM_BOT_TOKEN ab.",
      why: "Damit kann Parley nicht starten.",
      fix: "Öffne @BotFather, sende /token, wähle den Bot, kopiere sein Token in .env und starte Parley neu.",
    },
    unreachable: {
      what: (host, cause) => `Telegram ist unter ${host} nicht erreichbar: ${cause}`,
      why: "Es wird nichts empfangen und nichts gesendet.",
      fix: (address) => `Prüfe, ob dieser Rechner es erreicht: curl -I ${address}`,
    },
    hasCommands: "Telegram zeigt die Befehle des Bots.",
    noCommands: {
      what: "Telegram zeigt nicht die aktuellen Befehle des Bots.",
      why: "Sie fehlen im Menü, funktionieren aber trotzdem.",
    },
    readsGroups: "In Gruppen kann der Bot jede Nachricht lesen (der Privacy Mode ist aus).",
    privacy: {
      what: "Der Privacy Mode ist an: In Gruppen gibt Telegram dem Bot nur Befehle, Erwähnungen und Antworten an ihn.",
      why: "Das ist richtig, außer eine Gruppe hat /activation always.",
      fix: "@BotFather: /setprivacy, den Bot wählen, Disable; dann den Bot aus der Gruppe entfernen und wieder hinzufügen.",
    },
    deaf: {
      what: (groups) => `Der Privacy Mode ist an, aber /activation always gilt in ${groups}.`,
      why: "Telegram gibt dem Bot dort nur Befehle, Erwähnungen und Antworten an ihn; alle anderen Nachrichten entgehen ihm.",
      fix: "Mach den Bot zum Admin der Gruppe. Oder @BotFather: /setprivacy, den Bot wählen, Disable; dann den Bot aus der Gruppe entfernen und wieder hinzufügen.",
    },
    maybeDeaf: {
      what: (groups) =>
        `Der Privacy Mode ist an, und /activation always gilt in ${groups}. Ob der Bot dort Admin ist, ließ sich nicht prüfen.`,
      why: "Wenn nicht, gibt Telegram dem Bot dort nur Befehle, Erwähnungen und Antworten an ihn; alle anderen Nachrichten entgehen ihm.",
    },
    otherPoller: {
      what: "Ein anderes Programm fragt mit diesem Token Nachrichten ab, und kein Prozess dieser Installation tut es.",
      why: "Telegram bedient nur eines von beiden: Nachrichten kämen zufällig hier oder dort an.",
      fix: "Beende das andere Programm, oder hol für dieses ein eigenes Token bei @BotFather (/newbot).",
    },
    polls: "Parley fragt Telegram ab, und kein Webhook ist im Weg.",
    canPoll: "Es ist kein Webhook gesetzt; Parley kann Telegram also abfragen, sobald es läuft.",
    strayWebhook: {
      what: (host) => `Für dieses Token ist ein Webhook gesetzt (${host}), obwohl Parley abfragt.`,
      why: "Telegram schickt Nachrichten dorthin, und Parley bekommt so lange keine.",
      fix: "npm run doctor -- --fix (löscht den Webhook; der nächste Start von Parley tut das auch)",
    },
    posts: (host) => `Telegram sendet an ${host}.`,
    lostWebhook: {
      unset: "Es ist kein Webhook gesetzt, obwohl telegram.mode auf webhook steht.",
      elsewhere: (host) => `Der Webhook führt zu ${host}, nicht zu telegram.webhook.url.`,
      why: "Nachrichten von Telegram erreichen Parley nicht.",
      fix: "npm start (setzt ihn)",
    },
    failingWebhook: {
      what: (host, waiting, cause) =>
        `Telegram konnte nicht an ${host} senden (wartende Updates: ${n(waiting)}): ${cause}`,
      why: "Bis das geht, warten Nachrichten bei Telegram.",
      fix: "Prüfe, ob telegram.webhook.url zum HTTP-Port von Parley führt, mit einem Zertifikat, dem Telegram vertraut.",
    },
  },
  discord: {
    knows: (username, servers) =>
      `Discord kennt den Bot: ${username}, auf ${counted(servers, { one: "Server", other: "Servern" })}.`,
    refused: {
      what: "Discord lehnt DISCORD_TOKEN ab.",
      why: "Damit kann Parley nicht starten.",
      fix: "Öffne https://discord.com/developers/applications, Seite Bot, Reset Token, und kopiere es in .env.",
    },
    unreachable: {
      what: (cause) => `Discord ist nicht erreichbar: ${cause}`,
      why: "Es wird nichts empfangen und nichts gesendet.",
      fix: "Prüfe, ob dieser Rechner es erreicht: curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "Der Bot ist auf keinem Server.",
      why: "So findet ihn niemand.",
      fix: (link) => `Öffne ${link}`,
    },
    lacks: {
      what: (server, permissions) =>
        `Auf dem Server „${server}“ fehlen dem Bot Rechte: ${permissions}.`,
      why: "Er kann dort nicht auf alles antworten.",
      fix: (link) => `Gib der Rolle des Bots diese Rechte, oder lade ihn noch einmal ein: ${link}`,
    },
    noIntent: {
      what: "discord.messageContent ist true, aber der Intent ist im Portal von Discord ausgeschaltet.",
      why: "Discord lehnt die Verbindung ab.",
      fix: (link) => `Schalte Message Content Intent ein: ${link}`,
    },
    hasCommands: (count) => `Discord zeigt ${counted(count, { one: "Befehl", other: "Befehle" })}.`,
    noCommands: {
      what: "Discord zeigt keine Befehle des Bots.",
      why: "Sie werden angemeldet, wenn Parley startet.",
    },
  },
  model: {
    demo: {
      what: "Es antwortet die eingebaute Demo: Es ist kein Modell eingestellt.",
      why: "Sie kann nur wiederholen und zählen.",
      fix: "Setze OLLAMA_MODEL, oder OPENAI_API_KEY und OPENAI_MODEL, in .env.",
    },
    answers: (id, can) => `${id} antwortet: ${can}.`,
    can: {
      tools: "Werkzeuge",
      noTools: "keine Werkzeuge",
      pictures: "Bilder",
      noPictures: "keine Bilder",
      window: (tokens) => `Kontextfenster von ${n(tokens)} Tokens`,
      price: (input, output) => `${input} / ${output} pro Million Tokens`,
    },
    noPrice: {
      what: (id) => `Der Preis von ${id} ist unbekannt.`,
      why: "Seine Kosten fehlen in /usage und im Dashboard.",
      whyLimits: "Kostenlimits zählen nicht mit, was es verbraucht, und greifen deshalb nie.",
      fix: "Trage in parley.yaml unter models usdPerMillionTokens: { input: …, output: … } dafür ein; beides ist 0, wenn es nichts kostet.",
    },
    noTools: {
      what: (id) => `${id} kann keine Werkzeuge benutzen.`,
      why: "Es kann nichts nachschlagen, nichts ausrechnen und sich nichts merken.",
      fix: "Nimm ein Modell mit Werkzeugen, oder setze in parley.yaml unter models tools: true dafür.",
    },
    brokenCalls: {
      what: (id, times) =>
        `${id} hat in den letzten 24 Stunden ${n(times)}-mal Werkzeuge so benutzt, dass es nicht funktioniert hat.`,
      why: "Statt einer Antwort kam eine Entschuldigung. Meist schreibt das Modell oder sein Server die Anfrage als Text.",
      fix: "Schalte den Tool-Parser seines Servers ein (bei vLLM: --enable-auto-tool-choice --tool-call-parser), aktualisiere sein Chat-Template, oder nimm ein anderes Modell.",
    },
    smallWindow: {
      what: (taken, window, id) =>
        `Prompt und Werkzeuge belegen etwa ${n(taken)} der ${n(window)} Tokens von ${id}.`,
      why: "Für die Unterhaltung bleibt wenig; sie wird früh zusammengefasst und eher vergessen.",
      fix: "Erhöhe contextWindow dafür in parley.yaml unter models, oder biete weniger Werkzeuge an.",
    },
    failing: {
      why: "Statt einer Antwort kommt nur eine Entschuldigung.",
      demo: "Die Demo",
      server: (host) => `Der Modellserver ${host}`,
      unknownHost: "unter der eingestellten Adresse",
      unreachable: (server, id, cause) =>
        `${server} antwortet nicht, deshalb auch ${id} nicht: ${cause}`,
      refusesKey: (server, id, cause) => `${server} lehnt den Schlüssel für ${id} ab: ${cause}`,
      noCredit: (server, id, cause) =>
        `${server} akzeptiert den Schlüssel für ${id}, aber das Konto hat kein Guthaben: ${cause}`,
      notPulled: (model) => `Ollama hat ${model} nicht.`,
      notServed: (server, model, cause) => `${server} bietet ${model} nicht an: ${cause}`,
      busy: (server, id, cause) =>
        `${server} ist ausgelastet oder das Kontingent ist verbraucht, deshalb antwortet ${id} nicht: ${cause}`,
      refused: (server, id, cause) => `${server} hat eine Anfrage an ${id} abgelehnt: ${cause}`,
    },
    fix: {
      startOllama: "Starte es (ollama serve), oder korrigiere OLLAMA_HOST.",
      start:
        "Starte ihn, oder korrigiere seine Adresse (OPENAI_BASE_URL oder providers in parley.yaml).",
      key: "Korrigiere OPENAI_API_KEY (oder apiKey des Anbieters in parley.yaml).",
      login:
        "Korrigiere die Anmeldung in OLLAMA_HOST (http://user:password@host), oder frag die Person, die den Server betreibt.",
      credit:
        "Lade das Konto auf der Abrechnungsseite des Anbieters auf, oder erhöhe das Ausgabenlimit des Schlüssels.",
      pull: (model) => `Führe das aus: ollama pull ${model}`,
      name: "Ändere OPENAI_MODEL (oder tiers in parley.yaml) auf ein Modell, das es dort gibt.",
      second:
        "Versuch es später noch einmal, oder trage ein zweites Modell unter tiers in parley.yaml ein.",
      seeLog: "Sieh in sein Log.",
    },
  },
  memory: {
    made: (model, dimensions) =>
      `${model} liefert Embeddings (${counted(dimensions, dimensionen)}).`,
    failing: {
      what: (model, cause) => `${model} liefert keine Embeddings: ${cause}`,
      why: "Gesagtes wird dann nur über Stichwörter gefunden.",
      fix: "Sieh ins Log des Servers, und prüfe memory.embeddings in parley.yaml.",
      fixModel: "Ändere memory.embeddings in parley.yaml auf ein Modell, das Embeddings liefert.",
    },
    vectorsOf: (model, dimensions) => `${model} (${counted(dimensions, dimensionen)})`,
    inChats: (vectors, chats) => `${vectors} in ${n(chats)}`,
    stored: (vectors) => `Die gespeicherten Vektoren sind von ${vectors}.`,
    otherStored: {
      what: (vectors, others) =>
        `Nicht alle Chats haben Vektoren von ${vectors}. Andere: ${others}.`,
      why: "Bis sie neu berechnet sind, werden diese Chats nur über Stichwörter durchsucht.",
      fix: "Nichts, falls memory.embeddings absichtlich geändert wurde: Die Vektoren eines Chats werden nach der nächsten Antwort neu berechnet.",
    },
  },
  search: {
    works: (provider) => `Die Websuche (${provider}) findet Seiten.`,
    fails: (cause) => `Die Websuche schlägt fehl: ${cause}`,
    findsNothing: "Die Websuche findet nichts.",
    why: "Das Modell kann nichts nachschlagen.",
    fix: {
      again:
        "Versuch es in einer Minute noch einmal; wenn es dann noch fehlschlägt, sieh nach dem Status des Anbieters.",
      engines:
        "Sieh auf der Seite …/stats von SearXNG nach: Die Suchmaschinen, die es fragt, lehnen es vielleicht ab.",
      start: "Starte SearXNG, oder korrigiere webSearch.url.",
      address: "Korrigiere webSearch.url in parley.yaml: Dort antwortet etwas anderes.",
      json: "Trage json unter search.formats in der settings.yml von SearXNG ein (wie in deploy/searxng).",
      login: "Gib webSearch.url eine Adresse ohne Anmeldung.",
      account: (url) => `Prüfe den Schlüssel und seinen Tarif unter ${url}.`,
    },
  },
  mcp: {
    offers: (name, tools) => `Der MCP-Server „${name}“ bietet ${counted(tools, werkzeuge)} an.`,
    partly: {
      what: (name, tools, more, problem) =>
        `Der MCP-Server „${name}“ bietet ${counted(tools, werkzeuge)} an; außerdem unbrauchbar: ${n(more)}. ${problem}`,
      why: "Die unbrauchbaren sieht das Modell nicht.",
      fix: "Korrigiere oder aktualisiere den Server.",
    },
    failing: {
      what: (name, cause) => `Der MCP-Server „${name}“ ist nicht nutzbar: ${cause}`,
      why: "Dem Modell fehlen alle seine Werkzeuge.",
      fixCommand: (setting, command) =>
        `Führe seinen Befehl von Hand aus, und korrigiere ${setting} in parley.yaml: ${command}`,
      fixUrl: (setting) => `Starte ihn, oder korrigiere ${setting} in parley.yaml.`,
      fixHeaders: (setting) =>
        `Korrigiere das Token oder den Schlüssel in ${setting} in parley.yaml, oder gib ihm Zugriff auf den Server.`,
      fixBusy: "Warte ein paar Minuten: Der Server begrenzt, wie oft er gefragt werden darf.",
      fixServer: "Sieh ins Log des Servers, oder frag, wer ihn betreibt.",
    },
  },
  personas: {
    usable: (count) =>
      `${counted(count, { one: "Persona kann", other: "Personas können" })} benutzt werden.`,
    folder: {
      what: (cause) => `Der Ordner der Personas ist nicht nutzbar: ${cause}`,
      why: "Ohne ihn startet Parley nicht.",
      fix: "Ändere personas.folder in parley.yaml oder die Leserechte.",
    },
    leftOut: {
      what: (problem) => `Eine Persona wird ausgelassen: ${problem}`,
      why: "Niemand kann sie wählen.",
      fix: (folder) => `Ändere die Datei in ${folder}; Parley bemerkt es von selbst.`,
    },
    noDefault: {
      what: (name, folder) =>
        `personas.default nennt „${name}“, aber in ${folder} gibt es keine solche Persona.`,
      why: "Ohne sie startet Parley nicht.",
      fix: (file) => `Lege dort ${file} an, oder ändere personas.default in parley.yaml.`,
    },
  },
  skills: {
    usable: (count) =>
      `${counted(count, { one: "Skill kann", other: "Skills können" })} benutzt werden.`,
    files: {
      what: (problems) => `In Skill-Dateien stimmt etwas nicht: ${problems}`,
      why: "Ausgelassene Dateien werden nicht benutzt, und der Rest ist vielleicht nicht so, wie er gemeint war.",
      fix: "Korrigiere diese Dateien, oder entferne sie.",
    },
    waiting: {
      what: (names) => `Diese Skills warten auf eine Prüfung: ${names}.`,
      why: "Vorher sieht sie kein Modell.",
      fix: "Schick dem Bot /skills review.",
    },
  },
  tools: {
    every: "jedes Werkzeug",
    auto: {
      what: (match, tools) => `Die Regel für ${match} erlaubt auto für ${tools}.`,
      why: "Nach /settings permissions auto laufen diese ohne Nachfrage, und was sie tun, lässt sich nicht rückgängig machen.",
      fix: "Gib auto in tools.rules von parley.yaml nur Werkzeugen, die unbeaufsichtigt laufen dürfen.",
    },
  },
};
