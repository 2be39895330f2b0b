import type { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import type { SealingKeys } from '../../lib/secrets.ts'
import type { DuplicateKeyClaim } from '../idempotency.ts'
import { Forbidden, NotFound } from '../refusals.ts'
import type { Permission } from './api-keys.ts'
import type { AuditedObject, NewAuditEntry } from './audit.ts'
import { getOrganization, requireOwned } from './organizations.ts'

/** Person or program that performs an action. */
export interface Actor {
  /** Null for what an operator sets for all organizations. */
  organization: number | null
  /** Null for an operator. */
  user: number | null
  /** Name for people who read the object later, such as `Grace` or `an operator`. */
  name: string
  /** An operator has all. */
  permissions: ReadonlySet<Permission>
  /** User in whose name an operator acts. */
  on_behalf_of?: number
  /** E-mail address of that user, for the entry of the audit log. */
  for?: string
  /** The API key that was used. */
  key?: number
  address?: string
  /** The session of a user in the console. */
  session?: number
  /** Check that the user is the one who signed in, for an action that asks for it. @throws Invalid, Throttled */
  confirm?(): Promise<void>
}

/** Parts of the service that actions read. A room declares what only its own actions need (`declare module`). */
export interface ActionService {
  /** Address of the service, for the links of pages. */
  base_url: string
  /** The codes of the networks that are connected. */
  networks(): string[]
  /** The connections that can carry SMS. */
  smsConnections(): string[]
  /** Event types that webhooks may have here. */
  eventTypes(): readonly string[]
  /** @throws Invalid unless notifications may be sent to this URL. It asks the DNS, so it belongs to `check`. */
  checkTarget(target: string): Promise<void>
  sealingKeys(purpose: string): SealingKeys
  /** Maximum number of active API keys of an organization. */
  max_keys: number
}

export interface ActionContext {
  now: Date
  /** Real time, for links and sessions: the clock of a sandbox does not move it. */
  real: Date
  actor: Actor
  service: ActionService
  /** Claim of the call on its Duplicate-Check-Key, for an action that continues what the key began. */
  claim?: DuplicateKeyClaim
}

/** Entry of the audit log about a result. */
export interface ActionEntry {
  /** Its words, where an action has several entries: `approve payment`. */
  action?: string
  object?: number
  /** Type of the object, where it depends on the result. */
  object_type?: AuditedObject
  /** Details for the reader. Must not contain secrets. */
  details?: NewAuditEntry['details']
  /** The organization of the object, where an operator names only the object. */
  organization?: number | null
}

/** Route of the console that performs an action. */
export interface ActionRoute<Input, Result> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/console/api`. Parameters such as `:id` are members of the input. */
  path: string
  /** Body of the answer; without it the answer is 204. */
  answer?: z.ZodType
  /** Status of an answer with a body; 200 if missing. */
  status?: 201
  /** Return what `answer` describes; the result itself if missing. */
  view?: (result: Result, input: Input) => unknown
  /** Members that the console requires and an operator may leave out. */
  requires?: readonly (keyof Input & string)[]
  /** Members that DELETE of the same path sets, which removes what the action sets. */
  unset?: Partial<Input>
}

/** Command that performs an action. Its options are read as the input says; `addActionCommand` (src/cli) draws it. */
export interface ActionCommand<Input, Result> {
  /** Words of the command, such as `fees set`. */
  path: string
  description: string
  /**
   * Members of the input that a person types, in the order of the help: `<id>` or `--max <amount>`, and a text.
   */
  typed?: { readonly [Member in keyof Input & string]?: readonly [flags: string, text: string] }
  /** Adds --organization. `one`: of the sole organization unless given; `or_all`: of all unless given. */
  organization?: 'one' | 'or_all'
  /** Adds --by, the person who acts. */
  by?: true
  /**
   * Return the sentence that tells the result; undefined if the command line tells it itself.
   * @param told `organization` is its name
   */
  text?(result: Result, told: { input: Input; organization: string }): string
  /** Return what --json prints; the result itself if missing. Null for a command without --json. */
  view?: ((result: Result) => unknown) | null
}

/** A permission. `self`: every user, on the own account. `operator`: no user at all. */
type Performer = Permission | 'self' | 'operator'

/**
 * Use case that writes, declared once for all doors: permission, input, effect and entry of the audit log. Doors perform
 * it with `runAction` (src/actions/run.ts), which alone begins its transaction.
 */
export interface Action<
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Result = unknown,
  Who extends Performer = Performer,
> {
  /** Its words in the audit log: a verb and its object, such as `set fee`. */
  name: string
  /** Type of the object in the audit log. */
  object_type?: AuditedObject
  /** Permission of users and keys. An operator needs none. */
  permission: Who
  /**
   * True for what concerns all organizations or belongs to the operator. A user may do it only in the sole organization
   * of an installation. A function decides by the input.
   */
  is_operators?: boolean | ((input: InputOf<Fields>) => boolean)
  /** True if a user of the console first confirms to be the one who signed in, with password, code or passkey. */
  confirmed?: true
  /**
   * Person besides the author who must agree before it takes effect, where it weakens control. The `is_pending` of its
   * result says whether it waits.
   */
  second_person?: 'manager'
  input: z.ZodObject<Fields>
  /** Check the input before the transaction, which calls nothing outside. @throws Refusal */
  check?(service: ActionService, input: InputOf<Fields>, actor: Actor): Promise<void>
  /** @throws Refusal */
  run(tx: Tx, context: ActionContext, input: InputOf<Fields>): Promise<Result>
  /** Return the entries of the audit log; undefined if nothing changed. */
  audit(
    result: Result,
    input: InputOf<Fields>,
    context: ActionContext,
  ): ActionEntry | readonly ActionEntry[] | undefined
  /** True if jobs have work after the commit. */
  wakes?: true
  /** True if it changes connections, which this process then reads again. */
  refreshes?: true
  /**
   * Makes a call with a Duplicate-Check-Key once in 24 hours: the type of what it creates, for the refusal of a second
   * call, and its id.
   */
  creates?: { type: string; id: (result: Result) => number }
  /** Drawn by the console; undefined for an action whose route has code of its own. */
  console?: ActionRoute<InputOf<Fields>, Result>
  /** Drawn by the command line; undefined for an action whose command has code of its own, or that has none. */
  cli?: ActionCommand<InputOf<Fields>, Result>
}

export type InputOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>

/** Declare an action. Its types follow from its input and from what it returns. */
export function action<Fields extends z.ZodRawShape, Result, Who extends Performer>(
  declared: Action<Fields, Result, Who>,
): Action<Fields, Result, Who> {
  return declared
}

/** Return the organization of the actor. @throws Error for an action on all organizations */
export function organizationOf({ actor }: ActionContext): number {
  if (actor.organization === null) throw new Error('This action needs an organization.')
  return actor.organization
}

/** Return the user who acts, or in whose name an operator acts. @throws Forbidden for an operator who names nobody */
export function userOf(context: ActionContext): number {
  const user = authorOf(context)
  if (user === null) throw new Forbidden()
  return user
}

/** Return the user who acts, or in whose name an operator acts. */
export function authorOf({ actor }: ActionContext): number | null {
  return actor.user ?? actor.on_behalf_of ?? null
}

/** Return the author of what an action makes: the user, or else the organization's user for the service. */
export async function makerOf(
  tx: Reader,
  context: ActionContext,
  organization = organizationOf(context),
): Promise<number> {
  return authorOf(context) ?? (await getOrganization(tx, organization)).service_user
}

/**
 * Return an object of the actor's organization, or any object to an operator without one.
 * @param none message for an operator if there is no such object
 * @throws NotFound, Forbidden
 */
export function requireOwn<T extends { organization: number }>(
  { actor }: ActionContext,
  object: T | undefined,
  none: string,
): T {
  if (actor.organization !== null) return requireOwned(actor.organization, object)
  if (!object) throw new NotFound(none)
  return object
}
