// The code of a login link is in the fragment, which no server and no preview of links sees. It is
// posted when the person presses the button.
const field = document.querySelector("input[name=code]");
if (field instanceof HTMLInputElement && location.hash.length > 1) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}

// The session has ended while a view was open: the page is asked for again, and leads to the login.
document.addEventListener("parley:ended", ({ detail }) => {
  if (detail.data === "session") location.reload();
});
document.addEventListener("htmx:sse:error", (event) => {
  if (event.detail.status === 401) location.reload();
});
// On a phone the menu scrolls: the view that is open has to be seen in it.
document
  .querySelector("nav [aria-current=page]")
  ?.scrollIntoView({ block: "nearest", inline: "center" });
