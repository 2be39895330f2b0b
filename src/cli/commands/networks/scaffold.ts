import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Command, InvalidArgumentError } from 'commander'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import { forbiddenWords } from '../../../lib/http/forbidden-words.ts'
import { CommandError } from '../../errors.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { toJson } from '../../print.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, preset, typed } from '../../typed.ts'

/** A file of a new driver, by its path in the repository. */
type Files = Record<string, string>

const SCAFFOLD = {
  code: typed('<code>', 'such as plum-money: lower-case letters, digits and hyphens', toCode),
  name: typed('--name <name>', 'the name for people; made of the code unless given', toName),
  country: preset(typed('--country <code>', 'ISO 3166-1, two letters', toCountry), 'UG'),
  currency: preset(typed('--currency <code>', 'ISO 4217', toCurrency), 'UGX'),
  dry_run: typed('--dry-run', 'show what would be written, and write nothing'),
}
type ScaffoldOptions = Given<typeof SCAFFOLD>

/** Add the command that begins a driver: it writes all of its files, or none. */
export function addScaffold(networks: Command, terminal: Terminal): void {
  addPlainCommand(networks, terminal, {
    name: 'scaffold',
    description: 'begin the driver of a network, its simulation, test and page; in the root of the repository',
    typed: SCAFFOLD,
    help: EXAMPLES,
    async run(options, { json }) {
      const { code } = options
      const root = requireRepository(terminal.folder)
      requireNew(root, code)
      const [created, changed] = [await newFiles(code, options), await changedFiles(root, code)]
      const written = !options.dry_run
      if (written) await writeAll(root, created, changed)
      const to_dos =
        Object.values(created)
          .join('\n')
          .match(/\bTo do: /g)?.length ?? 0
      const result = { written, created: Object.keys(created), changed: Object.keys(changed), to_dos }
      if (json) terminal.print(toJson(result))
      else printSummary(terminal, code, result)
    },
  })
}

function printSummary(
  { print, strong }: Terminal,
  code: string,
  result: { written: boolean; created: string[]; changed: string[]; to_dos: number },
): void {
  print(strong(result.written ? 'Written:' : 'Would write:'))
  for (const path of result.created) print(`  ${path}`)
  print(strong(result.written ? 'Changed, one line each:' : 'Would change, one line each:'))
  for (const path of result.changed) print(`  ${path}`)
  if (!result.written) return
  print()
  print(`There are ${result.to_dos} to-dos. The test names them, and runs the conformance suite when none is left:`)
  print(`  npx vitest run test/networks/${code}`)
  print('docs/networks/tutorial.md builds a driver step by step.')
}

/** The root of the repository, which is the working directory. @throws CommandError */
function requireRepository(folder: string | null): string {
  const needed = ['package.json', 'biome.json', NETWORK_LIST, DOOR_LIST, 'test/networks/conformance/index.ts']
  if (folder === null || needed.some((path) => !existsSync(join(folder, path))))
    throw new CommandError(
      'Run this in the root of a clone of the repository of Kusanya: it writes source files there.',
    )
  if (!existsSync(join(folder, BIOME)))
    throw new CommandError('The program that formats the files is missing. Run `npm ci` first.')
  return folder
}

/** Refuse a code whose files are there in part or as a whole. @throws CommandError */
function requireNew(root: string, code: string): void {
  const taken = [
    ...['src/networks', 'src/simulator/doors'].flatMap((folder) => [`${folder}/${code}`, `${folder}/${code}.ts`]),
    ...['test/networks', 'test/simulator/doors'].flatMap((folder) => [
      `${folder}/${code}`,
      `${folder}/${code}.test.ts`,
    ]),
    `docs/networks/${code}.md`,
  ].filter((path) => existsSync(join(root, path)))
  if (taken.length > 0) throw new CommandError(`There is already ${taken.join(', ')}. Nothing was written.`)
}

async function newFiles(code: string, options: ScaffoldOptions): Promise<Files> {
  const { country, currency } = options
  const name = options.name ?? code.split('-').map(capitalize).join(' ')
  if (!isSupportedCountry(country)) throw new CommandError(`There is no country ${country}.`)
  const values: Record<string, string> = {
    code,
    name,
    country,
    currency,
    identifier: identifierOf(code),
    Type: code.split('-').map(capitalize).join(''),
    calling: getCountryCallingCode(country),
    decimals: String(decimalsOf(currency)),
  }
  const targets = {
    'driver-index.ts': `src/networks/${code}/index.ts`,
    'driver-calls.ts': `src/networks/${code}/calls.ts`,
    'driver-orders.ts': `src/networks/${code}/orders.ts`,
    'driver-wire.ts': `src/networks/${code}/wire.ts`,
    'door-index.ts': `src/simulator/doors/${code}/index.ts`,
    'door-wire.ts': `src/simulator/doors/${code}/wire.ts`,
    'conformance.test.ts': `test/networks/${code}/conformance.test.ts`,
    'door.test.ts': `test/simulator/doors/${code}/door.test.ts`,
    'page.md': `docs/networks/${code}.md`,
  }
  const files = await Promise.all(
    Object.entries(targets).map(async ([template, path]) => {
      const text = await readFile(join(import.meta.dirname, 'templates', `${template}.txt`), 'utf8')
      return [path, text.replaceAll(/\{\{(\w+)\}\}/g, (_, value: string) => values[value]!)] as const
    }),
  )
  return Object.fromEntries(files)
}

