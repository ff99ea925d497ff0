// Asks validators of JSON Schema about files that bnfcheck vectors --format json-schema-test-suite wrote:
//
//   node run.mjs FILE ...
//
// and prints an array: validator, version, format, how many tests there are, and on which strings the two differ.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { registerSchema, validate, setShouldValidateFormat } from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";

const version = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
setShouldValidateFormat(true);
const results = [];
for (const file of process.argv.slice(2)) {
  const [{ schema, tests }] = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv.default({ strictTypes: false });
  addFormats.default(ajv);
  registerSchema(schema, `https://example.com/${schema.format}`);
  const hyperjump = await validate(`https://example.com/${schema.format}`);
  const validators = [
    ["ajv with ajv-formats", `${version("ajv")}, ${version("ajv-formats")}`, ajv.compile(schema)],
    ["@hyperjump/json-schema", version("@hyperjump/json-schema"), (s) => hyperjump(s).valid],
  ];
  for (const [validator, version, valid] of validators) {
    const result = { validator, version, format: schema.format, tests: tests.length, more: [], less: [], threw: [] };
    for (const test of tests) {
      try {
        const ok = valid(test.data);
        if (ok !== test.valid) (ok ? result.more : result.less).push(test.data);
      } catch {
        result.threw.push(test.data);
      }
    }
    results.push(result);
  }
}
console.log(JSON.stringify(results));
