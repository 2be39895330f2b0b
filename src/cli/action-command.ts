import { Argument, type Command, Option } from 'commander'
import { z } from 'zod'
import { operator, operatorFor, runAction } from '../actions/run.ts'
import type { App } from '../app.ts'
import type { Action, Actor, InputOf } from '../core/access/action.ts'
import { permissionList } from '../core/access/invitations.ts'
import { getOrganization, type Organization } from '../core/access/organizations.ts'
import { anyAmount, booleanField, fieldErrors, phonenumber, positiveAmount } from '../core/fields.ts'
import { filterAmount, filterPhone } from '../core/filters.ts'
import { Invalid } from '../core/refusals.ts'
import { formatAmount } from '../lib/money.ts'
import {
  byOption,
  chooseMember,
  chooseOrganization,
  collectIds,
  findActor,
  jsonOption,
  organizationOption,
  toAmount,
  toCount,
  toPermissions,
} from './arguments.ts'
import { printResult } from './print.ts'
import { withApp } from './service/with-app.ts'
import type { Terminal } from './terminal.ts'
import { completePhone, toTypedPhone } from './typed-phones.ts'

/** Parts of a command that its action does not declare. */
interface Extras<Input, Result> {
  /** The command, where an action has several. */
  cli?: Action<z.ZodRawShape, Result>['cli']
  /** Text below the help. */
  help?: string
  /** Options of `read`. */
  options?: readonly Option[]
  /** Return the input, where a person names things otherwise than the action does. @param options as commander read them */
  read?(
    app: App,
    typed: Partial<Input>,
    // biome-ignore lint/suspicious/noExplicitAny: options of any command
    options: any,
    owner?: Organization,
  ): Promise<object> | object
  /** Return who acts, if it is not the operator of --by. @param options as commander read them */
  // biome-ignore lint/suspicious/noExplicitAny: options of any command
  actor?(app: App, typed: Partial<Input>, options: any): Promise<Actor> | Actor
  /** Return what is printed, where it needs more than the result. @param organization its name */
  tell?(app: App, result: Result, organization: string): Promise<{ text: string; shown: unknown }>
}

/**
 * Extras of a command in the name of a member, whom --user names.
 * @param verb what the member does: `decides` @param is_optional true if the service does it unless a member is named
 */
export function byMember<Input>(
  verb: string,
  ownerOf: (app: App, typed: Partial<Input>) => Promise<number>,
  is_optional = false,
) {
  const unless = is_optional ? 'the service unless given' : 'not needed while the organization has one user'
  return {
    options: [new Option('--user <email>', `the user who ${verb}; ${unless}`)],
    async actor(app: App, typed: Partial<Input>, { user }: { user?: string }) {
      const organization = await getOrganization(app.db, await ownerOf(app, typed))
      if (is_optional && user === undefined) return operator(organization.id)
      return operatorFor(organization.id, await chooseMember(app.db, organization, user))
    },
  }
}

type Reader = (text: string, earlier: unknown) => unknown

/** Readers of the values that people type in other forms than programs. Other values are read by the input alone. */
const readers = new Map<z.core.$ZodType, Reader>([
  [anyAmount, (text) => formatAmount(toAmount(text))],
  [positiveAmount, (text) => formatAmount(toAmount(text))],
  [phonenumber, toTypedPhone],
  [filterPhone, toTypedPhone],
  [filterAmount, (text) => formatAmount(toAmount(text))],
  [permissionList, toPermissions],
])