/** The two lists with a line more. @throws CommandError */
async function changedFiles(root: string, code: string): Promise<Files> {
  const identifier = identifierOf(code)
  const door = `create${code.split('-').map(capitalize).join('')}Door`
  const [drivers, doors] = [NETWORK_LIST, DOOR_LIST].map((path) => readFile(join(root, path), 'utf8'))
  return {
    [NETWORK_LIST]: withEntry(NETWORK_LIST, await drivers!, /(\nexport const networkDrivers\b[^=\n]*= \[)([^[\]]*)\]/, {
      entry: identifier,
      line: `import { ${identifier} } from './${code}/index.ts'\n`,
    }),
    [DOOR_LIST]: withEntry(DOOR_LIST, await doors!, /(\n {2}return \[)([^[\]]*)\]/, {
      entry: `${door}()`,
      line: `import { ${door} } from './${code}/index.ts'\n`,
    }),
  }
}

function withEntry(path: string, text: string, list: RegExp, { entry, line }: { entry: string; line: string }): string {
  if (!list.test(text))
    throw new CommandError(`The list in ${path} has another form than expected. Nothing was written.`)
  const extended = text.replace(list, (_, start: string, entries: string) => {
    const earlier = entries.split(',').flatMap((one) => one.trim() || [])
    // The sandbox's own network carries everything, and stays last where it is last.
    const at = earlier.at(-1) === 'sandbox' && earlier.length > 1 ? -1 : earlier.length
    return `${start}${[...earlier.slice(0, at), entry, ...earlier.slice(at)].join(', ')}]`
  })
  return line + extended
}

/** Write and format the files. If that fails, everything is as it was. */
async function writeAll(root: string, created: Files, changed: Files): Promise<void> {
  const before: Files = {}
  for (const path of Object.keys(changed)) before[path] = await readFile(join(root, path), 'utf8')
  try {
    for (const [path, text] of Object.entries({ ...created, ...changed })) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text, { flag: path in created ? 'wx' : 'w' })
    }
    const sources = Object.keys({ ...created, ...changed }).filter((path) => path.endsWith('.ts'))
    await run(process.execPath, [join(root, BIOME), 'check', '--write', ...sources], { cwd: root })
  } catch (error) {
    for (const [path, text] of Object.entries(before)) await writeFile(join(root, path), text)
    for (const path of Object.keys(created))
      await rm(join(root, path.endsWith('.md') ? path : dirname(path)), { recursive: true, force: true })
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new CommandError(`The files could not be written, and everything is as it was: ${stderr.trim() || message}`)
  }
}

const run = promisify(execFile)

const NETWORK_LIST = 'src/networks/index.ts'
const DOOR_LIST = 'src/simulator/doors/index.ts'
const BIOME = 'node_modules/@biomejs/biome/bin/biome'

/** `plum-money` becomes `plumMoneyNetwork`. The ending keeps it apart from words of the language and other names. */
function identifierOf(code: string): string {
  const [first, ...rest] = code.split('-')
  return `${first}${rest.map(capitalize).join('')}Network`
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Words that are paths of the simulator itself. */
const RESERVED = new Set(['simulator', 'networks'])

function toCode(text: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) || text.length < 2 || text.length > 30)
    throw new InvalidArgumentError(
      'It must have 2 to 30 lower-case letters, digits and single hyphens, and begin with a letter, such as plum-money.',
    )
  const forbidden = forbiddenWords(text)
  if (forbidden.length > 0)
    throw new InvalidArgumentError(
      `It is a part of callback addresses, and some networks refuse addresses with ${forbidden.join(', ')}.`,
    )
  if (RESERVED.has(text)) throw new InvalidArgumentError('This address belongs to the simulator.')
  return text
}

function toName(text: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .&()+-]{0,59}$/u.test(text))
    throw new InvalidArgumentError('It must have 1 to 60 letters, digits, spaces and . & ( ) + -')
  return text
}

function toCountry(text: string): string {
  const country = text.toUpperCase()
  if (!isSupportedCountry(country)) throw new InvalidArgumentError('It must be a country of ISO 3166-1, such as UG.')
  return country
}

function toCurrency(text: string): string {
  const currency = text.toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new InvalidArgumentError('It must be a currency of ISO 4217, such as UGX.')
  return currency
}

const EXAMPLES = `
Examples:
  $ npx kusanya networks scaffold plum-money --name "Plum Money" --country UG --currency UGX
  $ npx kusanya networks scaffold plum-money --dry-run`
