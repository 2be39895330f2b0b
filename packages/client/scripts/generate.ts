/*
 * `npm run generate -w packages/client`: writes the types of the interface, which openapi-typescript makes from openapi.json, unless they are
 * those of this openapi.json already. The build of the package and `npm run check` do it too; the types are not committed. They differ from the document in one point: amounts of money are strings, as the client sends and returns them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MONEY_FIELDS } from '../src/json.ts'

interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  examples?: unknown[]
}

const PACKAGE = join(import.meta.dirname, '..')
const DOCUMENT = join(PACKAGE, '../../openapi.json')
const TYPES = join(PACKAGE, 'src/openapi.ts')

/** Lets a schema of money say `string` where it says `number`. */
function withoutNumbers(schema: Schema): Schema {
  const types = [schema.type ?? []].flat().map((type) => (type === 'number' ? 'string' : type))
  const type = types.length > 1 ? [...new Set(types)] : types[0]
  const examples = schema.examples?.map((example) => (typeof example === 'number' ? String(example) : example))
  return {
    ...schema,
    ...(type && { type: Array.isArray(type) && type.length === 1 ? type[0] : type }),
    ...(examples && { examples }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(withoutNumbers) }),
  }
}

/** Changes the schemas of all properties that are amounts of money, at any depth. */
function changeMoney(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(changeMoney)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== 'properties') return [name, changeMoney(inner)]
      const properties = Object.entries(inner as Record<string, Schema>).map(([property, schema]) => {
        const changed = changeMoney(schema) as Schema
        return [property, MONEY_FIELDS.has(property) ? withoutNumbers(changed) : changed]
      })
      return [name, Object.fromEntries(properties)]
    }),
  )
}

/** The first line of the types: it says of which document they are, as this program reads it. */
function headerOf(document: string): string {
  const program = readFileSync(import.meta.filename)
  const digest = createHash('sha256').update(document).update(program).digest('hex').slice(0, 16)
  return `/* The types of openapi.json (${digest}). Made by \`npm run generate -w packages/client\`; do not edit. */\n`
}

/** Writes the types, unless they are those of this document already. Tells whether it has written them. */
export function ensureTypes(file = TYPES): boolean {
  const header = headerOf(readFileSync(DOCUMENT, 'utf8'))
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(header)) return false
  writeFileSync(file, generateTypes())
  return true
}

/** The text of the types, or an error that says how to get the generator. */
function generateTypes(): string {
  const program = [PACKAGE, join(PACKAGE, '../..')]
    .map((folder) => join(folder, 'node_modules/openapi-typescript/bin/cli.js'))
    .find((path) => existsSync(path))
  if (!program) throw new Error('openapi-typescript is not installed: run `npm ci` in the root folder.')
  const document = readFileSync(DOCUMENT, 'utf8')
  const input = JSON.stringify(changeMoney(JSON.parse(document)))
  const options = { input, encoding: 'utf8' as const, maxBuffer: 64 * 1_024 * 1_024 }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--empty-objects-unknown'], options)
  if (status !== 0 || stdout === '') throw new Error(`openapi-typescript failed: ${stderr}`)
  return headerOf(document) + stdout.slice(stdout.indexOf('export '))
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(import.meta.filename)) ensureTypes()
