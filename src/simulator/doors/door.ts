import type { FastifyInstance } from 'fastify'
import type { CustomerSms } from '../world/sms-records.ts'
import type {
  CallbackRequest,
  Change,
  DoorHooks,
  DoorState,
  OfferedPayment,
  SwitchValues,
  ValidationReply,
  World,
} from '../world/world.ts'

/** Something that differs between installations of one network. Its values are those of `choices`, or of the default's type. */
export interface Switch {
  /** What it changes, in one sentence. */
  help: string
  default: string | number | boolean
  choices?: readonly (string | number)[]
}

type Switches = Readonly<Record<string, Switch>>

/** The value of each switch: one of its choices, or of the type of its default. */
export type ValuesOf<S extends Switches> = {
  readonly [Name in keyof S]: S[Name] extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Widened<S[Name]['default']>
}
type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : string

/** What a credential or a number is, for people. */
export interface Documented {
  /** The setting of the driver, or the name that the network uses. */
  name: string
  value: string
  help?: string
}

/** A number with a documented effect: a phone number or its end, an amount, a short code. */
export interface TestNumber {
  number: string
  /** What happens, in the network's words. */
  effect: string
}

/** The state of a door with the types of its switches. */
export type StateOf<S extends Switches> = Omit<DoorState, 'switches'> & { switches: ValuesOf<S> }

/** The world of one door, with the types of its switches. */
export type WorldOf<S extends Switches> = Omit<World, 'switches'> & { switches(): Promise<ValuesOf<S>> }

/** A port of a door that speaks something else than HTTP. */
export interface OwnPort {
  /** The addresses at which it is reached, by the names that people know: `{ smsc: 'smpp://127.0.0.1:2775' }`. */
  hosts: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** A simulated network: the HTTP of one driver's network in front of the simulated world. */
export interface DoorDefinition<S extends Switches = Switches> {
  /** The code of the driver. The door is served below `/<code>`. */
  code: string
  /** The network's name for people. */
  name: string
  /** What the provider is for; `network` unless given. */
  kind?: 'network' | 'sms'
  /** The names of the driver's hosts, each with the path below `/<code>` where the door serves it: `{ api: '' }`. */
  hosts: Readonly<Record<string, string>>
  /** What the door accepts. It is the same everywhere, is documented, and opens nothing else. */
  credentials: readonly Documented[]
  /** Numbers with an effect at this door, besides those that have the same effect at every door (`behaviours.ts`). */
  numbers: readonly TestNumber[]
  switches: S
  /** Whether callbacks or validation read what `World.remember` keeps. */
  remembers?: boolean
  /**
   * Adds the routes below `/<code>`. Each route says in `config: { verb }` what it does, in the words that drivers use for
   * their calls, so that troubles can be asked for by verb.
   */
  routes(server: FastifyInstance, world: WorldOf<S>): void
  /** The port that people expect, where the door has one of its own. */
  usual_port?: number
  /** Listens on a port of its own; 0 for a free one. Called when the HTTP server listens. */
  listen?(world: WorldOf<S>, address: { host: string; port: number; onError(error: unknown): void }): Promise<OwnPort>
  /** As `DoorHooks.transactionId`. */
  transactionId?(kind: 'payment' | 'payout' | 'refund' | 'reversal', now: Date): string
  /** The requests by which the network reports a change; none where it does not report it. It is pure. */
  callbacks(change: Change, state: StateOf<S>): CallbackRequest[]
  completeCallback?(callback: CallbackRequest, now: Date): CallbackRequest
  validationRequest?(payment: OfferedPayment, state: StateOf<S>): (CallbackRequest & { timeout_s: number }) | null
  readVerdict?(reply: ValidationReply, payment: OfferedPayment, state: StateOf<S>): 'accept' | 'reject'
  incomingSms?(sms: CustomerSms, state: StateOf<S>): CallbackRequest[]
  /** As `DoorHooks.keeps_sms`. */
  keeps_sms?: boolean
}

/** A door with the types of its switches hidden, as lists hold it. */
export interface Door
  extends Omit<
    DoorDefinition,
    'routes' | 'listen' | 'callbacks' | 'validationRequest' | 'readVerdict' | 'incomingSms'
  > {
  routes(server: FastifyInstance, world: World): void
  listen?(world: World, address: { host: string; port: number; onError(error: unknown): void }): Promise<OwnPort>
  hooks: DoorHooks
}

/** Defines a door. */
export function defineDoor<const S extends Switches>(definition: DoorDefinition<S>): Door {
  const { code, switches, remembers = false, keeps_sms = false } = definition
  const { transactionId, callbacks, completeCallback, validationRequest, readVerdict, incomingSms } =
    definition as unknown as DoorHooks
  const default_switches: SwitchValues = Object.fromEntries(
    Object.entries(switches).map(([name, one]) => [name, one.default]),
  )
  const hooks: DoorHooks = {
    code,
    has_state: remembers || Object.keys(switches).length > 0,
    default_switches,
    keeps_sms,
    callbacks,
    ...(transactionId && { transactionId }),
    ...(completeCallback && { completeCallback }),
    ...(validationRequest && { validationRequest }),
    ...(readVerdict && { readVerdict }),
    ...(incomingSms && { incomingSms }),
  }
  return { ...(definition as unknown as Omit<Door, 'hooks'>), hooks }
}

/**
 * Lets a door get every body as the exact text that was sent, of whatever content type, and '' for none. For networks that
 * sign bodies, refuse empty or present ones, or take what is not quite JSON.
 */
export function readBodiesAsText(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.addHook('preValidation', async (request) => {
    request.body ??= ''
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of a simulated network does: `token`, `charge`, `charge status`. */
    verb?: string
  }
}
