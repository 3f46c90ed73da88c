"use strict";

const at = (id) => document.getElementById(id);
const SHORT = 60;
const FLAT_LIST = /\[\n\s+([^[\]{}]*?)\n\s+\]/g;
const inline = (list, inside) => (inside.length > SHORT ? list : `[${inside.replace(/\n\s+/g, " ")}]`);
const pretty = (value) => typeof value === "string" ? value : JSON.stringify(value, null, 2).replace(FLAT_LIST, inline);
const PLAIN = "plain dice";
let contract = null;

function element(tag, content, attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[content].flat());
  return made;
}

function example(content) {
  const media = content && Object.values(content)[0];
  return media && "example" in media ? pretty(media.example) : "";
}

function shown(path, method, operation) {
  const summary = element("summary", [
    element("span", method.toUpperCase(), { class: "method" }), element("code", path),
    element("span", operation.summary || "", { class: "what" }),
  ]);
  const box = element("details", summary);
  box.addEventListener("toggle", () => {
    if (box.childElementCount > 1) return;
    if (operation.description) box.append(element("p", operation.description));
    const asked = operation.requestBody && example(operation.requestBody.content);
    if (asked) box.append(element("h3", "Body"), element("pre", asked, { tabindex: "0" }));
    const said = Object.keys(operation.responses).find((status) => status.startsWith("2"));
    const answer = example(operation.responses[said].content);
    if (answer) box.append(element("h3", "Answer"), element("pre", answer, { tabindex: "0" }));
  });
  return box;
}

function operations(wanted) {
  return Object.entries(contract.paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([method, operation]) => method !== "parameters" && wanted(path, operation))
    .map(([method, operation]) => ({ path, method, operation })));
}

const isNamed = (path) => /^\/v1\/systems\/[^{}]+\/(checks|queries|odds)\//.test(path);

function listNames() {
  const word = at("find").value.toLowerCase();
  const found = operations((path, operation) => isNamed(path) && (path + operation.summary).toLowerCase().includes(word));
  at("named").replaceChildren(...found.map((one) => shown(one.path, one.method, one.operation)));
}

function choices() {
  if (at("system").value === PLAIN) return operations((path) => path === "/v1/dice");
  return operations((path) => isNamed(path) && path.startsWith(`/v1/systems/${at("system").value}/`));
}

function chooseSystem() {
  at("name").replaceChildren(...choices().map(({ path, operation }) =>
    element("option", operation.summary.replace(/^.*?: /, "") + ` (${path.split("/").at(-1)})`, { value: path })));
  chooseName();
}

function chooseName() {
  const operation = contract.paths[at("name").value]?.post;
  const body = operation?.requestBody.content["application/json"].example || {};
  const { faces, ...rest } = body;
  at("body").value = pretty(at("real").checked ? body : rest);
  showCurl();
}

function target() {
  const path = at("name").value;
  return path.includes("/checks/") && at("odds").checked ? `${path}?odds=true` : path;
}

function showCurl() {
  let body = at("body").value;
  try { body = JSON.stringify(JSON.parse(body)); } catch { /* shown as it is */ }
  at("curl").textContent = `curl -s '${location.origin}${target()}' \\\n  -H 'Content-Type: application/json' \\\n` +
    `  -d '${body.replaceAll("'", "'\\''")}'`;
}

async function send(event) {
  event.preventDefault();
  showCurl();
  const headers = { "Content-Type": "application/json", "Accept-Language": at("language").value };
  try {
    const answer = await fetch(target(), { method: "POST", headers, body: at("body").value });
    const value = await answer.json();
    at("told").textContent = answer.ok
      ? [value.outcome?.grade_text, (value.rolls || []).map((one) => one.faces.join(" ")).join(" | ")].filter(Boolean).join(": ")
      : `${answer.status} ${value.title}: ${value.detail}`;
    at("answer").textContent = pretty(value);
  } catch (error) {
    at("told").textContent = `No answer: ${error.message}`;
  }
}

async function begin() {
  contract = await (await fetch("/openapi.json")).json();
  const systems = (await (await fetch("/v1/systems")).json()).systems;
  at("operations").replaceChildren(...operations((path) => !isNamed(path)).map((one) => shown(one.path, one.method, one.operation)));
  at("system").replaceChildren(element("option", PLAIN, { value: PLAIN }),
    ...systems.map((one) => element("option", one.name, { value: one.id })));
  at("system").addEventListener("change", chooseSystem);
  at("name").addEventListener("change", chooseName);
  at("real").addEventListener("change", chooseName);
  at("odds").addEventListener("change", showCurl);
  at("body").addEventListener("input", showCurl);
  at("find").addEventListener("input", listNames);
  at("roll").addEventListener("submit", send);
  chooseSystem();
  listNames();
}

begin();
