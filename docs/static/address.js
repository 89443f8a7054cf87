// Examples name the default address. A page that a service serves names that service instead.
document.addEventListener("DOMContentLoaded", () => {
  if (!location.protocol.startsWith("http")) return;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes("http://127.0.0.1:8000")) text.data = text.data.replaceAll("http://127.0.0.1:8000", location.origin);
  }
});
