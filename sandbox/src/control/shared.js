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

function button(text, label, onclick, className = "") {
  return create("button", { type: "button", textContent: text, ariaLabel: label, onclick, className });
}
