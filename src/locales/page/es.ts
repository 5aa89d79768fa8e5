import type { pageEn } from "./en.ts";

export const pageEs: typeof pageEn = {
  skip: "Ir al contenido",
  menu: "Vistas",
  logOut: "Cerrar sesión",
  notFound: "Aquí no hay nada.",
  failedTitle: "Algo ha fallado",
  failed: (errorId) =>
    `Lo siento, algo ha fallado. Los detalles están en el registro (error ${errorId}).`,
  refused: "Se rechazó la solicitud. Vuelve atrás, recarga la página e inténtalo de nuevo.",
  tooOften: "Demasiados intentos. Prueba de nuevo dentro de un minuto.",
  reload: "Recargar",
  titles: {
    now: "Ahora",
    approvals: "Aprobaciones",
    spend: "Gasto",
    chats: "Chats",
    turn: "Respuesta",
    schedules: "Programaciones",
    dead: "No entregados",
    people: "Personas y lugares",
    health: "Estado",
    audit: "Auditoría",
  },
  login: {
    title: "Iniciar sesión",
    how: "Envía /dashboard al bot en un chat directo. Te responderá con un enlace.",
    code: "Código",
    codeHint: "El código es lo que sigue a # en el enlace.",
    button: "Iniciar sesión",
    wrong: "Este código ya se usó o ha caducado. Envía /dashboard para obtener otro enlace.",
  },
  done: {
    stopped: "Detenido.",
  },
  now: {
    empty: "No hay respuestas en curso, en espera ni en cola.",
  },
  approvals: {
    empty: "Nada espera aprobación.",
  },
  spend: {
    empty: "Aún no se ha gastado nada.",
  },
  chats: {
    empty: "Nadie ha hablado todavía con el bot.",
  },
  turn: {
    empty: "No hay nada que mostrar de esta respuesta.",
  },
  schedules: {
    empty: "No hay programaciones.",
  },
  dead: {
    empty: "Se entregaron todos los mensajes.",
  },
  people: {
    empty: "Nadie ha hablado todavía con el bot.",
  },
  health: {
    empty: "Aún no se ha comprobado nada.",
  },
  audit: {
    empty: "Aún no se ha cambiado nada.",
  },
};
