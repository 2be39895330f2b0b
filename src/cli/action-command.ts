import type { Command } from 'commander'
import { z } from 'zod'
import { operator, operatorFor, runAction } from '../actions/run.ts'
import type { App } from '../app.ts'
import type { Action, Actor, InputOf } from '../core/access/action.ts'
import { permissionList } from '../core/access/invitations.ts'
import { getOrganization, type Organization } from '../core/access/organizations.ts'
import { anyAmount, booleanField, phonenumber, positiveAmount } from '../core/fields.ts'
import { filterAmount, filterPhone } from '../core/filters.ts'
import { chooseMember, collectIds, parseFields, toAmountText, toCount, toPermissions } from './arguments.ts'
import { addCommand, type Told } from './command.ts'
import type { Terminal } from './terminal.ts'
import { type Given, type Inputs, type Typed, typed } from './typed.ts'
import { toTypedPhone } from './typed-phones.ts'

/** Parts of a command that its action does not declare. */
interface Extras<Input, Result, Words extends Inputs> {
  /** The command, where an action has several. */
  cli?: Action<z.ZodRawShape, Result>['cli']
  /** Text below the help. */
  help?: string
  /** Further words that a person types, for `read` and `actor`. */
  words?: Words
  /** Return the input, where a person names things otherwise than the action does. */
  read?(app: App, given: Partial<Input>, words: Given<Words>, owner: Organization | undefined): Promise<object> | object
  /** Return who acts, if it is not the operator of --by. */
  actor?(app: App, given: Partial<Input>, words: Given<Words>): Promise<Actor> | Actor
  /** Return what is told, where it needs more than the result. @param organization its name */
  tell?(app: App, result: Result, organization: string): Promise<Told>
}

/**
 * Extras of a command in the name of a member, whom --user names.
 * @param verb what the member does: `decides` @param is_optional true if the service does it unless a member is named
 */
export function byMember<Input>(
  verb: string,
  ownerOf: (app: App, given: Partial<Input>) => Promise<number>,
  is_optional = false,
) {
  const unless = is_optional ? 'the service unless given' : 'not needed while the organization has one user'
  return {
    words: { user: typed('--user <email>', `the user who ${verb}; ${unless}`) },
    async actor(app: App, given: Partial<Input>, { user }: { user: string | undefined }) {
      const organization = await getOrganization(app.db, await ownerOf(app, given))
      if (is_optional && user === undefined) return operator(organization.id)
      return operatorFor(organization.id, await chooseMember(app.db, organization, user))
    },
  }
}

type Reader = (text: string, earlier?: unknown) => unknown

/** Readers of the values that people type in other forms than programs. Other values are read by the input alone. */
const readers = new Map<z.core.$ZodType, Reader>([
  [anyAmount, toAmountText],
  [positiveAmount, toAmountText],
  [phonenumber, toTypedPhone],
  [filterPhone, toTypedPhone],
  [filterAmount, toAmountText],
  [permissionList, toPermissions],
])

/** Add the command that an action declares, with --json. */
export function addActionCommand<Fields extends z.ZodRawShape, Result, Words extends Inputs = Record<never, never>>(
  parent: Command,
  terminal: Terminal,
  action: Action<Fields, Result>,
  extras: Extras<InputOf<Fields>, Result, Words> = {},
): void {
  const cli = (extras.cli ?? action.cli) as NonNullable<typeof action.cli>
  const members = Object.entries(cli.typed ?? {}) as [string, readonly [string, string]][]
  const fields = members.map(([member, words]) => [member, typedField(action.input.shape[member]!, words)])
  addCommand(parent, terminal, {
    name: cli.path.split(' ').at(-1)!,
    description: cli.description,
    typed: { ...Object.fromEntries(fields), ...extras.words } as Inputs,
    ...(cli.organization && { organization: cli.organization }),
    ...(cli.by && { by: cli.by }),
    help: extras.help,
    json: cli.view !== null,
    async run(app, input, { owner, actor: person }) {
      const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, input[name]]))
      const given = pick(members.map(([member]) => member)) as Partial<InputOf<Fields>>
      const words = pick(Object.keys(extras.words ?? {})) as Given<Words>
      const actor = extras.actor ? await extras.actor(app, given, words) : person
      const read = extras.read ? await extras.read(app, given, words, owner) : given
      const checked = parseFields(action.input, read)
      const result = await runAction(app, actor, action, checked)
      const organization = owner?.name ?? ''
      if (extras.tell) return extras.tell(app, result, organization)
      const shown = cli.view ? cli.view(result) : result
      return { shown, text: cli.text!(result, { input: checked, organization }) }
    },
  })
}

/**
 * Return how a person types a field of an input.
 * @param allowed the choices, where the field takes any text
 */
export function typedField(
  field: z.core.$ZodType,
  [flags, text]: readonly [string, string],
  allowed?: readonly string[],
): Typed {
  const layers = layersOf(field)
  // A flag without a value means yes.
  const choices = /[<[]/.test(flags) ? (allowed ?? choicesOf(layers)) : undefined
  const plain: Reader | undefined = flags.includes('...')
    ? readerOfMany(layers)
    : layers.map((layer) => readers.get(layer) ?? (isCount(layer) ? toCount : undefined)).find(Boolean)
  const is_nullable = layers.some((layer) => layer instanceof z.ZodNullable)
  // Commander takes null for a missing value, and the input takes an empty text for null.
  const reader = plain && is_nullable ? (word: string) => (word === 'none' ? '' : plain(word)) : plain
  const preset = layers.find((layer) => layer instanceof z.ZodDefault)
  return {
    flags,
    text,
    reader,
    choices,
    ...(preset && flags.startsWith('-') && flags.includes('<') && { preset: [preset.def.defaultValue] }),
    is_required: !z.safeParse(field, undefined).success,
  }
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
