import type { pageEn } from "./en.ts";

export const pageRu: typeof pageEn = {
  skip: "К содержимому",
  menu: "Разделы",
  logOut: "Выйти",
  notFound: "Здесь ничего нет.",
  failedTitle: "Что-то пошло не так",
  failed: (errorId) => `Извините, произошла ошибка. Подробности в журнале (ошибка ${errorId}).`,
  titles: {
    now: "Сейчас",
    approvals: "Подтверждения",
    spend: "Расходы",
    chats: "Чаты",
    turn: "Ответ",
    schedules: "Расписания",
    dead: "Не доставлено",
    people: "Люди и места",
    health: "Состояние",
    audit: "Журнал",
  },
  login: {
    title: "Вход",
    how: "Отправьте боту /dashboard в личном чате. Он ответит ссылкой.",
    code: "Код",
    button: "Войти",
    wrong:
      "Этот код уже использован или устарел. Отправьте /dashboard, чтобы получить новую ссылку.",
  },
  done: {
    stopped: "Остановлено.",
  },
  now: {
    empty: "Сейчас ничего не выполняется и не ждёт.",
  },
  approvals: {
    empty: "Ничто не ждёт подтверждения.",
  },
  spend: {
    empty: "Пока ничего не потрачено.",
  },
  chats: {
    empty: "С ботом ещё никто не говорил.",
  },
  turn: {
    empty: "Об этом ответе показать нечего.",
  },
  schedules: {
    empty: "Расписаний нет.",
  },
  dead: {
    empty: "Все сообщения доставлены.",
  },
  people: {
    empty: "С ботом ещё никто не говорил.",
  },
  health: {
    empty: "Пока ничего не проверено.",
  },
  audit: {
    empty: "Пока ничего не менялось.",
  },
};
