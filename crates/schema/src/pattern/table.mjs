// Prints what Node's own regular expressions say of the patterns in a table: whether each is one
// with the `u` flag, and which of its texts it matches. Used by the tests beside it.
import { readFileSync } from "node:fs";

const table = JSON.parse(readFileSync(process.argv[2], "utf8"));
const judged = table.map(({ pattern, texts }) => {
  try {
    const regex = new RegExp(pattern, "u");
    return { pattern, valid: true, texts, matches: texts.map((text) => regex.test(text)) };
  } catch {
    return { pattern, valid: false, texts, matches: [] };
  }
});
process.stdout.write(`[\n${judged.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
