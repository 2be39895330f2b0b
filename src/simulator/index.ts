import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { begin, type Database, type Tx } from '../db/client.ts'
import { type Loop, startLoop } from '../lib/loop.ts'
import { addControls } from './controls.ts'
import type { Door, OwnPort } from './doors/door.ts'
import { openDoors } from './doors/index.ts'
import { createFaults } from './faults.ts'
import { type CallCounts, type Prompt, SANDBOX, type Simulator, type SimulatorOptions } from './simulator.ts'
import { statementLines } from './statement-lines.ts'
import { CUSTOMER_PIN } from './world/behaviours.ts'
import { callbacksJob } from './world/callbacks.ts'
import { listOpenPrompts } from './world/charges.ts'
import { approvePrompt, customersJob, refusePrompt } from './world/customers.ts'
import { writeSwitches } from './world/door-values.ts'
import { openWorld } from './world/index.ts'
import { payoutsJob } from './world/payouts.ts'
import { listSms, receiveSms } from './world/sms.ts'
import { readStatement } from './world/statement.ts'
import { payUnrequested, validationRequestsJob } from './world/validation-requests.ts'
import { type Charge, NotPossible, type SwitchValues, type World } from './world/world.ts'

export type { Prompt, Simulator, SimulatorOptions }
export { NotPossible }

