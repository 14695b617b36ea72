// SPDX-License-Identifier: Apache-2.0
// The theme's search reads its index with fetch() and works in a Worker. Browsers forbid both for pages that are files.
// For these, the index comes from a script (which `build` writes), and the worker is a hidden frame.
if (location.protocol === "file:") {
  const site = new URL("..", document.currentScript.src);

  // mkdocs-material 8 asks __search.index for the index; 9 loads the same script by itself.
  window.__search = {
    index: new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = new URL("search/search_index.js", site);
      script.onload = () => resolve(window.__index);
      document.head.append(script);
    }),
  };

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      const page = inner.document;
      page.open(); // otherwise Firefox replaces the frame's first page
      page.close();
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = page.createElement("script");
      script.src = new URL(url, location.href);
      script.onload = () => {
        this.deliver = (data) => inner.dispatchEvent(new MessageEvent("message", { data }));
        this.waiting.forEach(this.deliver);
      };
      (page.body || page.documentElement || page).appendChild(script);
    }
    postMessage(data) {
      if (this.deliver) this.deliver(data);
      else this.waiting.push(data);
    }
    terminate() {
      this.frame.remove();
    }
  };
}
