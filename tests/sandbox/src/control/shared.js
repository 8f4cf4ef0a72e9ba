/* The part of the scripts that both pages use. */
"use strict";
const byId = id => document.getElementById(id);

function create(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function showMessage(text) {
  byId("message").textContent = text;
  clearTimeout(showMessage.timer);
  showMessage.timer = setTimeout(() => byId("message").textContent = "", 5000);
}

async function request(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/sandbox/" + path, { method, headers, body: body && JSON.stringify(body) });
  const result = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(result.detail);
  return result;
}

/* Sends a request, shows its result, and updates the page with its function refresh. */
async function send(method, path, body, successMessage) {
  try {
    await request(method, path, body);
    showMessage(successMessage);
  } catch (error) {
    showMessage(error.message);
  }
  await refresh();
}

function button(text, label, onclick, className = "") {
  return create("button", { type: "button", textContent: text, ariaLabel: label, onclick, className });
}

/* The fault settings that are not the default ones, at the head of the page: a forgotten fault looks like an error of the site. */
const activeFaults = create("p", { id: "active-faults", role: "status", hidden: true });

function showActiveFaults(settings, defaults) {
  const names = Object.entries(settings).flatMap(([group, values]) => Object.entries(values)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[group][name]))
    .map(([name, value]) => `${group}.${name} = ${JSON.stringify(value)}`));
  const text = names.join(", ");
  activeFaults.hidden = names.length === 0;
  if (text === showActiveFaults.shown) return;
  showActiveFaults.shown = text;
  activeFaults.replaceChildren(create("strong", { textContent: "Active faults: " }), create("code", { textContent: text }), " ",
    button("Clear all faults", "Clear all faults", () => send("PUT", "faults", {}, "All faults are cleared.")));
}

/* Returns the fault settings. */
async function refreshFaults() {
  refreshFaults.defaults ??= await request("GET", "faults/default");
  const settings = await request("GET", "faults");
  showActiveFaults(settings, refreshFaults.defaults);
  return settings;
}

document.querySelector("main").prepend(activeFaults);
