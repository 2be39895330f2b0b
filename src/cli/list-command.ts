import { type Argument, type Command, Option } from 'commander'
import { z } from 'zod'
import type { Columns, List, ListCommand } from '../actions/lists/list.ts'
import { readListOfOperator } from '../actions/lists/read.ts'
import type { App } from '../app.ts'
import type { Organization } from '../core/access/organizations.ts'
import { fieldErrors } from '../core/fields.ts'
import { filterAmount, filterPhone, filterTime } from '../core/filters.ts'
import { Invalid } from '../core/refusals.ts'
import { addTyped, layersOf } from './action-command.ts'
import {
  chooseOrganization,
  chooseOrganizations,
  jsonOption,
  organizationOption,
  readPast,
  readSharedTimeZone,
  toCount,
} from './arguments.ts'
import { printRows } from './print.ts'
import { withApp } from './service/with-app.ts'
import type { Terminal } from './terminal.ts'
import { completePhone, completePhones } from './typed-phones.ts'

/** Rows of a list. With `count`, the number of all rows that match, the command says how many rows it left out. */
export type ListResult<Row> = readonly Row[] | { rows: readonly Row[]; count: number }

/** Declare a command that prints a list. `Options` are its filters, by the names that commander gives them. */
export interface ListDeclaration<Row, Options> {
  /** The default is `list`. */
  name?: string
  description: string
  /** Arguments. Each is passed to `read` as an option of the same name. */
  arguments?: Argument[]
  filters?: Option[]
  /** Object that --limit counts. A list without this text has no --limit. */
  limit?: string
  /** Text below the help. */
  help?: string
  read(app: App, options: Options): Promise<ListResult<Row>>
  /** Text for an empty list. */
  none: string
  columns: Columns<Row>
}

/** The options of a list with a limit. */
export interface LimitOption {
  limit: number
}

const DEFAULT_LIMIT = 50

/** Add a command that prints a list as a table or, with --json, as JSON. */
export function addList<Row, Options = object>(
  parent: Command,
  terminal: Terminal,
  list: ListDeclaration<Row, Options>,
): void {
  const command = parent.command(list.name ?? 'list').description(list.description)
  const positional = list.arguments ?? []
  for (const argument of positional) command.addArgument(argument)
  for (const filter of list.filters ?? []) command.addOption(filter)
  if (list.limit !== undefined) command.option('--limit <count>', list.limit, toCount, DEFAULT_LIMIT)
  command.addOption(jsonOption())
  if (list.help !== undefined) command.addHelpText('after', list.help)
  command.action(() =>
    withApp(terminal, async (app) => {
      const values = positional.map((argument, index) => [argument.name(), command.processedArgs[index]])
      const typed = { ...command.opts(), ...Object.fromEntries(values) }
      const options = (await completePhones(app.db, typed)) as Options & { json?: boolean }
      const { json } = options
      const result = await list.read(app, options)
      const { rows, count } = 'rows' in result ? result : { rows: result, count: result.length }
      printRows(terminal, rows, { columns: list.columns, none: list.none, json })
      if (!json && count > rows.length) terminal.print(`${count - rows.length} more; --limit shows them.`)
    }),
  )
}

/** Make an option that filters a list. */
export function filter<T>(flags: string, description: string, parse?: (text: string) => T): Option {
  const option = new Option(flags, description)
  return parse ? option.argParser(parse) : option
}

/** The newest rows first, as the lists of core take it. */
export function newest(limit: number) {
  return { limit, offset: 0, field: 'id', descending: true } as const
}

/** Add the command that a list declares: an option for each filter, --limit and --json. */
export function addListCommand(parent: Command, terminal: Terminal, list: List): void {
  const cli: ListCommand<Record<string, unknown>, unknown> = list.cli!
  const command = parent.command(cli.path.split(' ').at(-1)!).description(cli.description)
  const input = z.object({ ...list.filters, ...list.people })
  const readings = filtersOf(list).map(([name, words]) => {
    const field: z.ZodType = input.shape[name]!
    return addTyped(command, field, name, words, cli.choices?.[name])
  })
  if (cli.organization) command.addOption(organizationOption())
  if (cli.limit !== null) command.option('--limit <count>', cli.limit, toCount, DEFAULT_LIMIT)
  command.addOption(jsonOption())
  if (cli.help !== undefined) command.addHelpText('after', cli.help)
  command.action(() =>
    withApp(terminal, async (app) => {
      const options: { organization?: number; limit?: number; json?: boolean } = command.opts()
      const owners = await ownersOf(app, cli, options.organization)
      const given = readings.map((read) => read()).filter(([, value]) => value !== undefined)
      const page = { limit: options.limit ?? ALL_ROWS, offset: 0, field: 'id', descending: !list.oldest_first } as const
      const found = await Promise.all(
        owners.map(async (owner) => {
          const typed = await completeFilters(app, input.shape, { ...cli.preset, ...Object.fromEntries(given) }, owner)
          const { data: filters, error } = input.safeParse(typed)
          if (error) throw new Invalid(fieldErrors(error.issues))
          return readListOfOperator<unknown>(app, list, { organization: owner?.id, filters, page })
        }),
      )
      const rows = found.flatMap((one) => one.rows)
      const count = found.reduce((sum, one) => sum + one.count, 0)
      printRows(terminal, rows, { columns: cli.columns, none: cli.none, json: options.json })
      if (!options.json && count > rows.length) terminal.print(`${count - rows.length} more; --limit shows them.`)
    }),
  )
}

