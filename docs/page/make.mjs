// Makes the files that /docs serves, in dist/docs. `npm run build` calls it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

const page = import.meta.dirname;
const made = path.join(page, '../../dist/docs');

/** Writes a file that a running service or another build may be reading. */
function write(name, text) {
  const beside = path.join(made, `${name}.${process.pid}`);
  writeFileSync(beside, text);
  renameSync(beside, path.join(made, name));
}

/**
 * Scalar's reference as one script. This package is the smallest that ships it: the others are many times larger or load it
 * from a host.
 */
function scalarScript() {
  const entry = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'));
  return readFileSync(path.join(path.dirname(entry), 'js/standalone.js'));
}

/**
 * The guide as HTML. The service does not serve the other documents: a link to one becomes its text, with the place of the
 * document in the repository.
 */
function guide() {
  const marked = new Marked({
    renderer: {
      link({ href, text, tokens }) {
        if (/^(?:https?:|#|\/)/.test(href)) return false;
        const [place] = path.posix.join('docs', href).split('#');
        const shown = `<code title="in the repository of the service">${place}</code>`;
        return place.endsWith(text) ? shown : `${this.parser.parseInline(tokens)} (${shown})`;
      },
    },
  });
  const frame = readFileSync(path.join(page, 'guide.html'), 'utf8');
  const text = marked.parse(readFileSync(path.join(page, '../guide.md'), 'utf8'));
  return frame.replace('<!-- guide -->', () => text);
}

mkdirSync(made, { recursive: true });
write('scalar.js', scalarScript());
write('guide.html', guide());
for (const name of ['index.html', 'start.js', 'guide.css']) write(name, readFileSync(path.join(page, name)));
