import type { Command } from 'commander'
import { z } from 'zod'
import type { Columns, List, ListCommand } from '../actions/lists/list.ts'
import { readListOfOperator } from '../actions/lists/read.ts'
import type { App } from '../app.ts'
import type { Organization } from '../core/access/organizations.ts'
import { filterAmount, filterPhone, filterTime } from '../core/filters.ts'
import { layersOf, typedField } from './action-command.ts'
import {
  chooseOrganization,
  chooseOrganizations,
  jsonOption,
  organizationOption,
  parseFields,
  readPast,
  readSharedTimeZone,
  toCount,
} from './arguments.ts'
import { printRows } from './print.ts'
import { withApp } from './service/with-app.ts'
import type { Terminal } from './terminal.ts'
import { addInputs, completeInputs, type Given, type Inputs, type Typed } from './typed.ts'
import { completePhone } from './typed-phones.ts'

/** Rows of a list. With `count`, the number of all rows that match, the command says how many rows it left out. */
type ListResult<Row> = readonly Row[] | { rows: readonly Row[]; count: number }

type Ownership = ListCommand<unknown, unknown>['organization']
type OwnerOf<Owned> = Owned extends 'one' | 'each' ? Organization : Organization | undefined

/** Declare a command that prints a list which only the command line has. */
interface ListDeclaration<Row, Words extends Inputs, Owned extends Ownership> {
  /** The default is `list`. */
  name?: string
  description: string
  /** Arguments and filters, in the order of the help. */
  typed?: Words
  /** Adds --organization, as `ListCommand` says. */
  organization?: Owned
  /** Object that --limit counts. A list without this text has no --limit. */
  limit?: string | undefined
  /** Text below the help. */
  help?: string | undefined
  /** Read the rows, for `each` those of one organization. */
  read(app: App, input: Given<Words> & { limit: number }, owner: OwnerOf<Owned>): Promise<ListResult<Row>>
  /** Text for an empty list. */
  none: string
  columns: Columns<NoInfer<Row>>
}

const DEFAULT_LIMIT = 50
/** Above the number of rows of every list that is printed whole. */
const ALL_ROWS = 1_000_000

/** Add a command that prints a list as a table or, with --json, as JSON. */
export function addList<Row, Words extends Inputs = Record<never, never>, const Owned extends Ownership = undefined>(
  parent: Command,
  terminal: Terminal,
  list: ListDeclaration<Row, Words, Owned>,
): void {
  const command = parent.command(list.name ?? 'list').description(list.description)
  const read = addInputs(command, list.typed ?? ({} as Words))
  if (list.organization) command.addOption(organizationOption())
  if (list.limit !== undefined) command.option('--limit <count>', list.limit, toCount, DEFAULT_LIMIT)
  command.addOption(jsonOption())
  if (list.help !== undefined) command.addHelpText('after', list.help)
  command.action(() =>
    withApp(terminal, async (app) => {
      const {
        organization,
        limit = ALL_ROWS,
        json,
      }: { organization?: number; limit?: number; json?: boolean } = command.opts()
      const owners = await ownersOf(app, list.organization, organization)
      const found = await Promise.all(
        owners.map(async (owner) => {
          const input = { ...(await completeInputs(app.db, list.typed, read(), owner?.id)), limit }
          return list.read(app, input, owner as OwnerOf<Owned>)
        }),
      )
      const rows = found.flatMap((one) => ('rows' in one ? one.rows : one))
      const count = found.reduce((sum, one) => sum + ('rows' in one ? one.count : one.length), 0)
      printRows(terminal, rows, { columns: list.columns, none: list.none, ...(json && { json }) })
      if (!json && count > rows.length) terminal.print(`${count - rows.length} more; --limit shows them.`)
    }),
  )
}

/** Add the command that a list declares: an option for each filter, --limit and --json. */
export function addListCommand(parent: Command, terminal: Terminal, list: List): void {
  const cli: ListCommand<Record<string, unknown>, unknown> = list.cli!
  const filters = z.object({ ...list.filters, ...list.people })
  const fields = filtersOf(list).map(([name, words]): [string, Typed] => {
    const field: z.ZodType = filters.shape[name]!
    return [name, typedField(field, words, cli.choices?.[name])]
  })
  const { description, organization, help, none, columns } = cli
  addList(parent, terminal, {
    name: cli.path.split(' ').at(-1)!,
    description,
    help,
    none,
    columns,
    limit: cli.limit ?? undefined,
    typed: Object.fromEntries(fields) as Inputs,
    organization,
    async read(app, { limit, ...input }, owner) {
      const given = Object.entries(input).filter(([, value]) => value !== undefined)
      const typed = await completeFilters(app, filters.shape, { ...cli.preset, ...Object.fromEntries(given) }, owner)
      const page = { limit, offset: 0, field: 'id', descending: !list.oldest_first } as const
      const asked = { organization: owner?.id, filters: parseFields(filters, typed), page }
      return readListOfOperator<unknown>(app, list, asked)
    },
  })
}

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
  kind: Ownership,
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
