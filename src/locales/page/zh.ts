import type { pageEn } from "./en.ts";

export const pageZh: typeof pageEn = {
  skip: "跳到正文",
  menu: "视图",
  logOut: "退出登录",
  notFound: "这里没有内容。",
  failedTitle: "出错了",
  failed: (errorId) => `抱歉，出错了。详情见日志（错误 ${errorId}）。`,
  refused: "请求被拒绝。请返回并刷新页面，然后重试。",
  tooOften: "操作太频繁，请一分钟后再试。",
  reload: "刷新",
  titles: {
    now: "当前",
    approvals: "审批",
    spend: "费用",
    chats: "聊天",
    turn: "回答",
    schedules: "定时任务",
    dead: "未送达",
    people: "人员和地点",
    health: "状态",
    audit: "审计",
  },
  login: {
    title: "登录",
    how: "在私聊中向机器人发送 /dashboard，它会回复一个链接。",
    code: "代码",
    codeHint: "代码是链接中 # 后面的部分。",
    button: "登录",
    wrong: "这个代码已被使用或已过期。发送 /dashboard 获取新链接。",
  },
  done: {
    stopped: "已停止。",
  },
  now: {
    empty: "没有正在进行、等待或排队的回答。",
  },
  approvals: {
    empty: "没有待审批的内容。",
  },
  spend: {
    empty: "还没有产生费用。",
  },
  chats: {
    empty: "还没有人和机器人聊过。",
  },
  turn: {
    empty: "这个回答没有可显示的内容。",
  },
  schedules: {
    empty: "没有定时任务。",
  },
  dead: {
    empty: "所有消息都已送达。",
  },
  people: {
    empty: "还没有人和机器人聊过。",
  },
  health: {
    empty: "还没有检查过。",
  },
  audit: {
    empty: "还没有任何更改。",
  },
};
