import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin } from '../../../src/db/client.ts'
import type { OpenedConnection } from '../../../src/drivers/contract.ts'
import { type RawCallback, toRawBody } from '../../../src/drivers/raw-callback.ts'
import type {
  IncomingSms,
  OutgoingSms,
  SmsAnswer,
  SmsCallback,
  SmsOperations,
  SmsReport,
  SmsSession,
} from '../../../src/senders/contract.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { createRecordingTools, type RecordingTools } from '../../networks/conformance/tools.ts'
import { openDatabase } from '../../simulator/simulator-test.ts'
import type { SmsSubject } from './subject.ts'

/** A callback that came in, and what the driver read in it. */
export interface ReceivedSmsCallback {
  raw: RawCallback
  parsed: SmsCallback | undefined
}

/** The driver in front of its simulated provider, with a business that gets the reports, and a clock to move. */
export interface SmsRig {
  simulator: Simulator
  operations: Bound<SmsOperations>
  tools: RecordingTools
  callbacks: ReceivedSmsCallback[]
  /** Messages from the driver's session, if it has one. */
  received: { reports: SmsReport[]; incoming: IncomingSms[] }
  /** Everything that operations returned, for the search for secrets. */
  answers: unknown[]
  errors: unknown[]
  now(): Date
  /** Move the clock from one due time to the next, and wait until nothing is due. */
  advance(seconds: number): Promise<void>
  /** Open the driver anew. Each call may take `timeout_s`. */
  reopen(options?: {
    change?: Parameters<typeof createRecordingTools>[0]['change']
    timeout_s?: number
    settings?: Record<string, unknown>
  }): Promise<Pick<SmsRig, 'operations' | 'tools'>>
  send(sms: OutgoingSms, operations?: Bound<SmsOperations>): Promise<SmsAnswer>
  /** The reports that name this SMS: by our reference, or by the provider's id in the answer. */
  reportsOf(sms: OutgoingSms, answer: SmsAnswer): SmsReport[]
  close(): Promise<void>
}

/** No call takes this long, even on a slow machine, unless the provider does not answer. */
const TIMEOUT_S = 4

export async function openSmsRig(subject: SmsSubject): Promise<SmsRig> {
  const database = await openDatabase()
  const [errors, answers, callbacks] = [[] as unknown[], [] as unknown[], [] as ReceivedSmsCallback[]]
  const received: SmsRig['received'] = { reports: [], incoming: [] }
  const clock = { ms: Date.now() }
  const now = () => new Date(clock.ms)
  let operations: Bound<SmsOperations> | undefined
  const business = await openBusiness(callbacks, () => operations)
  const simulator = createSimulator({
    db: database.db,
    now,
    real: now,
    doors: [subject.door],
    secret: 'not used by the given door',
    callback_url: () => business.url,
    onError: (_job, error) => errors.push(error),
  })
  await begin(database.db, (tx) => simulator.reset(tx))
  await simulator.listen()
  await subject.register?.(business.url, simulator)
  simulator.start()
  const hosts = await (subject.hosts?.(simulator) ?? simulator.hostsOf(subject.door.code))
  const sessions: SmsSession[] = []
  const reopen: SmsRig['reopen'] = async ({ change, timeout_s = TIMEOUT_S, settings = {} } = {}) => {
    const options = { now, callback_base: () => business.url, timeout_s, ...(change && { change }) }
    const tools = createRecordingTools(options)
    const opened = openDriver(subject, hosts, settings, tools)
    const session = openSession(opened, received)
    if (session) sessions.push(session)
    return { operations: opened, tools }
  }
  const opened = await reopen()
  operations = opened.operations
  await waitFor(() => sessions.every((session) => session.is_open()))
  return {
    ...opened,
    simulator,
    callbacks,
    received,
    answers,
    errors,
    now,
    reopen,
    advance: (seconds) => advanceClock(simulator, clock, seconds),
    async send(sms, by = opened.operations) {
      const answer = await by.send(sms)
      answers.push(answer)
      return answer
    },
    reportsOf(sms, answer) {
      const heard = callbacks.flatMap(({ parsed }) => (parsed?.subject === 'reports' ? parsed.reports : []))
      return [...heard, ...received.reports].filter((report) => isAbout(report, sms, answer))
    },
    async close() {
      await Promise.all(sessions.map((session) => session.close()))
      await simulator.stop()
      await business.close()
      await database.drop()
    },
  }
}

function openDriver(
  { driver, environment, settings }: SmsSubject,
  hosts: Record<string, string>,
  other: Record<string, unknown>,
  tools: RecordingTools,
): Bound<SmsOperations> {
  const connection: OpenedConnection = {
    slug: 'conformance',
    environment,
    hosts,
    settings: driver.settings.parse({ ...settings, ...other }) as Record<string, unknown>,
  }
  return openBound(driver, connection as OpenedConnection<never>, tools)
}

function openSession(operations: Bound<SmsOperations>, received: SmsRig['received']): SmsSession | undefined {
  return operations.openSession?.({
    reports: async (reports) => void received.reports.push(...reports),
    incoming: async (messages) => void received.incoming.push(...messages),
  })
}

function isAbout({ sms: named }: SmsReport, sms: OutgoingSms, answer: SmsAnswer): boolean {
  if ('reference' in named) return named.reference === sms.reference
  return answer.outcome === 'sent' && named.remote_id === answer.remote_id
}

/** Receive callbacks below `/cb`, as the service does below the address of a connection. */
async function openBusiness(callbacks: ReceivedSmsCallback[], operations: () => Bound<SmsOperations> | undefined) {
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const [path = '', query = ''] = request.url!.split(/\?(.*)/s)
    const raw: RawCallback = {
      method: request.method!,
      path: path.replace(/^\/cb/, ''),
      query,
      headers: request.headers as Record<string, string>,
      address: '127.0.0.1',
      ...toRawBody(bytes),
    }
    const driver = operations()
    callbacks.push({ raw, parsed: driver?.readCallback?.(raw) })
    const reply = driver?.callbackReply?.(raw) ?? { status: 200, content_type: 'text/plain', body: '' }
    response.writeHead(reply.status, { 'content-type': reply.content_type }).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Move the clock from one due time to the next, as the program does when its clock is moved. */
async function advanceClock(simulator: Simulator, clock: { ms: number }, seconds: number): Promise<void> {
  const end_ms = clock.ms + seconds * 1_000
  for (;;) {
    simulator.wake()
    const due = await waitUntilIdle(simulator, () => new Date(clock.ms))
    if (clock.ms === end_ms) return
    clock.ms = due === null ? end_ms : Math.max(clock.ms, Math.min(due.getTime(), end_ms))
  }
}

async function waitUntilIdle(simulator: Simulator, now: () => Date): Promise<Date | null> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due > now()) return due
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
