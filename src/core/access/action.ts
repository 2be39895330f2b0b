import type { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import type { SealingKeys } from '../../lib/secrets.ts'
import type { Permission } from './api-keys.ts'
import type { AuditedObject, NewAuditEntry } from './audit.ts'

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
  /** The API key that was used. */
  key?: number
  address?: string
}

/** Parts of the service that actions read. */
export interface ActionService {
  /** The codes of the networks that are connected. */
  networks(): string[]
  /** The connections that can carry SMS. */
  smsConnections(): string[]
  sealingKeys(purpose: string): SealingKeys
}

export interface ActionContext {
  now: Date
  actor: Actor
  service: ActionService
}

/** Entry of the audit log about a result, without the name of the action. */
export interface ActionEntry {
  object?: number
  /** Details for the reader. Must not contain secrets. */
  details?: NewAuditEntry['details']
  /** The organization of the object, where an operator names only the object. */
  organization?: number | null
}

/** Route of the console that performs an action. */
export interface ActionRoute<Input, Result> {
  method: 'POST' | 'PUT' | 'DELETE'
  /** Below `/console/api`. Parameters such as `:id` are members of the input. */
  path: string
  /** Body of the answer; without it the answer is 204. */
  answer?: z.ZodType
  /** Return what `answer` describes; the result itself if missing. */
  view?: (result: Result) => unknown
  /** Members that the console requires and an operator may leave out. */
  requires?: readonly (keyof Input & string)[]
}

/**
 * Use case that writes, declared once for all doors: permission, input, effect and entry of the audit log. Doors perform
 * it with `runAction` (src/actions/run.ts), which alone begins its transaction.
 */
export interface Action<Fields extends z.ZodRawShape = z.ZodRawShape, Result = unknown> {
  /** Its words in the audit log: a verb and its object, such as `set fee`. */
  name: string
  /** Type of the object in the audit log. */
  object_type?: AuditedObject
  /** Permission of users and keys. An operator needs none. */
  permission: Permission
  /**
   * True for what concerns all organizations or belongs to the operator. A user may do it only in the sole organization
   * of an installation. A function decides by the input.
   */
  is_operators?: boolean | ((input: InputOf<Fields>) => boolean)
  input: z.ZodObject<Fields>
  /** @throws Refusal */
  run(tx: Tx, context: ActionContext, input: InputOf<Fields>): Promise<Result>
  /** Return the entry of the audit log; undefined if nothing changed. */
  audit(result: Result, input: InputOf<Fields>, context: ActionContext): ActionEntry | undefined
  /** True if jobs have work after the commit. */
  wakes?: true
  /** Drawn by the console; undefined for an action whose route has code of its own. */
  console?: ActionRoute<InputOf<Fields>, Result>
}

export type InputOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>

/** Declare an action. Its types follow from its input and from what it returns. */
export function action<Fields extends z.ZodRawShape, Result>(declared: Action<Fields, Result>): Action<Fields, Result> {
  return declared
}

/** Return the organization of the actor. @throws Error for an action on all organizations */
export function organizationOf({ actor }: ActionContext): number {
  if (actor.organization === null) throw new Error('This action needs an organization.')
  return actor.organization
}
