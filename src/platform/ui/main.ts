/// <reference lib="dom" />
import { html, render } from "htm/preact";
import type { VNode } from "preact";
import { useConnection } from "./connection.ts";
import { findPage } from "./pages.ts";
import { takeTokenFromFragment, useRoute } from "./route.ts";
import { TokenForm } from "./token-form.ts";
import { TopBar } from "./top-bar.ts";

function App(): VNode {
  const { path, id, query } = useRoute();
  const { state, stats, retry } = useConnection();
  if (state === "unauthorized") return html`<${TokenForm} onToken=${retry} />`;
  const page = findPage(path);
  return html`<${TopBar} stats=${stats} state=${state} page=${page} />
    <${page.View} key=${page.path} id=${id} query=${query} />`;
}

takeTokenFromFragment();
const root = document.querySelector<HTMLElement>("#app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
