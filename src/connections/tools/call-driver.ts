import type { DriverTools } from '../../drivers/contract.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ProviderConnection } from '../connection.ts'
import { toStorableAnswer } from './storable-answers.ts'

/** Caller of a driver: its log, and the rows that the call is about, if the input does not name them. */
export interface DriverCaller {
  log: EventLog
  contact?: number | undefined
  purchase?: number | undefined
  sms?: number | undefined
}

/** The parts of a connection that a call needs, whatever its provider sells. */
export type CalledConnection<Operations> = Pick<ProviderConnection, 'code' | 'slug' | 'tools'> & {
  operations: Operations
}

/** Parameters of an operation before its tools; `never` for an operation that makes no call. */
type GivenTo<Operation> = Operation extends (...args: infer Args) => Promise<unknown>
  ? Args extends [...infer Given, DriverTools]
    ? Given
    : never
  : never

type AnswerOf<Operation> = Operation extends (...args: never[]) => Promise<infer Answer> ? Answer : never

/**
 * Call one operation of a driver, such as `callDriver(app, connection, 'charge', order)`. The operation gets tools of its
 * own, so that each of its HTTP calls is logged with the reference of the order, measured, and counted by the breaker.
 * Its answer can be stored, whatever the provider says: a null character in a message, or an id of a megabyte, must not
 * keep a payment from being recorded. Drivers do not throw, so an error is a bug: it is logged and the answer counts as
 * unknown. The other orders of the batch are processed as usual, and this one is checked later.
 */
export async function callDriver<Operations, Name extends keyof Operations & string>(
  caller: DriverCaller,
  connection: CalledConnection<Operations>,
  name: Name,
  ...given: GivenTo<NonNullable<Operations[Name]>>
): Promise<AnswerOf<NonNullable<Operations[Name]>> | UnknownOutcome> {
  type Answer = AnswerOf<NonNullable<Operations[Name]>>
  const { operations, tools } = connection
  const operation = operations[name] as (...args: unknown[]) => Promise<Answer>
  const about = readSubject(given[0])
  const started = performance.now()
  const work = (call_tools: DriverTools) => operation.call(operations, ...given, call_tools)
  try {
    const { reference = null, collection_request = null } = about
    return toStorableAnswer(await (tools ? tools.run({ reference, collection_request }, work) : work(NO_TOOLS)))
  } catch (error) {
    const { contact, purchase, sms } = caller
    logEvent(caller.log, 'network_call_failed', {
      network: connection.code,
      connection: connection.slug,
      call: name,
      ...about,
      ...(contact !== undefined && { contact }),
      ...(purchase !== undefined && { purchase }),
      ...(sms !== undefined && { sms }),
      duration_ms: Math.round(performance.now() - started),
      error,
    })
    return { outcome: 'unknown', message: getMessage('networks.connector_failed') }
  }
}

/** Return the order, the payment and the collection request that the input of an operation names. */
function readSubject(input: unknown) {
  const given = typeof input === 'object' && input !== null ? input : {}
  const { reference, remote_id, collection_request } = given as Record<string, unknown>
  return {
    ...(typeof reference === 'string' && { reference }),
    ...(typeof remote_id === 'string' && { remote_id }),
    ...(typeof collection_request === 'number' && { collection_request }),
  }
}

/** Read a callback with the driver of its connection, which must have `readCallback`. It can be stored, as answers can. */
export function readCallback<Callback>(
  { operations }: { operations: { readCallback?(callback: RawCallback): Callback } },
  callback: RawCallback,
): Callback {
  return toStorableAnswer(operations.readCallback!(callback))
}

/** Return tools for calls that belong to no order, such as those for a statement. */
export function toolsOf({ tools }: Pick<ProviderConnection, 'tools'>): DriverTools {
  return tools ?? NO_TOOLS
}

/** Tools of a connection whose operations use none: it has no driver of its own, or a test has made it. */
const NO_TOOLS = {} as DriverTools
