"use strict";
function formatDuration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return seconds + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  if (seconds < 172800) return Math.round(seconds / 3600) + " h";
  return Math.round(seconds / 86400) + " d";
}

const refundStatuses = { EM_PROCESSAMENTO: "refund in progress", DEVOLVIDO: "refunded", NAO_REALIZADO: "refund failed" };

function paymentItem(payment) {
  const item = create("li", {}, create("strong", { textContent: payment.valor }), " ",
    create("code", { className: "muted", textContent: payment.endToEndId }), create("br"));
  for (const refund of payment.devolucoes ?? []) {
    const status = refund.natureza === "MED_FRAUDE" ? "reversed" : refundStatuses[refund.status] ?? refund.status;
    item.append(create("span", { className: "bad", textContent: `${status}: ${refund.valor} ` }));
  }
  const body = { end_to_end_id: payment.endToEndId };
  item.append(
    button("Reverse", `Reverse payment ${payment.endToEndId}`, () => send("POST", "reverse", body, "The payment is reversed.")),
    button("Notify again", `Notify payment ${payment.endToEndId} again`, () => send("POST", "notify", body, "The notification is queued.")));
  return item;
}

const payVariants = [["exact", "Pay"], ["under", "1 cent less"], ["over", "1 cent more"], ["late", "After expiry"], ["twice", "Twice"]];
const chargeStatuses = { ATIVA: "open", CONCLUIDA: "paid" };
const rows = new Map();

async function copyCode(charge) {
  try {
    await navigator.clipboard.writeText(charge.pixCopiaECola);
    showMessage("The text of the QR code is copied.");
  } catch {
    showMessage("The browser does not allow copying.");
  }
}

/* A row is created once and then updated, so that the focus does not move. */
function createRow(charge) {
  const status = create("span"), time = create("div", { className: "muted" }), amount = create("td", { className: "amount" });
  const payments = create("ul");
  const payButtons = payVariants.map(([how, text]) => button(text, `Pay charge ${charge.txid}: ${how}`,
    () => send("POST", "pay", { txid: charge.txid, how }, "The charge is paid."), how === "exact" ? "primary" : ""));
  const code = create("td", { className: "code" },
    create("code", { textContent: charge.pixCopiaECola, title: charge.pixCopiaECola }),
    button("Copy", `Copy the QR code text of ${charge.txid}`, () => copyCode(charge)));
  const key = create("div", { className: "muted" }, "to key ", create("code", { textContent: charge.chave }));
  const element = create("tr", {}, create("td", { className: "charge" }, create("code", { textContent: charge.txid }), key), amount,
    create("td", {}, status, time), code, create("td", { className: "actions" }, ...payButtons), create("td", {}, payments));
  let shownPayments;
  function update(charge) {
    const createdAt = Date.parse(charge.calendario.criacao);
    const remaining = createdAt + charge.calendario.expiracao * 1000 - Date.now();
    const isRemoved = charge.status.startsWith("REMOVIDA");
    amount.textContent = charge.valor.original;
    status.textContent = isRemoved ? "removed" : chargeStatuses[charge.status] ?? charge.status;
    status.title = charge.status;
    status.className = "badge " + charge.status;
    const expiry = remaining > 0 ? `expires in ${formatDuration(remaining)}` : "expired";
    time.textContent = charge.status === "ATIVA" ? expiry : "";
    for (const payButton of payButtons) payButton.disabled = isRemoved;
    const current = JSON.stringify(charge.pix ?? []);
    if (current !== shownPayments) payments.replaceChildren(...(charge.pix ?? []).map(paymentItem));
    shownPayments = current;
  }
  return { element, update };
}

function showCharges(charges) {
  const body = byId("charges");
  if (rows.size === 0 && charges.length > 0) body.replaceChildren();
  for (const charge of [...charges].reverse()) {
    if (!rows.has(charge.txid)) {
      rows.set(charge.txid, createRow(charge));
      body.prepend(rows.get(charge.txid).element);
    }
    rows.get(charge.txid).update(charge);
  }
}

function showOtherPayments(payments) {
  const current = JSON.stringify(payments);
  if (current === showOtherPayments.shown) return;
  showOtherPayments.shown = current;
  byId("other-section").hidden = payments.length === 0;
  byId("other").replaceChildren(...payments.map(paymentItem));
}

