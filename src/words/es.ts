import { countedIn, groupedIn } from "./counted.ts";
import type { Words } from "./words.ts";

const counted = countedIn("es");
const grouped = groupedIn("es");
const turns = (count: number): string =>
  counted(count, { one: "turno", other: "turnos" });
const waitingMessages = (count: number): string =>
  counted(count, {
    one: "mensaje que esperaba",
    other: "mensajes que esperaban",
  });
const entriesOf = (count: number): string =>
  counted(count, { one: "entrada", other: "entradas" });
const minutesOf = (count: number): string =>
  counted(count, { one: "minuto", other: "minutos" });

export const es: Words = {
  door: {
    notAllowed: "No tienes permiso para usar este bot.",
    adminsOnly: (command) =>
      `No tienes permiso para usar /${command}: es para administradores.`,
    noCommand: (command) =>
      `No existe el comando /${command}. /help los muestra todos.`,
    wroteNothing: "No has escrito nada. ¿Qué puedo hacer por ti?",
    tooLong: (length, limit) =>
      `Ese mensaje tiene ${length} caracteres; acepto hasta ${limit}. Envíalo por partes.`,
    full: "Hay demasiados mensajes en espera en este chat. Este no se guarda: envíalo de nuevo más tarde, por favor.",
    notKept: (errorId) =>
      `Lo siento, mi almacenamiento está lleno. Tu mensaje no se guarda: envíalo de nuevo más tarde, por favor. (${errorId})`,
    notDone: (errorId) =>
      `Lo siento, mi almacenamiento está lleno: ahora no puedo hacerlo. Inténtalo más tarde, por favor. (${errorId})`,
    tapTooOld: "Este botón no es mío o es demasiado antiguo.",
    tapTooLate: "Eso llegó demasiado tarde. Tócalo otra vez, por favor.",
  },

  files: {
    noVoice:
      "Aquí no puedo escuchar mensajes de voz. Escríbelo, por favor: no se ha guardado.",
    noImage: (name) =>
      `${name} no es una imagen que pueda leer: acepto PNG, JPEG, GIF y WebP.`,
    noText: (name) =>
      `${name} es de un tipo que no puedo leer. Acepto imágenes (PNG, JPEG, GIF, WebP), PDF y archivos de texto.`,
    reading: (name) => `leyendo ${name} …`,
    nameless: {
      image: "La imagen",
      document: "El documento",
      voice: "El mensaje de voz",
    },
    tooMany: (count, limit) =>
      `Ese mensaje tiene ${count} archivos; acepto hasta ${limit}.`,
    tooLarge: (name, megabytes, limit) =>
      `${name} es demasiado grande: ${megabytes} MB. Acepto archivos de hasta ${limit} MB.`,
    empty: (name) => `${name} no tiene contenido.`,
  },

  inPrivate: {
    askThere: "Eso es privado: escríbeme directamente y pregunta allí.",
    full: "Lo siento, ya hay demasiado en espera para enviarte en privado. Inténtalo más tarde, por favor.",
    answered: "Te he respondido en privado.",
    writeFirst:
      "Si no te ha llegado nada, escríbeme una vez directamente y pregunta de nuevo.",
    askedIn: (group) =>
      `Has preguntado en el grupo ${group}; «este chat» es ese grupo:`,
    topic: (thread) => `tema ${thread}`,
  },

  pairing: {
    asks: (who) => `${who} pide usar este bot.`,
    code: (code) => `Código: ${code}`,
    allow: "Permitir",
    deny: "Rechazar",
    yourCode: (code) =>
      `Todavía no tienes permiso para usar este bot. Un administrador puede dejarte entrar: tu código es ${code}.`,
    unknownCode: "Este código es desconocido, ha caducado o ya se ha decidido.",
    isAdmin: (who) => `${who} ya es administrador.`,
    allowed: (who, admin) => `${who}: permitido por ${admin}.`,
    denied: (who, admin) => `${who}: rechazado por ${admin}.`,
    youMay: "Ya puedes usar este bot. Escríbeme lo que quieras.",
    mayUse: (who) => `${who} ya puede usar este bot.`,
    neither: (typed) =>
      `${typed} no es ni un código de 8 letras y cifras ni un identificador como telegram:12345.`,
    adminsDecide:
      "No tienes permiso para decidir esto: puede hacerlo un administrador.",
  },

  start: {
    youAreAdmin:
      "Ahora administras este bot. /help muestra lo que puedes hacer.",
    hello: (place) => `Respondo preguntas ${place}: solo escríbeme.`,
    places: {
      telegram: "aquí en Telegram",
      discord: "aquí en Discord",
      console: "en este terminal",
    },
    tools: (count) =>
      `Puedo usar ${counted(count, { one: "herramienta", other: "herramientas" })} (mira /tools). Lo que necesita aprobación solo lo hago cuando has tocado «Aprobar».`,
    noTools:
      "Lo que necesita aprobación solo lo hago cuando has tocado «Aprobar».",
    direct:
      "Aquí respondo a todo; en un grupo, mencióname o responde a un mensaje mío.",
    mention:
      "En este grupo respondo a quien me menciona, me responde o envía un comando.",
    always: "En este grupo respondo a todos los mensajes.",
    privacy: (model) =>
      `Lo que escribes se guarda y lo lee el modelo ${model}. /export te lo da todo, /forget lo borra, /help muestra el resto.`,
    question: "¿Qué hora es en Tokio?",
    showTools: "Muestra tus herramientas",
    showSettings: "Muestra los ajustes",
  },

  help: {
    groups: {
      talk: "Conversación",
      choose: "Cómo trabajo",
      look: "Qué está pasando",
      data: "Tus datos",
      admin: "Para administradores",
    },
    more: "/help <comando> dice más sobre uno.",
    alias: (names) => `También: ${names}.`,
  },

  menu: {
    start: {
      description: "Qué hace este bot",
      code: "Un código que te convierte en el primer administrador",
    },
    help: {
      description: "Todos los comandos",
      command: "Cuál; todos si no se indica",
    },
    new: { description: "Empezar una conversación nueva" },
    stop: { description: "Detener lo que estoy haciendo" },
    retry: { description: "Responder de nuevo a tu último mensaje" },
    undo: { description: "Olvidar tu último mensaje y mi respuesta" },
    compact: {
      description: "Resumir lo dicho para que vuelva a haber espacio",
    },
    auto: {
      description: "Trabajar por mi cuenta hacia un objetivo, en varios turnos",
      goal: "Qué hay que conseguir; hasta 2000 caracteres",
      turns: (limit, usual) =>
        `Cuántos turnos como máximo: de 1 a ${limit}, ${usual} si no se indica`,
    },
    tier: {
      description: "Cuánto modelo responde: fast, smart, deep …",
      tier: "Qué nivel; default anula la elección",
    },
    model: {
      description: "A qué modelo se pregunta primero",
      model: "El nombre de un modelo o parte de él; default anula la elección",
    },
    for: "me, o chat: para todos aquí; me si no se indica",
    settings: {
      description:
        "Cómo me comporto en este chat y cuánto puede costar un turno",
      name: "Cuál; todos si no se indica",
      value: "El nuevo valor; default lo anula",
    },
    activation: {
      description: "A qué mensajes de este grupo respondo",
      when: "mention: los que me mencionan o me responden; always: todos",
    },
    language: {
      description: "El idioma en el que te hablo",
      language: "Cuál; auto: el de tu aplicación",
    },
    status: { description: "Qué estoy haciendo en este chat" },
    approvals: { description: "Qué espera una aprobación en este chat" },
    approve: {
      description: "Aprobar lo que he pedido",
      id: "Cuál; /approvals las muestra",
    },
    deny: {
      description: "Rechazar lo que he pedido",
      id: "Cuál; /approvals las muestra",
      reason: "Por qué; me lo dirán",
    },
    tools: { description: "Qué puedo usar y qué de ello pregunta antes" },
    usage: {
      description: "Qué ha usado este chat, por modelo, y cuánto ha costado",
    },
    export: {
      description: "Todo lo que hemos dicho, en un archivo",
      format: "json para máquinas; si no se indica, markdown, para personas",
    },
    forget: {
      description: "Borrar este chat o todo lo que guardo de ti",
      what: "chat: todo este chat; me: todo lo tuyo, en todas partes",
      confirmation: "Lo que te digo que escribas, por ejemplo yes-1234",
    },
    whoami: { description: "Quién eres para mí" },
    role: { description: "Tu rol y lo que te permite" },
    allow: {
      description: "Dejar entrar a alguien",
      code: "El código que le dio el bot, o un identificador como telegram:12345",
    },
  },

  control: {
    full: "Hay demasiados mensajes en espera en este chat: hay un límite. Inténtalo más tarde, por favor.",
    begun: "Un momento.",
    dropped: (count) =>
      count === 1
        ? `Descartado ${waitingMessages(count)}.`
        : `Descartados ${waitingMessages(count)}.`,
    nothingToStop: "No hay nada que detener.",
    stopped: "Detenido.",
    stoppedAndDropped: (count) =>
      count === 1
        ? `Detenido, y descartado ${waitingMessages(count)}.`
        : `Detenido, y descartados ${waitingMessages(count)}.`,
    newConversation: "Una conversación nueva: ya no veo lo que dijimos antes.",
  },

  auto: {
    running: (step, of) =>
      `/auto ya está trabajando en algo, turno ${step} de ${of}. /stop lo termina.`,
    begun: (of) =>
      of === 1
        ? `Trabajo en ello por mi cuenta, durante ${turns(of)}. /stop lo termina.`
        : `Trabajo en ello por mi cuenta, hasta ${turns(of)}. /stop lo termina.`,
    noGoal: "¿Cuál es el objetivo? Escribe /auto <objetivo> [turnos].",
    badTurns: (limit, typed) =>
      `/auto acepta de 1 a ${limit} turnos, no ${typed}.`,
    numberHint:
      "Si el número es parte del objetivo, escribe detrás el número de turnos.",
    goalTooLong: (length, limit) =>
      `El objetivo tiene ${length} caracteres; el límite es ${limit}.`,
    ended: (step) => `/auto termina aquí, después de ${turns(step)}.`,
    done: (step) => `/auto ha acabado, después de ${turns(step)}.`,
    atLimit: (of) =>
      `/auto ha llegado a su límite de ${turns(of)}. Envía /auto otra vez para seguir.`,
  },

  choices: {
    tier: {
      yours: (value, reason) => `Tu nivel es ${value}: ${reason}.`,
      chats: (value) => `El nivel de este chat es ${value}.`,
      yoursIsNow: (value) => `Tu nivel es ahora ${value}.`,
      chatsIsNow: (value) => `El nivel de este chat es ahora ${value}.`,
      yoursIsDefault: "Para ti vale otra vez el nivel habitual.",
      chatsIsDefault: "Para este chat vale otra vez el nivel habitual.",
      notForChat:
        "No tienes permiso para elegir el nivel de este chat: puede hacerlo un administrador.",
      notAnonymously:
        "Escribes de forma anónima, así que no se permite un nivel propio.",
      noneOfYours:
        "No has elegido ningún nivel: vale balanced, u otro cuando un mensaje lo necesita.",
      noneOfChats:
        "Este chat no tiene ningún nivel fijado: vale balanced, u otro cuando un mensaje lo necesita.",
    },
    model: {
      yours: (value, reason) => `Tu modelo es ${value}: ${reason}.`,
      chats: (value) => `El modelo de este chat es ${value}.`,
      yoursIsNow: (value) => `Tu modelo es ahora ${value}.`,
      chatsIsNow: (value) => `El modelo de este chat es ahora ${value}.`,
      yoursIsDefault: "Para ti vale otra vez el modelo habitual.",
      chatsIsDefault: "Para este chat vale otra vez el modelo habitual.",
      notForChat:
        "No tienes permiso para elegir el modelo de este chat: puede hacerlo un administrador.",
      notAnonymously:
        "Escribes de forma anónima, así que no se permite un modelo propio.",
      noneOfYours: "No has elegido ningún modelo: decide el nivel.",
      noneOfChats: "Este chat no tiene ningún modelo fijado: decide el nivel.",
    },
    byYou: "lo elegiste tú",
    byChat: "está fijado para este chat",
    gone: (value) => `Antes se había elegido ${value}, que ya no existe.`,
    hidden: (count, command) =>
      `Hay ${count} más que no se muestran: /${command} los encuentra por una parte de su nombre.`,
    how: (command) =>
      `/${command} <nombre> elige para ti, /${command} <nombre> chat para todos aquí, /${command} default lo anula.`,
    notHere: "No tienes permiso para cambiarlo aquí.",
    adminsHere:
      "No tienes permiso para cambiarlo aquí: puede hacerlo un administrador.",
    replacesYours: (model) => `Sustituye a tu propio modelo, ${model}.`,
    replacesChats: (model) => `Sustituye al modelo del chat, ${model}.`,
    yoursFirst: (value) =>
      `Para ti sigue contando primero tu propia elección, ${value}.`,
    noTier: (typed, tiers) =>
      `No existe el nivel ${typed}. Hay: ${tiers} y default.`,
    noModel: (typed) => `No existe el modelo ${typed}.`,
    several: (typed, models) =>
      `${typed} puede referirse a más de un modelo: ${models}.`,
    thereAre: (names) => `Hay: ${names}.`,
    didYouMean: (name) => `¿Querías decir ${name}?`,
    andMore: (names, count) => `${names} y ${count} más`,
    order: (models) => `Se pregunta en este orden: ${models}.`,
    sameAs: (tier, same) => `${tier}: aquí es lo mismo que ${same}`,
  },

  settings: {
    heading: "En este chat:",
    how: "/settings <nombre> <valor> cambia uno, /settings <nombre> default lo anula.",
    changes: (name, expected) =>
      expected === ""
        ? `/settings ${name} <valor> lo cambia.`
        : `/settings ${name} <valor> lo cambia: ${expected}.`,
    isDefaultAgain: (name, value) =>
      `${name} vuelve a ser lo habitual: ${value}.`,
    cannotBe: (name, typed, expected) =>
      `${name} no puede ser ${typed}: ${expected}.`,
    isNow: (name, value) => `${name} es ahora ${value} en este chat.`,
    noneChosen: (kind) => `${kind}: sin elegir (mira /${kind})`,
    yourChoice: (kind, value) =>
      `${kind}: ${value} (tu propia elección; mira /${kind})`,
    chatsChoice: (kind, value) =>
      `${kind}: ${value} (fijado para este chat; mira /${kind})`,
    default: (name, value) => `${name}: ${value} (lo habitual)`,
    own: (name, value, fallback) =>
      `${name}: ${value} (fijado para este chat; lo habitual: ${fallback})`,
    adminsOnly: (name) =>
      `No tienes permiso para cambiar ${name}: puede hacerlo un administrador.`,
    adminsInGroups: (name) =>
      `No tienes permiso para cambiar ${name} en un grupo: puede hacerlo un administrador.`,
    which: "¿Qué ajuste?",
    unknown: (typed) => `No existe el ajuste ${typed}.`,
    expectedWords: (words) => `se espera ${words} o default`,
  },

  activation: {
    direct: "Aquí solo me escribes tú: respondo a todo.",
    mention: "Respondo a quien me menciona, me responde o envía un comando.",
    always: "Respondo a todos los mensajes de este grupo.",
    how: "/activation mention o /activation always lo cambia.",
    telegramHint:
      "Para eso tengo que ver todos los mensajes: hazme administrador de este grupo o desactiva mi modo de privacidad con @BotFather.",
    discordHint:
      "Para eso tengo que ver todos los mensajes: quien me opera activa discord.messageContent.",
    unknown: (typed) => `/activation acepta mention o always, no ${typed}.`,
  },

  language: {
    name: "Español",
    isNow: "Ahora te hablo en español.",
    isAuto: "Te hablo como diga tu aplicación: en español.",
    is: "Te hablo en español porque lo elegiste.",
    how: (codes) =>
      `/language <${codes}> lo cambia, /language auto sigue a tu aplicación.`,
    unknown: (typed, codes) =>
      `No tengo el idioma ${typed}. Hay: ${codes} y auto.`,
    notAnonymously:
      "Escribes de forma anónima, así que no se permite un idioma propio.",
  },

  status: {
    idle: "No hay nada en marcha.",
    queued: "Espero a un worker libre.",
    running: "Estoy trabajando.",
    waiting: "Espero a que alguien apruebe o rechace.",
    auto: (step, of) => `/auto: turno ${step} de ${of}. /stop lo termina.`,
    queue: (count) => `Mensajes en espera: ${count}.`,
    model: (models) => `Modelo: ${models}.`,
    tier: (tier) => `Nivel: ${tier}.`,
    noTier: "Nivel: balanced, u otro cuando un mensaje lo necesita.",
    remembered: (count) => `Entradas en esta conversación: ${count}.`,
  },

  approvals: {
    none: "En este chat nada espera una aprobación.",
    heading: (count) =>
      `${counted(count, { one: "llamada espera", other: "llamadas esperan" })} una aprobación:`,
    askedFor: (person) => `para ${person}`,
    expiresIn: (time) => `caduca en ${time}`,
    more: (count) => `Y ${count} más.`,
  },

  decisions: {
    otherChat: "Este botón no es de este chat o es demasiado antiguo.",
    otherMessage: "Este botón no es de este mensaje.",
    notAllowed: (who) =>
      `No tienes permiso para decidir esto: puede hacerlo ${who}.`,
    anAdmin: "un administrador",
    orAnAdmin: (name) => `${name} o un administrador`,
    approved: "Aprobado.",
    denied: "Rechazado.",
    approvedOf: (done, of) => `Aprobadas: ${done} de ${of}.`,
    deniedOf: (done, of) => `Rechazadas: ${done} de ${of}.`,
    approvedBy: (name) => `Aprobado por ${name}.`,
    deniedBy: (name) => `Rechazado por ${name}.`,
    deniedBecause: (name, reason) => `Rechazado por ${name}: ${reason}`,
    undecided: "Caducado: nadie decidió a tiempo, así que se rechazó.",
    expired: "Esto ha caducado.",
    tooLate: "Eso tardó demasiado y no cuenta. Tócalo otra vez, por favor.",
    tooOld: "Este botón es demasiado antiguo.",
    already: {
      pending: "Esto todavía no se ha decidido.",
      approved: "Esto ya está aprobado.",
      denied: "Esto ya está rechazado.",
      expired: "Esto ha caducado.",
      superseded: "Esto ya está reemplazado.",
      cancelled: "Esto ya está cancelado.",
    },
    alreadyApprovedBy: (name) => `${name} ya lo ha aprobado.`,
    alreadyDeniedBy: (name) => `${name} ya lo ha rechazado.`,
    superseded: "No ejecutado: lo reemplazó un mensaje más reciente.",
    stopped: "No ejecutado: detenido.",
    unknownId: (id) =>
      `Aquí no espera ninguna aprobación ${id}. /approvals muestra las que esperan.`,
    which: (command) =>
      `Aquí esperan varias aprobaciones: /approvals las muestra, /${command} <id> elige una.`,
  },

  cards: {
    approve: "Aprobar",
    deny: "Rechazar",
    approveAll: "Aprobar todas",
    denyAll: "Rechazar todas",
    because: (outcome, reason) => `${outcome}: ${reason}`,
    lasts: {
      seconds: (count) => `${count} s`,
      minutes: (count) => `${count} min`,
      hours: (count) => `${count} h`,
      days: (count) => counted(count, { one: "día", other: "días" }),
    },
    characters: (count) =>
      grouped(count, { one: "carácter", other: "caracteres" }),
    needed: (tool) => `Hace falta una aprobación: ${tool}`,
    neededFor: (count) =>
      `Hace falta una aprobación para ${counted(count, { one: "llamada", other: "llamadas" })}:`,
    calls: (count) =>
      `${counted(count, { one: "llamada", other: "llamadas" })}:`,
    about: (sentence) => `«${sentence}»`,
    noArguments: "Sin argumentos.",
    secretsHidden: "Los secretos están ocultos: ••••.",
    details: (call) => `Todo lo que recibiría ${call}:`,
    decides: (who) => `Decide: ${who}.`,
    expiresAt: (moment) => `Caduca: ${moment}.`,
    expiresIn: (duration) => `Caduca en ${duration}.`,
    typed: (id) => `Por texto: \`/approve ${id}\` o \`/deny ${id}\`.`,
    typedForEach: (id) =>
      `Por texto: \`/approve ${id}\` para todas, \`/approve ${id}.1\` para la primera, y \`/deny\` igual.`,
    approved: (number) => `✓ ${number} aprobada`,
    approvedBy: (number, name) => `✓ ${number} aprobada por ${name}`,
    denied: (number) => `✗ ${number} rechazada`,
    deniedBy: (number, name) => `✗ ${number} rechazada por ${name}`,
    expired: (number) => `✗ ${number} caducada: nadie decidió a tiempo`,
    superseded: (number) =>
      `✗ ${number} no ejecutada: la reemplazó un mensaje más reciente`,
    stopped: (number) => `✗ ${number} no ejecutada: detenida`,
    erased: "Borrado.",
  },

  delivery: {
    nothingToShow: "(La respuesta no tiene nada que se pueda mostrar.)",
    fileGone: "El archivo ya no está disponible.",
    fileRefused: "Lo siento, no se pudo enviar el archivo aquí.",
    goesOn: (fileName) =>
      `La respuesta sigue en el archivo ${fileName}, que la contiene entera.`,
    sentAgain: "enviado de nuevo: puede que ya hubiera llegado",
  },

  platform: {
    notAllowed: "No tienes permiso para hacer esto.",
    tryAgain:
      "Lo siento, no ha funcionado. Inténtalo de nuevo dentro de un momento, por favor.",
    notTaken: (errorId) =>
      `Lo siento, no he podido aceptar este mensaje. (${errorId})`,
    whatAboutThis: "¿Qué me puedes decir sobre esto?",
  },

  telegram: {
    buttonIsGone: "Este botón ya no funciona.",
    fileIsGone:
      "Lo siento, Telegram no me da ese archivo. Envíalo otra vez, por favor.",
    fileOutOfReach:
      "Lo siento, no he podido obtener ese archivo de Telegram. Envíalo otra vez más tarde, por favor.",
    fileTooLarge: (megabytes) =>
      `Ese archivo es demasiado grande: acepto archivos de hasta ${megabytes} MB.`,
    cannot: {
      animation: "Lo siento, no puedo ver GIF. Envía una imagen en su lugar.",
      video:
        "Lo siento, no puedo ver vídeos. Envía una imagen, o el sonido como mensaje de voz.",
      sticker:
        "Lo siento, no puedo ver stickers. Envía una imagen o escríbelo.",
      paid_media:
        "Lo siento, no puedo abrir contenido de pago. Dime con palabras de qué se trata.",
      story:
        "Lo siento, no puedo abrir historias. Dime con palabras de qué se trata.",
      contact:
        "Lo siento, no puedo leer contactos compartidos. Escribe lo que debo saber.",
      venue:
        "Lo siento, no puedo leer lugares compartidos. Escribe la dirección.",
      location:
        "Lo siento, no puedo leer ubicaciones compartidas. Escribe el lugar.",
      poll: "Lo siento, no puedo leer encuestas. Escribe la pregunta.",
      checklist:
        "Lo siento, no puedo leer listas de tareas. Escríbela como una lista.",
      dice: "Lo siento, no puedo jugar a los dados. Escríbeme.",
      game: "Lo siento, no puedo jugar. Escríbeme.",
      rich_message:
        "Lo siento, no puedo leer mensajes con formato enriquecido. Envíalo como texto sencillo.",
    },
    thisFile: "este archivo",
    cannotReadPicture: (name) =>
      `Lo siento, no puedo leer la imagen ${name}. Envíala como foto, o como JPEG, PNG, WebP o GIF.`,
    cannotReadFile: (name) =>
      `Lo siento, no puedo leer ${name}. Leo texto, código, CSV, JSON, PDF, imágenes y voz.`,
  },

  discord: {
    unknownCommand: "Este comando ya no está disponible.",
    unknownAction: "No puedo hacer nada con eso.",
    elsewhere:
      "Solo puedo responder en un mensaje directo conmigo, o en un servidor en el que esté.",
    mayNotWrite:
      "No tengo permiso para escribir en este canal, así que no puedo responder aquí.",
    mayNotAttach:
      "No tengo permiso para enviar archivos a este canal, así que no puedo hacerlo aquí.",
    delayed:
      "Lo siento, ahora mismo no puedo aceptarlo. Sigo intentándolo y responderé aquí.",
    unreadable: "No he podido leer eso. Inténtalo otra vez, por favor.",
    done: "Hecho.",
    doneBefore:
      "Lo he hecho, pero mi respuesta se perdió. Pregunta otra vez si la necesitas.",
    tooLate:
      "Lo siento, mi respuesta llegó demasiado tarde para mostrártela solo a ti. Pregunta otra vez, por favor.",
    askAboutThis: "Preguntar sobre esto",
    yourQuestion: "Tu pregunta",
    forgotten:
      "Lo siento, he olvidado de qué mensaje se trataba. Elígelo otra vez, por favor.",
    about: (link) => `sobre ${link}`,
    ask: "Pregúntame algo",
    askQuestion: "Lo que quieres saber o que haga",
    askFile: "Una imagen, un texto, un PDF o un archivo de sonido",
    video: (name) =>
      `No puedo ver vídeos (${name}). Acepto imágenes, textos, PDF y archivos de sonido.`,
    archive: (name) =>
      `No puedo abrir archivos comprimidos (${name}). Envía uno por uno los que contiene.`,
    picture: (name) =>
      `No puedo ver imágenes de este tipo (${name}). Envía PNG, JPEG, GIF o WebP.`,
    otherFile: (name) =>
      `No puedo leer archivos de este tipo (${name}). Acepto imágenes, textos, PDF y archivos de sonido.`,
    sticker: "No puedo ver stickers. Dilo con palabras, por favor.",
    poll: "No puedo leer encuestas. Escribe la pregunta como mensaje, por favor.",
    fileIsGone: (name) =>
      `Lo siento, Discord ya no tiene ${name}. Envíalo otra vez, por favor.`,
    fileFailed: (name) =>
      `Lo siento, no he podido obtener ${name} de Discord. Envíalo otra vez, por favor.`,
    fileTooLarge: (name, megabytes) =>
      `${name} es demasiado grande. Acepto archivos de hasta ${megabytes} MB.`,
  },

  tools: {
    none: "Ahora mismo no puedo usar ninguna herramienta.",
    free: "Esto lo uso por mi cuenta:",
    asking: "Para esto pido antes una aprobación:",
    sometimes: "Para esto pido una aprobación cuando importa:",
    more: (count) => `Y ${count} más.`,
  },

  usage: {
    heading: "Este chat ha usado:",
    turns: (count) => `turnos: ${count}`,
    modelCalls: (count) => `llamadas al modelo: ${count}`,
    inputTokens: (count) => `tokens de entrada: ${count}`,
    outputTokens: (count) => `tokens de salida: ${count}`,
    about: (amount) => `unos ${amount}`,
    model: (requests, input, output) =>
      `${counted(requests, { one: "petición", other: "peticiones" })}, ${input} tokens de entrada y ${output} de salida`,
    costUnknown: "coste desconocido",
    cost: (amount) => `coste: ${amount}`,
    unknown: "desconocido",
    andUnpriced: (amount) => `${amount}, más lo que no tiene precio conocido`,
  },

  whoami: {
    name: (name) => `Nombre: ${name}`,
    id: (id) => `Identificador: ${id}`,
    role: (role) => `Rol: ${role}`,
    chat: (chat) => `Chat: ${chat}`,
    anonymous: "Escribes de forma anónima: aquí no puedes decidir nada.",
    may: {
      admin:
        "Puedes usarlo todo: hablar conmigo, decidir lo que pido, cambiar ajustes y dejar entrar a gente.",
      member:
        "Puedes hablar conmigo, decidir lo que te pido y cambiar lo que solo te afecta a ti.",
      stranger: "Todavía no tienes permiso para hablar conmigo.",
      banned: "No tienes permiso para hablar conmigo.",
    },
  },

  export: {
    adminsOnly:
      "No tienes permiso para exportar lo que dijo un grupo: solo puede un administrador.",
    badFormat: (typed) =>
      `${typed} no es un formato de /export: se espera json, markdown o nada.`,
    full: "Lo siento, hay demasiado en espera para enviar en este chat. Inténtalo más tarde, por favor.",
    nothing: "No hay nada que exportar: todavía no hemos dicho nada.",
    done: (entries) =>
      `Todo lo que dijimos, ${entriesOf(entries)}, está en el archivo.`,
    doneIn: (entries, files) =>
      `Todo lo que dijimos, ${entriesOf(entries)}, está en ${files} archivos.`,
    shown: "Todos los que están aquí pueden verlo.",
  },

  forget: {
    notAnonymously:
      "No tienes permiso para borrar nada en nombre de un grupo o canal.",
    inPrivateOnly:
      "Eso no se permite aquí: escríbeme /forget me en nuestro chat privado.",
    adminsOnly:
      "No tienes permiso para borrar este chat: en un grupo pueden los administradores. /forget me en nuestro chat privado borra lo que escribiste aquí.",
    badScope: (typed) =>
      `Puedo borrar chat (todo este chat) o me (todo lo que guardo de ti), no ${typed}.`,
    badCode: (typed) =>
      `${typed} no confirma nada: se espera yes- y cuatro cifras, tal como te las di.`,
    yes: { chat: "Sí, borrar este chat", me: "Sí, borrarlo todo" },
    confirm: (confirmation) =>
      `Para confirmar, usa el botón o envía ${confirmation} en 5 minutos como máximo.`,
    explained: {
      chat: "Esto borra para siempre todo lo que guardo de este chat: lo que se dijo, notas, tareas, ajustes, consumo, archivos y copias. Lo que esté haciendo aquí termina.\nLos mensajes siguen en la propia aplicación: solo tú puedes borrarlos allí.",
      me: "Esto borra para siempre: todos tus chats privados conmigo, tu perfil con tus elecciones y tu rol (puede que tengan que dejarte entrar otra vez), y en los grupos lo que escribiste y lo que te respondí. Lo que esté haciendo para ti termina.\nLas notas y tareas de los grupos se quedan, porque nadie sabe quién las escribió; también lo que otros escribieron sobre ti y los mensajes en la propia aplicación. Un bloqueo se queda, sin tu nombre.",
    },
    expired: (scope) =>
      `Eso no confirma nada o ha caducado: solo puede confirmar quien preguntó, aquí y en 5 minutos. Pregunta de nuevo con /forget ${scope}.`,
    begun: "Un momento. Avisaré cuando esté todo borrado.",
    chatDone: "Hecho: todo lo que guardaba de este chat está borrado.",
    meDone: "Hecho: tus chats privados conmigo y tu perfil están borrados.",
    meDoneWith: (groups) =>
      `Hecho: tus chats privados conmigo y tu perfil están borrados, y también lo que escribiste en ${counted(groups, { one: "grupo", other: "grupos" })}.`,
    but: (count) =>
      `Pero no pude leer o quitar ${counted(count, { one: "cosa", other: "cosas" })} que podrían formar parte de ello: quien me opera encuentra más en mi registro.`,
  },

  end: {
    modelCalls: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "llamada al modelo", other: "llamadas al modelo" })}.`,
    toolExecutions: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "uso de herramientas", other: "usos de herramientas" })}.`,
    tokens: (limit) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limit, { one: "token", other: "tokens" })}.`,
    cost: (limitUsd) =>
      `Me he detenido aquí: este turno llegó a su límite de coste de $${limitUsd}.`,
    deadline: (limitSeconds) =>
      `Me he detenido aquí: este turno llegó a su límite de ${counted(limitSeconds, { one: "segundo", other: "segundos" })} de trabajo.`,
    loop: "Me he detenido aquí porque hacía lo mismo una y otra vez sin avanzar.",
    denied: "Me he detenido aquí porque no se aprobó lo que quería hacer.",
    notAllowed: "Me he detenido aquí porque no se permite lo que quería hacer.",
    toolFailed: "Me he detenido aquí porque falló una herramienta.",
    poisoned: (errorId) =>
      `Lo siento, he tenido que abandonar este mensaje: el trabajo en él falló tres veces. Inténtalo de otra manera, por favor. (${errorId})`,
    stopped: "(detenido)",
    interrupted: "(interrumpido)",
  },

  modelFailed: {
    "rate-limited": (errorId) =>
      `Lo siento, el servicio del modelo tiene ahora demasiadas peticiones. (${errorId})`,
    overloaded: (errorId) =>
      `Lo siento, el servicio del modelo está sobrecargado. (${errorId})`,
    timeout: (errorId) => `Lo siento, el modelo tardó demasiado. (${errorId})`,
    network: (errorId) =>
      `Lo siento, no se pudo contactar con el modelo. (${errorId})`,
    "context-overflow": (errorId) =>
      `Lo siento, esta conversación es demasiado larga para el modelo; /new empieza una nueva. (${errorId})`,
    auth: (errorId) =>
      `Lo siento, el servicio del modelo rechazó nuestra clave. (${errorId})`,
    "invalid-request": (errorId) =>
      `Lo siento, el servicio del modelo rechazó la petición. (${errorId})`,
    refused: (errorId) =>
      `Lo siento, el modelo no quiso responder. (${errorId})`,
    empty: (errorId) =>
      `Lo siento, el modelo dio una respuesta vacía. (${errorId})`,
  },

  turn: {
    awaits: (person, minutes) =>
      `Espero a que ${person} apruebe o rechace algo. Después me ocupo de tu mensaje, en ${minutesOf(minutes)} como máximo.`,
    awaitsAdmin: (minutes) =>
      `Espero a que un administrador apruebe o rechace algo. Después me ocupo de tu mensaje, en ${minutesOf(minutes)} como máximo.`,
    brokeOff: (model) => `${model} se cortó; pregunto de nuevo …`,
    shortening: "acorto nuestra conversación …",
    shortened: (before, after) =>
      `He acortado nuestra conversación anterior: unos ${before} → ${after} tokens. No se ha borrado nada; /export tiene cada palabra.`,
    nothingToShorten: "Todavía no hay nada que acortar.",
    nothingToUndo: "No hay nada que deshacer.",
    nothingToRetry: "No hay nada que reintentar.",
    cannotRetry:
      "No puedo intentarlo de nuevo: tu mensaje ya se ha resumido. Envíalo otra vez, por favor.",
    undone: "Deshecho: ya no veo tu último mensaje ni lo que le siguió.",
    undoneOf: (person) =>
      `Deshecho: ya no veo el último mensaje de ${person} ni lo que le siguió.`,
    staysDone: (tools) => `Pero lo hecho, hecho está: ${tools}.`,
    messageKept:
      "Ahora mismo todos los workers están ocupados o caídos. Tu mensaje está guardado y tendrá respuesta.",
    orderKept: (command) =>
      `Ahora mismo todos los workers están ocupados o caídos. Tu /${command} está guardado y se llevará a cabo.`,
  },
};