/** Above the number of rows of every list that is printed whole. */
const ALL_ROWS = 1_000_000

/** Return the filters of a list in the order of the help, with the flags and the text of each. */
export function filtersOf({ filters, people, cli }: List): [name: string, words: readonly [string, string]][] {
  const typed = (cli?.typed ?? {}) as Record<string, readonly [string, string]>
  const all: [string, z.ZodType][] = Object.entries({ ...filters, ...people })
  const others = all.filter(([name]) => !(name in typed))
  return [
    ...Object.entries(typed),
    ...others.map(([name, field]): [string, readonly [string, string]] => [name, wordsOf(name, field)]),
  ]
}

/** Return the flags and the text of a filter, such as `--created-after <time>` and `created after this time`. */
function wordsOf(name: string, field: z.ZodType): readonly [string, string] {
  const layers = layersOf(field)
  const described = layers.map((layer) => (layer as z.ZodType).meta?.()?.description).find(Boolean) ?? ''
  const text = described.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')
  const value = layers.includes(filterTime) ? 'time' : layers.includes(filterAmount) ? 'amount' : 'value'
  return [`--${name.replaceAll('_', '-')} <${value}>`, text]
}

/** Return the organizations whose lists are printed; undefined for one list of all. */
async function ownersOf(
  app: App,
  { organization: kind }: ListCommand<Record<string, unknown>, unknown>,
  organization: number | undefined,
): Promise<readonly (Organization | undefined)[]> {
  if (kind === 'one') return [await chooseOrganization(app.db, organization)]
  if (kind === 'each' || organization !== undefined) return chooseOrganizations(app.db, organization)
  return [undefined]
}

/** Complete phone numbers without country code, and times of people, as the console does. */
async function completeFilters(
  app: App,
  shape: Readonly<Record<string, z.ZodType>>,
  typed: Readonly<Record<string, unknown>>,
  owner: Organization | undefined,
): Promise<Record<string, unknown>> {
  const read = async ([name, value]: [string, unknown]) => {
    const layers = layersOf(shape[name]!)
    if (typeof value !== 'string') return [name, typeof value === 'boolean' ? String(value) : value] as const
    if (layers.includes(filterPhone)) return [name, await completePhone(app.db, value, owner?.id)] as const
    if (!layers.includes(filterTime)) return [name, value] as const
    const zone = owner?.time_zone ?? (await readSharedTimeZone(app.db))
    // The check names what is no time.
    return [name, readPast(value, app.clock.now(), zone, name.endsWith('_before'))?.toISOString() ?? value] as const
  }
  return Object.fromEntries(await Promise.all(Object.entries(typed).map(read)))
}

interface OrganizationOption {
  organization?: number
}

/** Read the list of one organization: of the one that --organization names, or of the only one. */
export function ofOne<Row, Options>(
  read: (app: App, organization: number, options: Options) => Promise<ListResult<Row>>,
): (app: App, options: Options & OrganizationOption) => Promise<ListResult<Row>> {
  return async (app, options) => read(app, (await chooseOrganization(app.db, options.organization)).id, options)
}

/** Read the lists of several organizations one after the other: of the one that --organization names, or of all. */
export function ofEach<Row, Options>(
  read: (app: App, organization: number, options: Options) => Promise<ListResult<Row>>,
): (app: App, options: Options & OrganizationOption) => Promise<ListResult<Row>> {
  return async (app, options) => {
    const organizations = await chooseOrganizations(app.db, options.organization)
    const lists = await Promise.all(organizations.map((one) => read(app, one.id, options)))
    return {
      rows: lists.flatMap((list) => ('rows' in list ? list.rows : list)),
      count: lists.reduce((sum, list) => sum + ('rows' in list ? list.count : list.length), 0),
    }
  }
}
