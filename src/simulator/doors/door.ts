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

/**
 * Option in which installations of one network differ. Its values are `choices`, or any value of the default's type.
 */
export interface Switch {
  /** Effect of the option, in one sentence. */
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

/** Credential or number, explained for people. */
export interface Documented {
  /** The setting of the driver, or the name that the network uses. */
  name: string
  value: string
  help?: string
}

/** A number with a documented effect: a phone number or its end, an amount, a short code. */
export interface TestNumber {
  number: string
  /** Effect, in the network's words. */
  effect: string
}

/** State of a door, with the types of its switches. */
export type StateOf<S extends Switches> = Omit<DoorState, 'switches'> & { switches: ValuesOf<S> }

/** World of one door, with the types of its switches. */
export type WorldOf<S extends Switches> = Omit<World, 'switches'> & { switches(): Promise<ValuesOf<S>> }

/** Extra port of a door for a protocol other than HTTP. */
export interface OwnPort {
  /** The addresses at which it is reached, by the names that people know: `{ smsc: 'smpp://127.0.0.1:2775' }`. */
  hosts: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Address at which a door opens its own port; `base` is the HTTP address of all doors, by which this process reaches them. */
export interface ListenAddress {
  host: string
  port: number
  base: string
  onError(error: unknown): void
}

/** A simulated network: the HTTP of one driver's network in front of the simulated world. */
interface DoorDefinition<S extends Switches = Switches> {
  /** Code of the driver. The door is served below `/<code>`. */
  code: string
  /** The network's name for people. */
  name: string
  /** Purpose of the provider. Default: `network`. */
  kind?: 'network' | 'sms'
  /** Names of the driver's hosts, each with its path below `/<code>`: `{ api: '' }`. */
  hosts: Readonly<Record<string, string>>
  /** Credentials that the door accepts. They are the same everywhere, documented, and open nothing else. */
  credentials: readonly Documented[]
  /** Test numbers of this door, besides the common ones in `behaviours.ts`. */
  numbers: readonly TestNumber[]
  switches: S
  /** True if callbacks or validation read values of `World.remember`. */
  remembers?: boolean
  /**
   * Add the routes below `/<code>`. Each route sets `config: { verb }` in the words of the drivers, so that faults
   * can select it.
   */
  routes(server: FastifyInstance, world: WorldOf<S>): void
  /** Usual port of the protocol, for a door with its own port. */
  usual_port?: number
  /** Listen on an own port; 0 for a free one. Called when the HTTP server listens. */
  listen?(world: WorldOf<S>, address: ListenAddress): Promise<OwnPort>
  /** See `DoorHooks.transactionId`. */
  transactionId?(kind: 'payment' | 'payout' | 'refund' | 'reversal', now: Date): string
  /** The requests by which the network reports a change; none if it does not report it. It is pure. */
  callbacks(change: Change, state: StateOf<S>): CallbackRequest[]
  completeCallback?(callback: CallbackRequest, now: Date): CallbackRequest
  validationRequest?(payment: OfferedPayment, state: StateOf<S>): (CallbackRequest & { timeout_s: number }) | null
  readVerdict?(reply: ValidationReply, payment: OfferedPayment, state: StateOf<S>): 'accept' | 'reject'
  incomingSms?(sms: CustomerSms, state: StateOf<S>): CallbackRequest[]
  /** See `DoorHooks.keeps_sms`. */
  keeps_sms?: boolean
}

/** Door with hidden switch types, for use in lists. */
export interface Door
  extends Omit<
    DoorDefinition,
    'routes' | 'listen' | 'callbacks' | 'validationRequest' | 'readVerdict' | 'incomingSms'
  > {
  routes(server: FastifyInstance, world: World): void
  listen?(world: World, address: ListenAddress): Promise<OwnPort>
  hooks: DoorHooks
}

/** Define a door. */
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
 * Give a door each body as the exact text of any content type, and '' for none. Networks need this to verify
 * signatures, to refuse empty or present bodies, or to accept loose JSON.
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
    /** Operation of a route: `token`, `charge`, `charge status`. */
    verb?: string
  }
}