/** Create a simulator over a database. Nothing runs before `listen` and `start`. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { db } = options
  const doors = options.doors ?? openDoors(options)
  const faults = createFaults()
  const calls: CallCounts = new Map()
  let loops: Loop[] = []
  const wake = () => loops.forEach((loop) => void loop.wake())
  const stopping = new AbortController()
  const hooks = new Map(doors.map((door) => [door.code, door.hooks]))
  const context = { ...options, doors: hooks, faults, onAction: wake }
  const worldOf = openWorld(context)
  const people = peopleOf(context)
  let server: FastifyInstance | undefined
  let base = ''
  const own_ports = new Map<string, OwnPort>()
  const simulator: Simulator = {
    async listen() {
      const host = options.host ?? '127.0.0.1'
      server = await openServer()
      await server.listen({ host, port: options.port ?? 0 })
      const { port } = server.server.address() as AddressInfo
      base = urlOf(host, port)
      await listenOnOwnPorts(doors, own_ports, { ...options, host, base: localUrl(host, port), worldOf })
      return simulator.urlOf(SANDBOX)
    },
    urlOf: (door) => `${base}/${door}`,
    hostsOf(code) {
      const { hosts = {} } = doors.find((door) => door.code === code) ?? {}
      const served = Object.entries(hosts).map(([name, path]) => [name, `${base}/${code}${path}`])
      return { ...Object.fromEntries(served), ...own_ports.get(code)?.hosts }
    },
    doors,
    start() {
      loops = [
        startLoop(customersJob(context), options),
        startLoop(payoutsJob(context), options),
        startLoop(callbacksJob(context), options),
        startLoop(validationRequestsJob({ ...context, signal: stopping.signal }), options),
      ]
    },
    async stop() {
      stopping.abort()
      const ports = [...own_ports.values()].map((port) => port.close())
      await Promise.all([server?.close(), ...ports, ...loops.map((loop) => loop.stop())])
    },
    wake,
    nextDue: () => nextDue(db),
    ...people,
    statement: (filter) => readStatement(db, filter),
    statementFile: (filter) => statementLines(readStatement(db, filter)),
    setSwitches: (code, values) => setSwitches(db, doors, code, values),
    faults,
    calls: (door) => calls.get(door) ?? new Map(),
    world: worldOf,
    reset,
  }
  /** Loaded by those who listen: commands only look into the world. */
  const openServer = async () =>
    (await import('./server.ts')).createSimulatorServer({
      ...options,
      doors,
      worldOf,
      faults,
      calls,
      ...(options.controls && { addMore: (root) => addControls(root, simulator, options.controls!) }),
      onError: (error) => options.onError('simulator: server', error),
    })
  return simulator
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The URL at which this machine reaches a server: it cannot connect to "all addresses". */
function localUrl(host: string, port: number): string {
  return urlOf({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host, port)
}

/** Open the ports of doors that are not HTTP. One that people expect and that is in use becomes a free one. */
async function listenOnOwnPorts(
  doors: readonly Door[],
  own_ports: Map<string, OwnPort>,
  options: Pick<SimulatorOptions, 'onError' | 'usual_ports'> & {
    host: string
    base: string
    worldOf(door: string): World
  },
): Promise<void> {
  const { host, base, usual_ports = false, worldOf } = options
  for (const door of doors) {
    if (!door.listen) continue
    const onError = (error: unknown) => options.onError(`simulator: ${door.code}`, error)
    const listen = (port: number) => door.listen!(worldOf(door.code), { host, port, base, onError })
    const usual_port = usual_ports ? (door.usual_port ?? 0) : 0
    const port = await listen(usual_port).catch((error: NodeJS.ErrnoException) => {
      if (usual_port === 0 || error.code !== 'EADDRINUSE') throw error
      return listen(0)
    })
    own_ports.set(door.code, port)
  }
}

/** Actions of people on simulated phones. */
function peopleOf(
  context: Parameters<typeof approvePrompt>[1] & { db: Database; onAction(): void },
): Pick<Simulator, 'approve' | 'refuse' | 'pay' | 'text' | 'sms' | 'prompts'> {
  const { db } = context
  return {
    async approve(phonenumber, pin = CUSTOMER_PIN, reference, door) {
      await begin(db, (tx) => approvePrompt(tx, context, { phonenumber, reference, door }, pin))
      context.onAction()
    },
    async refuse(phonenumber, reference, door) {
      await begin(db, (tx) => refusePrompt(tx, context, { phonenumber, reference, door }))
      context.onAction()
    },
    async pay({ door = SANDBOX, ...payment }) {
      const remote_id = await begin(db, (tx) => payUnrequested(tx, context, door, payment))
      context.onAction()
      return { remote_id }
    },
    async text({ door, ...sms }) {
      await begin(db, (tx) => receiveSms(tx, context, door, sms))
      context.onAction()
    },
    sms: (filter = {}) => listSms(db, filter, context.now()),
    async prompts(phonenumber) {
      const orders = await listOpenPrompts(db, phonenumber)
      return orders.map(toPrompt)
    },
  }
}

function toPrompt({ door, reference, phonenumber, amount, currency, receiver, reason, created }: Charge): Prompt {
  return { door, reference, phonenumber, amount, currency, receiver, reason, created }
}

async function setSwitches(db: Database, doors: readonly Door[], code: string, values: SwitchValues): Promise<void> {
  const door = doors.find((one) => one.code === code)
  if (!door) throw new NotPossible(`There is no simulated network ${code}.`)
  for (const [name, value] of Object.entries(values)) {
    const one = Object.hasOwn(door.switches, name) ? door.switches[name] : undefined
    if (!one) throw new NotPossible(`${code} has no switch ${name}.`)
    if (one.choices && !one.choices.includes(value as string))
      throw new NotPossible(`${name} must be one of: ${one.choices.join(', ')}.`)
    if (typeof value !== typeof one.default) throw new NotPossible(`${name} must be a ${typeof one.default}.`)
  }
  await begin(db, (tx) => writeSwitches(tx, code, values))
}

async function nextDue(db: Database): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select least((select min(due_at) from simulator_orders where due_at is not null),
      (select min(due_at) from simulator_payouts where due_at is not null),
      (select min(due_at) from simulator_validation_requests),
      (select min(due_at) from simulator_callbacks)) as due_at`
  return row?.due_at ?? null
}

async function reset(tx: Tx): Promise<void> {
  await tx`
    truncate simulator_orders, simulator_transactions, simulator_missed_prompts, simulator_payouts, simulator_callbacks,
      simulator_validation_requests, simulator_door_values, simulator_vends, simulator_pins, simulator_sms restart identity`
}
