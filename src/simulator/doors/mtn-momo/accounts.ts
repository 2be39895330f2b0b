import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import { header, sendError, sendNotFound } from './answers.ts'
import { admit, type ProductName } from './gateway.ts'
import { accountEffectOf } from './numbers.ts'
import { type MtnWorld, walletOf } from './switches.ts'
import { showAmount } from './wire.ts'

/** Add the queries for accounts and balances, which both products have. */
export function addAccountRoutes(server: FastifyInstance, world: MtnWorld, product: ProductName): void {
  addBalanceRoutes(server, world, product)
  addHolderRoutes(server, world, product)
}

function addBalanceRoutes(server: FastifyInstance, world: MtnWorld, product: ProductName): void {
  server.get<{ Params: { currency?: string } }>(
    `/${product}/v1_0/account/balance/:currency?`,
    { config: { verb: 'balance' } },
    async (request, reply) => {
      const caller = await admit(request, reply, world, product)
      if (!caller) return reply
      const currency = request.params.currency || caller.currencies[0]
      if (!caller.currencies.includes(currency))
        return sendError(reply, 500, 'INVALID_CURRENCY', 'Currency not supported.')
      const wallet = walletOf(await world.switches(), product, caller.environment)
      return { availableBalance: showAmount(await world.balance(wallet, currency)), currency }
    },
  )
}

interface HolderParams {
  type: string
  id: string
}

function addHolderRoutes(server: FastifyInstance, world: MtnWorld, product: ProductName): void {
  const path = `/${product}/v1_0/accountholder/:type/:id`
  server.get<{ Params: HolderParams }>(
    `${path}/active`,
    { config: { verb: 'account holder' } },
    async (request, reply) => {
      if (!(await admit(request, reply, world, product))) return reply
      const { type, id } = request.params
      const effect = accountEffectOf(id)
      if (effect === 'not active') return sendActive(reply, world, false)
      if (effect) return sendError(reply, effect.status, effect.code, 'The request failed.')
      if (!isAccount(type, id)) return sendError(reply, 400, undefined, 'Bad request')
      const holder = world.holder(`+${id}`)
      if (holder === 'network_down')
        return sendError(reply, 503, 'SERVICE_UNAVAILABLE', 'Service temporarily unavailable.')
      return holder === 'not_registered' ? sendNotFound(reply) : sendActive(reply, world, true)
    },
  )

  const config = { verb: 'account holder name' }
  server.get<{ Params: HolderParams }>(`${path}/basicuserinfo`, { config }, async (request, reply) => {
    const caller = await admit(request, reply, world, product)
    if (!caller) return reply
    const { type, id } = request.params
    if (!isAccount(type, id)) return sendError(reply, 400, undefined, 'Bad request')
    const holder = world.holder(`+${id}`)
    if (holder === 'network_down')
      return sendError(reply, 503, 'SERVICE_UNAVAILABLE', 'Service temporarily unavailable.')
    if (holder === 'not_registered') return sendNotFound(reply)
    const { holder_names } = await world.switches()
    if (!holder_names || holder.name === null) return sendError(reply, 500, 'NOT_ALLOWED', 'Authorization failed.')
    return showHolder(id, caller.environment === 'sandbox' ? 'Sand Box' : holder.name)
  })
}

function isAccount(type: string, id: string): boolean {
  return type.toLowerCase() === 'msisdn'
    ? /^[1-9]\d{6,14}$/.test(id)
    : type.toLowerCase() === 'email' && id.includes('@')
}

async function sendActive(reply: FastifyReply, world: MtnWorld, is_active: boolean) {
  const { active_answer } = await world.switches()
  if (active_answer === 'word') return reply.type('application/json').send(String(is_active))
  return reply.send({ result: active_answer === 'text' ? String(is_active) : is_active })
}

function showHolder(id: string, name: string) {
  const [given_name, ...others] = name.split(' ')
  return {
    sub: id,
    name,
    given_name,
    family_name: others.join(' '),
    birthdate: '1990-01-01',
    locale: 'en-US',
    gender: 'female',
    status: 'ACTIVE',
    updated_at: 1_600_000_000,
  }
}

const Notification = z.object({ notificationMessage: z.string().min(1).max(160) })

/** Add the message to the payer after a payment, which is sent once. */
export function addDeliveryNotification(server: FastifyInstance, world: MtnWorld): void {
  server.post<{ Params: { id: string } }>(
    '/collection/v1_0/requesttopay/:id/deliverynotification',
    { config: { verb: 'delivery message' } },
    async (request, reply) => {
      if (!(await admit(request, reply, world, 'collection'))) return reply
      const key = request.params.id.toLowerCase()
      const message = header(request, 'notificationmessage') ?? ''
      const body = Notification.safeParse(parseJson(request.body as string))
      if (!body.success || message === '' || message.length > 160)
        return sendError(reply, 400, undefined, 'Bad request')
      const charge = await world.findCharge({ key })
      if (!charge) return sendNotFound(reply)
      if (charge.state !== 'paid')
        return sendError(reply, 409, undefined, 'The transaction is not successfully completed.')
      if (await world.recall(`notified ${key}`)) return sendError(reply, 429, undefined, 'Too many requests')
      await world.remember(`notified ${key}`, true)
      return reply.code(200).send()
    },
  )
}
