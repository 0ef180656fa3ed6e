// Writes pages of bytes to xterm.js, and prints what the screen shows after each of them.
// Called as: node feed_xterm.js NODE_MODULES VERSION WIDTH HEIGHT FILE...
const [modules, version, cols, rows, ...files] = process.argv.slice(2);
const load = (name) => require(modules + '/@xterm/' + name);
const { Terminal } = load('headless');
const { Unicode11Addon } = load('addon-unicode11');
const { UnicodeGraphemesAddon } = load('addon-unicode-graphemes');
const terminal = new Terminal({ cols: +cols, rows: +rows, allowProposedApi: true });
terminal.loadAddon(new Unicode11Addon());
terminal.loadAddon(new UnicodeGraphemesAddon());
terminal.unicode.activeVersion = version;
(async () => {
  for (const file of files) {
    await new Promise((done) => terminal.write(require('fs').readFileSync(file), done));
    for (let y = 0; y < terminal.rows; y++) {
      console.log(terminal.buffer.active.getLine(terminal.buffer.active.viewportY + y).translateToString(true));
    }
    process.stdout.write('\f');
  }
})();
