import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { formatAmount } from '../lib/money.ts'
import { FaultBody } from './faults.ts'
import { renderPage } from './page.ts'
import type { Simulator } from './simulator.ts'
import { describeDoors, listPrompts } from './views.ts'
import { currency, newAmount, phonenumber, plainText, receiver } from './world/fields.ts'
import { NotPossible } from './world/world.ts'

const ApproveBody = z.object({
  phonenumber,
  pin: z.string().max(12).optional(),
  /** The reference of the business; the oldest prompt on the phone unless given. */
  reference: z.string().optional(),
  door: z.string().optional(),
})
const PayBody = z.object({
  door: z.string(),
  phonenumber,
  amount: newAmount,
  currency,
  receiver,
  reference: plainText.optional(),
  needs_validation: z.boolean().optional(),
})
const TextBody = z.object({
  door: z.string(),
  phonenumber,
  to: z.string().min(1).max(20),
  text: plainText,
})
const SwitchesBody = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
const ClockBody = z.object({ advance: z.number().min(0).max(31_536_000) })

/**
 * Add the page for people at `/` and the control by JSON below `/simulator/`. A request that cannot be done gets a 400
 * with `{ error, message }`.
 */
export function addControls(
  server: FastifyInstance,
  simulator: Simulator,
  { advance }: { advance?(seconds: number): void },
): void {
  server.register(async (scope) => {
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      if (error instanceof NotPossible) return reply.code(400).send({ error: 'not_possible', message: error.message })
      if (error instanceof z.ZodError) return reply.code(400).send({ error: 'invalid', message: describeIssues(error) })
      throw error
    })
    addViews(scope, simulator)
    addPeople(scope, simulator)
    addTexts(scope, simulator)
    addFaultControls(scope, simulator)
    scope.put<{ Params: { code: string } }>('/simulator/doors/:code/switches', async (request) => {
      await simulator.setSwitches(request.params.code, SwitchesBody.parse(request.body))
      return simulator.world(request.params.code).switches()
    })
    if (advance)
      scope.post('/simulator/clock', async (request) => {
        advance(ClockBody.parse(request.body).advance)
        simulator.wake()
        return {}
      })
  })
}

function addViews(server: FastifyInstance, simulator: Simulator): void {
  server.get('/', async (request, reply) => {
    const doors = await describeDoors(simulator)
    if (!request.headers.accept?.includes('text/html')) return { doors }
    return reply
      .type('text/html; charset=utf-8')
      .send(renderPage(doors, await listPrompts(simulator), await simulator.sms()))
  })
  server.get('/simulator/doors', async () => ({ doors: await describeDoors(simulator) }))
  server.get('/simulator/prompts', async (request) => {
    const { phonenumber } = request.query as { phonenumber?: string }
    return { prompts: await listPrompts(simulator, phonenumber) }
  })
  server.get('/simulator/sms', async (request) => {
    const { phonenumber, door } = request.query as { phonenumber?: string; door?: string }
    return { sms: await simulator.sms({ phonenumber, door }) }
  })
  server.get('/simulator/statement', async (request) => {
    const { door } = request.query as { door?: string }
    const entries = []
    for await (const chunk of simulator.statement({ ...(door !== undefined && { door }) })) entries.push(...chunk)
    return { entries: entries.map((entry) => ({ ...entry, amount: formatAmount(entry.amount) })) }
  })
}

function addPeople(server: FastifyInstance, simulator: Simulator): void {
  server.post('/simulator/approve', async (request) => {
    const { phonenumber: phone, pin, reference, door } = ApproveBody.parse(request.body)
    await simulator.approve(phone, pin, reference, door)
    return {}
  })
  server.post('/simulator/refuse', async (request) => {
    const { phonenumber: phone, reference, door } = ApproveBody.parse(request.body)
    await simulator.refuse(phone, reference, door)
    return {}
  })
  server.post('/simulator/pay', async (request) => {
    const { reference, needs_validation, ...payment } = PayBody.parse(request.body)
    return simulator.pay({
      ...payment,
      ...(reference !== undefined && { reference }),
      ...(needs_validation !== undefined && { needs_validation }),
    })
  })
}

function addTexts(server: FastifyInstance, simulator: Simulator): void {
  server.post('/simulator/text', async (request) => {
    await simulator.text(TextBody.parse(request.body))
    return {}
  })
}

function addFaultControls(server: FastifyInstance, simulator: Simulator): void {
  const { faults } = simulator
  server.post('/simulator/faults', async (request) => {
    const fault = FaultBody.parse(request.body)
    if (!simulator.doors.some(({ code }) => code === fault.door))
      throw new NotPossible(`There is no simulated network ${fault.door}.`)
    faults.add(fault)
    return { faults: faults.list() }
  })
  server.get('/simulator/faults', async () => ({ faults: faults.list() }))
  server.delete('/simulator/faults', async () => {
    faults.clear()
    return { faults: [] }
  })
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')
}
