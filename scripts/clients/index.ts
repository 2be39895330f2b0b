/*
 * `npm run clients`: writes the types of the Python and the PHP client, which are made from openapi.json. Those of the TypeScript
 * client are made by `npm run generate -w packages/client`.
 */
import { globSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readOpenApi } from './document.ts'
import { phpFiles } from './php.ts'
import { pythonFiles } from './python.ts'
import { readTypes } from './read-types.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const MADE = /Made from openapi\.json by `npm run clients`/

/** All files that are made from openapi.json, by their paths below `packages`. */
export function makeClientFiles(): Map<string, string> {
  const types = readTypes(readOpenApi())
  const below = (folder: string, files: Map<string, string>) =>
    [...files].map(([path, text]): [string, string] => [`${folder}/${path}`, text])
  return new Map([...below('client-python', pythonFiles(types)), ...below('client-php', phpFiles(types))])
}

/** The files that were made before, with their texts. */
export function readClientFiles(): Map<string, string> {
  const files = globSync('client-{python,php}/src/**/*.{py,php}', { cwd: PACKAGES }).map((path): [string, string] => [
    path.replaceAll('\\', '/'),
    readFileSync(join(PACKAGES, path), 'utf8'),
  ])
  return new Map(files.filter(([, text]) => MADE.test(text.slice(0, 200))))
}

function writeClientFiles(): void {
  const files = makeClientFiles()
  for (const path of readClientFiles().keys()) if (!files.has(path)) rmSync(join(PACKAGES, path))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(PACKAGES, path)), { recursive: true })
    writeFileSync(join(PACKAGES, path), text)
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(import.meta.filename)) writeClientFiles()