function showNotifications(attempts) {
  if (attempts.length === 0) return;
  byId("notifications").replaceChildren(...attempts.map(attempt => {
    const isAccepted = attempt.status >= 200 && attempt.status < 300;
    return create("tr", {}, create("td", { className: "muted", textContent: attempt.at.slice(11, 19) }),
      create("td", { className: isAccepted ? "good" : "bad", textContent: attempt.status ?? attempt.error }),
      create("td", {}, create("code", { textContent: attempt.url })),
      create("td", {}, create("code", { className: "muted", textContent: attempt.body })));
  }));
}

/* Each fault with the label of its button. Other settings are parameters and appear only in the form. */
const faultButtons = {
  notifications: {
    title: "Next notification",
    labels: { drop: "Drop", duplicate: "Send twice", reorder: "Send after the next", before_created: "Send before the charge's response",
      foreign_key: "Wrong key", unknown_txid: "Unknown txid", bad_secret: "Wrong secret", truncated: "Cut the body" },
  },
  api: {
    title: "Next API request",
    labels: { timeout: "No response", error: "Error 503", rate_limited: "Too many requests (429)", token_expired: "Token expired (401)",
      drop_after_apply: "Write, then no response", wrong_chave: "Wrong key in charge", devolucao_fails: "Refund fails" },
  },
  mails: {
    title: "Next mail",
    labels: { refuse_temporarily: "Refuse for now (451)", refuse_permanently: "Refuse for ever (550)", stall: "Stall",
      drop_after_data: "Store, then no response" },
  },
};
let settings;

function createFaultButtons() {
  for (const [group, { title, labels }] of Object.entries(faultButtons)) {
    byId("fault-buttons").append(create("h3", { textContent: title }));
    for (const [name, label] of Object.entries(labels)) {
      const element = button(label, `${title}: ${label}`, () => addFault(group, name));
      element.id = `button.${group}.${name}`;
      byId("fault-buttons").append(element);
    }
  }
}

function addFault(group, name) {
  const value = settings[group][name];
  const changed = { ...settings, [group]: { ...settings[group], [name]: typeof value === "number" ? value + 1 : 1 } };
  return send("PUT", "faults", changed, "The fault is set.");
}

/* The form has a field for each setting; a value is written as in JSON. */
function createFaultForm() {
  const fields = Object.entries(settings).flatMap(([group, values]) => Object.keys(values).map(name =>
    create("label", {}, create("code", { textContent: `${group}.${name}` }),
      create("input", { id: `${group}.${name}`, autocomplete: "off" }))));
  byId("faults").append(create("div", { className: "fields" }, ...fields), create("button", { textContent: "Save" }));
}

function showFaults(current) {
  settings = current;
  if (byId("faults").children.length === 0) createFaultForm();
  for (const [group, values] of Object.entries(settings)) for (const [name, value] of Object.entries(values)) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (!byId("faults").contains(document.activeElement)) byId(`${group}.${name}`).value = text;
    const element = byId(`button.${group}.${name}`);
    if (!element) continue;
    const count = typeof value === "number" ? `×${value}` : "at random";
    element.className = value === 0 ? "" : "armed";
    element.textContent = faultButtons[group].labels[name] + (value === 0 ? "" : ` ${count}`);
  }
}

byId("faults").onsubmit = async event => {
  event.preventDefault();
  const changed = Object.fromEntries(Object.keys(settings).map(group => [group, {}]));
  try {
    for (const input of byId("faults").querySelectorAll("input")) {
      const [group, name] = input.id.split(".");
      const isText = typeof settings[group][name] === "string";
      changed[group][name] = isText ? input.value : JSON.parse(input.value || "0");
    }
  } catch {
    return showMessage("A fault is a number, or {\"probability\": 0.5}.");
  }
  document.activeElement.blur();
  await send("PUT", "faults", changed, "The fault settings are saved.");
};

byId("scan").onsubmit = async event => {
  event.preventDefault();
  await send("POST", "pay", { payload: byId("payload").value.trim() }, "The QR code is paid.");
  byId("payload").value = "";
};

async function refresh() {
  try {
    const [{ charges, other_pix }, { notifications }, faults] = await Promise.all(
      [request("GET", "charges"), request("GET", "notifications?limit=20"), refreshFaults()]);
    showCharges(charges);
    showOtherPayments(other_pix);
    showNotifications(notifications);
    showFaults(faults);
  } catch {
    showMessage("The sandbox does not respond.");
  }
}

createFaultButtons();
refresh();
setInterval(refresh, 1000);
