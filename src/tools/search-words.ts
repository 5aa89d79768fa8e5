/** Words in tools' names, and what people say instead ("make a bug": `create_issue`). */
const pairs = `
create add: make new start begin plan draw write put save build set up report propose invite remember |
get list read: show see view look tell give what which who whose where when how are is did does |
search find: look find where locate whose |
update edit set: change modify set rename close correct fix adjust switch write tick |
delete remove: remove forget erase drop clear throw away get rid |
move: put push drag shift rename over under | issue: bug ticket problem task |
comment: remark say note answer opinion | reply: answer respond below |
copy fork duplicate: copy duplicate clone own | assign: give | file: document disk text pdf readme |
directory: folder folders | image screenshot: picture photo | pull request: pr propose |
review: approve reviewer remark | recent activity history: lately recently happened today latest |
branch: main | fill form type: enter field box input sign | network request: calls http traffic |
event calendar: meeting appointment invitation | mail message: e-mail email inbox letter |
rule: automatically always filter | create schedule: every night nightly daily weekly monthly |
log output trace: fail crash why print | context: cluster use switch |
relation: link connect connection | query data source database: rows table status filter`
  .split("|")
  .map((pair) => pair.trim().split(": "))
  .map(([ofTools = "", ofPeople = ""]) => [ofTools.split(" "), ofPeople.split(" ")] as const);

/** The words of tools for an everyday one. */
export const synonymsOf = (everyday: string): readonly string[] =>
  pairs.flatMap(([ofTools, ofPeople]) => (ofPeople.includes(everyday) ? ofTools : []));