/** Add the command that an action declares, with --json. */
export function addActionCommand<Fields extends z.ZodRawShape, Result>(
  parent: Command,
  terminal: Terminal,
  action: Action<Fields, Result>,
  extras: Extras<InputOf<Fields>, Result> = {},
): void {
  const cli = (extras.cli ?? action.cli) as NonNullable<typeof action.cli>
  const command = parent.command(cli.path.split(' ').at(-1)!).description(cli.description)
  const typed = Object.entries(cli.typed ?? {}) as [string, readonly [string, string]][]
  const phones = typed
    .map(([member]) => member)
    .filter((member) => layersOf(action.input.shape[member]!).includes(phonenumber))
  const readings = typed.map(([member, [flags, text]]) =>
    addTyped(command, action.input.shape[member]!, member, [flags, text]),
  )
  for (const option of extras.options ?? []) command.addOption(option)
  if (cli.organization) {
    const option = organizationOption()
    if (cli.organization === 'or_all') option.description = 'of this organization only; of all unless given'
    command.addOption(option)
  }
  if (cli.by) command.addOption(byOption())
  if (cli.view !== null) command.addOption(jsonOption())
  if (extras.help !== undefined) command.addHelpText('after', extras.help)
  command.action(() =>
    withApp(terminal, async (app) => {
      const options: { organization?: number; by?: string; json?: boolean } = command.opts()
      const is_one = cli.organization === 'one' || options.organization !== undefined
      const owner = is_one ? await chooseOrganization(app.db, options.organization) : undefined
      const values: Record<string, unknown> = Object.fromEntries(readings.map((read) => read()))
      for (const member of phones)
        if (typeof values[member] === 'string') values[member] = await completePhone(app.db, values[member], owner?.id)
      const given = values as Partial<InputOf<Fields>>
      const actor = extras.actor
        ? await extras.actor(app, given, options)
        : operator(owner?.id ?? null, await findActor(app.db, options.by))
      const read = extras.read ? await extras.read(app, given, options, owner) : given
      const { data: input, error } = action.input.safeParse(read)
      if (error) throw new Invalid(fieldErrors(error.issues))
      const result = await runAction(app, actor, action, input)
      const organization = owner?.name ?? ''
      const { text, shown } = (await extras.tell?.(app, result, organization)) ?? {
        text: cli.text!(result, { input, organization }),
        shown: cli.view ? cli.view(result) : result,
      }
      printResult(terminal, shown, { json: options.json, text })
    }),
  )
}

/**
 * Add an argument or an option, and return the function that reads its member of the input.
 * @param allowed the choices, where the field takes any text
 */
export function addTyped(
  command: Command,
  field: z.core.$ZodType,
  member: string,
  [flags, text]: readonly [string, string],
  allowed?: readonly string[],
) {
  const layers = layersOf(field)
  // A flag without a value means yes.
  const choices = /[<[]/.test(flags) ? (allowed ?? choicesOf(layers)) : undefined
  const plain: Reader | undefined = flags.includes('...')
    ? readerOfMany(layers)
    : layers.map((layer) => readers.get(layer) ?? (isCount(layer) ? toCount : undefined)).find(Boolean)
  const is_nullable = layers.some((layer) => layer instanceof z.ZodNullable)
  // Commander takes null for a missing value, and the input takes an empty text for null.
  const reader = plain && is_nullable ? (typed: string) => (typed === 'none' ? '' : plain(typed, undefined)) : plain
  if (!flags.startsWith('-')) {
    const argument = new Argument(flags, text)
    if (choices) argument.choices(choices)
    else if (reader) argument.argParser(reader)
    const index = command.registeredArguments.length
    command.addArgument(argument)
    return () => [member, command.processedArgs[index]] as const
  }
  const option = new Option(flags, text)
  if (choices) option.choices(choices)
  else if (reader) option.argParser(reader)
  const preset = layers.find((layer) => layer instanceof z.ZodDefault)
  if (preset && flags.includes('<')) option.default(preset.def.defaultValue)
  if (!z.safeParse(field, undefined).success) option.makeOptionMandatory()
  command.addOption(option)
  return () => [member, command.opts()[option.attributeName()]] as const
}

/** Return the reader of a list of ids; commander itself collects a list of texts. */
function readerOfMany(layers: readonly z.core.$ZodType[]): Reader | undefined {
  const is_ids = layers.some((layer) => layer instanceof z.ZodArray && layersOf(layer.element).some(isCount))
  return is_ids ? (text, earlier) => collectIds(text, earlier as number[] | undefined) : undefined
}

/** Return the choices of a field: those of an enumeration, or yes and no. */
function choicesOf(layers: readonly z.core.$ZodType[]): string[] | undefined {
  const choices = layers.find((layer) => layer instanceof z.ZodEnum)?.options as string[] | undefined
  return choices ?? (layers.includes(booleanField) ? ['yes', 'no'] : undefined)
}

/** Return true for a field of ids or of numbers above zero. */
function isCount(field: z.core.$ZodType): boolean {
  const { type, minimum = 1 } = z.globalRegistry.get(field as z.ZodType) ?? {}
  return type === 'integer' && Number(minimum) > 0
}

/** Return a field, those that it wraps, and those whose description it has replaced. */
export function layersOf(field: z.core.$ZodType): z.core.$ZodType[] {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return [field, ...layersOf(field.unwrap())]
  if (field instanceof z.ZodPipe && field._zod.parent === undefined)
    return [field, ...layersOf(field.in), ...layersOf(field.out)]
  return field._zod.parent ? [field, ...layersOf(field._zod.parent)] : [field]
}
