"use strict";
const untitled = "(no subject)";

/* The fragment of the page's address names the selected mail: /mails#12. */
const selectedId = () => Number(location.hash.slice(1)) || null;

function showAddress(address) {
  byId("address").textContent = address
    ? `Your site sends mails to ${address}: SMTP without TLS.`
    : "The mail catcher is off. Start the sandbox with --mail-listen 127.0.0.1:2525.";
}

function emptyRow() {
  const text = "There are no mails yet. Each mail that your site sends appears here.";
  return create("tr", {}, create("td", { colSpan: 4, className: "muted", textContent: text }));
}

/* A mail that was sent again has the Message-ID of an earlier one. */
function isRepeated(mail, mails) {
  return mail.message_id !== null && mails.some(other => other.message_id === mail.message_id && other.id < mail.id);
}

function createRow(mail, mails) {
  const subject = create("td", {}, create("a", { href: "#" + mail.id, textContent: mail.subject || untitled }));
  if (isRepeated(mail, mails)) subject.append(" ", create("span", { className: "badge", textContent: "sent again" }));
  return create("tr", { className: mail.id === selectedId() ? "selected" : "" },
    create("td", { className: "muted", textContent: mail.received_at.slice(11, 19) }), subject,
    create("td", { className: "address", textContent: mail.envelope_to.join(", ") }),
    create("td", { className: "address muted", textContent: mail.headers.From ?? mail.envelope_from }));
}

/* The rows change only with the list or the selection, so that the focus does not move. */
function showList(mails) {
  const current = JSON.stringify([selectedId(), mails.map(mail => mail.id)]);
  if (current === showList.shown) return;
  showList.shown = current;
  const focused = document.activeElement?.hash;
  byId("mails").replaceChildren(...(mails.length > 0 ? mails.map(mail => createRow(mail, mails)) : [emptyRow()]));
  if (focused) byId("mails").querySelector(`a[href="${focused}"]`)?.focus();
}

/* Returns the text with links in the place of its URLs. */
function withLinks(text) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => index % 2 === 0 ? part
    : create("a", { href: part, textContent: part, target: "_blank", rel: "noopener noreferrer" }));
}

function showMail(mail) {
  byId("subject").textContent = mail.subject || untitled;
  byId("source").href = `/sandbox/mails/${mail.id}/source`;
  byId("envelope").textContent = `From ${mail.envelope_from || "an empty address"} to ${mail.envelope_to.join(", ")}, `
    + `received at ${mail.received_at}, ${mail.size} bytes.`;
  byId("html-part").hidden = mail.html === null;
  byId("html").srcdoc = mail.html === null ? "" : '<!doctype html><base target="_blank">' + mail.html;
  byId("text-part").hidden = mail.text === null;
  byId("text").replaceChildren(...withLinks(mail.text ?? ""));
  byId("headers").replaceChildren(...Object.entries(mail.headers).map(([name, value]) => create("tr", {},
    create("th", { scope: "row", textContent: name }), create("td", {}, create("code", { textContent: value })))));
  byId("mail").hidden = false;
}

async function showSelected() {
  const id = selectedId();
  if (id === showSelected.shown) return;
  showSelected.shown = id;
  byId("mail").hidden = true;
  if (id === null) return;
  try {
    showMail(await request("GET", `mails/${id}`));
  } catch (error) {
    showMessage(error.message);
  }
}

async function refresh() {
  try {
    const [{ mail_address, mails }] = await Promise.all([request("GET", "mails"), refreshFaults()]);
    showAddress(mail_address);
    showList(mails);
  } catch {
    showMessage("The sandbox does not respond.");
  }
}

byId("delete").onclick = async () => {
  try {
    await request("DELETE", "mails");
    showMessage("All mails are deleted.");
  } catch (error) {
    showMessage(error.message);
  }
  location.hash = "";
  await refresh();
};

addEventListener("hashchange", () => { showSelected(); refresh(); });
showSelected();
refresh();
setInterval(refresh, 1000);
