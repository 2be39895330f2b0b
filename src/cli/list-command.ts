import { type Argument, type Command, Option } from 'commander'
import type { App } from '../app.ts'
import { chooseOrganization, chooseOrganizations, jsonOption, toCount } from './arguments.ts'
import { type Columns, printRows } from './print.ts'
import { withApp } from './service/with-app.ts'
import type { Terminal } from './terminal.ts'
import { completePhones } from './typed-phones.ts'

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
  /** A function when a cell depends on the app, such as on the time of its clock. */
  columns: Columns<Row> | ((app: App) => Columns<Row>)
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
      const columns = typeof list.columns === 'function' ? list.columns(app) : list.columns
      printRows(terminal, rows, { columns, none: list.none, json })
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
