import type { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { type ItemResult, only } from '../../lib/batches/batch.ts'
import type { SealingKeys } from '../../lib/secrets.ts'
import type { DuplicateKeyClaim } from '../idempotency.ts'
import { Forbidden, NotFound } from '../refusals.ts'
import type { WakeCause } from '../wakes.ts'
import type { Permission } from './api-keys.ts'
import type { AuditedObject, NewAuditEntry } from './audit.ts'
import { getOrganization, requireOwned } from './organizations.ts'
import type { Attempt, LockScope } from './sign-in-attempts.ts'

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
  /**
   * Return the known browser that sends a call, or else the group of its address: only the door knows them.
   * @param email of the user for whom the browser must be known; any user if missing
   */
  source?(email?: string): Promise<Extract<Attempt['from'], { browser: number } | { address: string }>>
  /** Name of the throttle in which the door has counted the call, before it read the body. */
  counted?: string
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

/** Call of an action that many share. */
export interface ActionCall<Input> {
  context: ActionContext
  input: Input
}

/** Entry of the audit log about a result. */
export interface ActionEntry {
  /** Its words, where an action has several entries: `approve payment`. */
  action?: string
  object?: number
  /** The user, of an action of anyone. */
  user?: number
  /** Type of the object, where it depends on the result. */
  object_type?: AuditedObject
  /** Details for the reader. Must not contain secrets. */
  details?: NewAuditEntry['details']
  /** The organization of the object, where an operator names only the object. */
  organization?: number | null
}

/** Route of the console that performs an action. */
interface ActionRoute<Input, Result> {
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

/** Route of the API that performs an action. With `creates`, it takes a Duplicate-Check-Key. */
interface ActionResource<Result> {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api`. Parameters such as `:id` are members of the input. */
  path: string
  /** Words of the reference. */
  tag: string
  operation: string
  summary: string
  description: string
  /**
   * Schema of the body; a function where it depends on the currencies in which the installation collects, and only its
   * name where it is the input. An action on an object needs none.
   */
  body?: z.ZodType | ((currencies: readonly string[]) => z.ZodType) | { id: string; examples?: unknown[] }
  answer: z.ZodType
  /** Status of the answer; 200 if missing. */
  status?: 201
  /** Return what `answer` describes; the result itself if missing. */
  view?: (result: Result) => unknown
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

/**
 * A permission. `self`: every user, on the own account. `operator`: no user at all. `anyone`: who proves something else,
 * such as a password; its entries name the user.
 */
type Performer = Permission | 'self' | 'operator' | 'anyone'

/** Event types. The room of events declares them. */
// biome-ignore lint/suspicious/noEmptyInterface: a lower room knows none
export interface ActionEvents {}

/** Limit of the calls of an action. The runner counts each call that the door has not counted before. */
interface ActionThrottle<Input> {
  /** Actions and routes of one name count together. */
  name: string
  /** Maximum number of calls from one source (`Actor.source`) in a minute. */
  per_minute?: number
  /** Limit of guesses: after some failures, the next attempts have to wait. A success clears the count. */
  attempts?: ActionAttempts<Input>
}

interface ActionAttempts<Input> {
  /** Method and account that a call tries, such as `password ann@shop.example`. */
  subject(input: Input, actor: Actor): string
  /** E-mail address for which the browser of the call is known; undefined to count by the signed-in user. */
  email?(input: Input): string
  /** True if a success does not clear the count. */
  is_kept?: true
  /** Return the entries of the audit log about a call that ended with `Invalid`. */
  failed?(
    tx: Tx,
    context: ActionContext,
    input: Input,
    failure: FailedAttempt,
  ): Promise<readonly ActionEntry[]> | ActionEntry
}

/** Counted attempt that has failed. */
export interface FailedAttempt {
  known_browser: boolean
  /** The limit that it has reached. */
  locked: LockScope | undefined
}

/**
 * Use case that writes, declared once for all doors: permission, input, effect and entry of the audit log. Doors perform
 * it with `runAction` (src/actions/run.ts), which alone begins its transaction.
 */
export interface Action<
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Result = unknown,
  Who extends Performer = Performer,
  // biome-ignore lint/suspicious/noExplicitAny: what the check of any action finds
  Checked = any,
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
  /** Limit of its calls, in every door. Calls without one are limited only by key or user. */
  throttle?: ActionThrottle<InputOf<Fields>>
  input: z.ZodObject<Fields>
  /** Check the input before the transaction, which calls nothing outside. @throws Refusal */
  check?(service: ActionService, input: InputOf<Fields>, actor: Actor): Promise<Checked>
  /** @param checked what `check` has found @throws Refusal */
  run(tx: Tx, context: ActionContext, input: InputOf<Fields>, checked: Checked): Promise<Result>
  /**
   * Perform calls of the same milliseconds in one transaction, at the time when it begins. It claims their keys itself.
   * Calls of API keys have no entry in the audit log. @returns for each call its result, or its own refusal
   */
  runMany?(tx: Tx, now: Date, calls: readonly ActionCall<InputOf<Fields>>[]): Promise<ItemResult<Result>[]>
  /** Return names of an input besides its key: of calls with the same one, the second waits for the end of the first. */
  namesOf?(input: InputOf<Fields>): readonly string[]
  /** True if PostgreSQL keeps the plans of its transaction (`beginFrequent`). */
  frequent?: true
  /** Return the entries of the audit log; undefined if nothing changed. */
  audit(
    result: Result,
    input: InputOf<Fields>,
    context: ActionContext,
  ): ActionEntry | readonly ActionEntry[] | undefined
  /**
   * Types of the events that it may record at once. The states of its objects record them, since jobs change these, too;
   * a test finds what an action records and does not name.
   */
  events?: readonly ActionEvents[keyof ActionEvents][]
  /** Jobs to wake after the commit: `true` for all, or a cause. */
  wakes?: WakeCause | true
  /** True if it changes connections, which this process then reads again. */
  refreshes?: true
  /**
   * Makes a call with a Duplicate-Check-Key once in 24 hours: the type of what it creates, for the refusal of a second
   * call, and its id.
   */
  creates?: { type: string; id: (result: Result) => number }
  /** Drawn by the API, and by the console with the same address; undefined for an action whose route has code of its own. */
  api?: ActionResource<Result>
  /** Drawn by the console; undefined for an action whose route has code of its own. */
  console?: ActionRoute<InputOf<Fields>, Result>
  /** Drawn by the command line; undefined for an action whose command has code of its own, or that has none. */
  cli?: ActionCommand<InputOf<Fields>, Result>
}

export type InputOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>

/** Declare an action. Its types follow from its input and from what it returns. */
export function action<Fields extends z.ZodRawShape, Result, Who extends Performer, Checked = void>(
  declared: Action<Fields, Result, Who, Checked>,
): Action<Fields, Result, Who, Checked> {
  return declared
}

/** Parts of an action that need a transaction of its own. */
type Lonely = 'run' | 'check' | 'throttle' | 'is_operators' | 'confirmed' | 'second_person' | 'refreshes'

/** Declare an action of which many share a transaction. */
export function manyAction<Fields extends z.ZodRawShape, Result, Who extends Permission>(
  declared: Omit<Action<Fields, Result, Who>, Lonely> & Required<Pick<Action<Fields, Result, Who>, 'runMany'>>,
): Action<Fields, Result, Who> {
  return {
    ...declared,
    async run(tx, context, input) {
      return only(await declared.runMany(tx, context.now, [{ context, input }]))
    },
  }
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
