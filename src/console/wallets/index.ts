import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { requireOwned, requireSingleOrganization } from '../../core/access/organizations.ts'
import { optional, positiveAmount, requiredText } from '../../core/fields.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { createAccount, findAccount, fundAccount, renameAccount, Wallet } from '../../core/ledger/accounts.ts'
import { decimalsError } from '../../core/ledger/currencies.ts'
import { openSandboxWallet } from '../../core/ledger/sandbox-wallets.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { displayAmount } from '../../lib/money.ts'
import { Confirmation, confirmIdentity } from '../access/confirmation.ts'

const permission = 'manage_organization'
const path = '/console/api/wallets'

/**
 * Add the routes that open, name and fund a wallet. Opening and funding are the operator's, so they work only while there
 * is one organization.
 */
export function addWallets(server: Server, app: App): void {
  addOpen(server, app)
  addName(server, app)
  addFunds(server, app)
}

const walletName = requiredText(100).transform((text) => text.trim())

function addOpen(server: Server, app: App): void {
  const NewWallet = z.object({
    currency: requiredText(10).transform((text) => text.trim().toUpperCase()),
    name: optional(walletName),
  })
  server.post(path, {
    config: { permission },
    schema: { body: NewWallet, response: { 201: Wallet } },
    handler: async (request, reply) => {
      const { organization, user: author } = request.caller
      const { currency, name = `${currency} wallet` } = request.body
      const input = { organization, currency, kind: 'local', name, author } as const
      const now = app.clock.now()
      const wallet = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const opened =
          app.config.MODE === 'sandbox'
            ? await openSandboxWallet(tx, now, 'sandbox', input)
            : await createAccount(tx, now, input)
        const details = { currency, kind: input.kind, name }
        await record(tx, app, request, { action: 'create account', object: opened.id, details })
        return opened
      })
      await app.providers.refresh()
      return reply.code(201).send(wallet)
    },
  })
}

function addName(server: Server, app: App): void {
  server.put(`${path}/:id/name`, {
    config: { permission },
    schema: { params: idParams, body: z.object({ name: walletName }), response: { 200: Wallet } },
    handler: async (request) => {
      const { organization, user: author } = request.caller
      const { id } = request.params
      return begin(app.db, async (tx) => {
        const before = requireOwned(organization, await findAccount(tx, id))
        const { name } = request.body
        const renamed = await renameAccount(tx, app.clock.now(), { account: id, name, author })
        const details = { name, before: before.name }
        await record(tx, app, request, { action: 'rename account', object: id, details })
        return renamed
      })
    },
  })
}

const Funds = z.object({ amount: positiveAmount, description: requiredText(200) })

/** Add money to a wallet once for each Duplicate-Check-Key, as `npx kusanya accounts fund` does. */
function addFunds(server: Server, app: App): void {
  server.post(`${path}/:id/funds`, {
    config: { permission },
    schema: { params: idParams, body: Funds.and(Confirmation), response: { 201: Wallet } },
    handler: async (request, reply) => {
      const { organization, user: author } = request.caller
      const { id } = request.params
      const { amount, description } = request.body
      await requireSingleOrganization(app.db, organization)
      const { currency } = requireOwned(organization, await findAccount(app.db, id))
      const fault = decimalsError(amount, currency)
      if (fault) throw new Invalid({ amount: [fault] })
      await confirmIdentity(app, request, request.body)
      const claim = claimOf(request)
      const funded = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const now = app.clock.now()
        const [duplicate] = await claimDuplicateKeys(tx, now, 'account', [claim])
        if (duplicate) throw duplicate
        linkKeysToObjects(tx, [{ claim, object: id }])
        const details = { amount: `${currency} ${displayAmount(amount)}`, description }
        await record(tx, app, request, { action: 'fund account', object: id, details })
        return fundAccount(tx, now, { account: id, amount, description, author })
      })
      return reply.code(201).send(funded)
    },
  })
}

function claimOf({ headers, caller }: FastifyRequest) {
  const key = headers['duplicate-check-key']
  return typeof key === 'string' && key ? createDuplicateKeyClaim(caller.organization, key) : undefined
}

function record(tx: Tx, app: App, request: FastifyRequest, action: Omit<AuditAction, 'object_type'>): Promise<void> {
  return recordRequestAction(tx, app, request, { ...action, object_type: 'account' })
}
