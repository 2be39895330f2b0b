import { z } from 'zod'
import type { App } from '../app.ts'
import type { AuditAction } from '../core/access/audit.ts'
import { isOnlyOrganization, requireOwned } from '../core/access/organizations.ts'
import { anyAmount, choiceError, fieldMessages, optional, requiredText } from '../core/fields.ts'
import { FeeView, feeKinds, listFees, removeFee, setFee } from '../core/ledger/fees.ts'
import { Forbidden, Invalid } from '../core/refusals.ts'
import { begin, type Reader } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { formatAmount } from '../lib/money.ts'
import { recordRequestAction } from './audit.ts'

const permission = 'manage_organization'

/** The routes for fees. An organization must not set its own fees when others exist: see `requireSingleOrganization`. */
export function addFees(server: Server, app: App): void {
  addSet(server, app)
  addRemove(server, app)
}

/**
 * Allow an operator's action in the console only when there is one organization, because its managers then operate the
 * service. @throws Forbidden
 */
export async function requireSingleOrganization(db: Reader, organization: number): Promise<void> {
  if (!(await isOnlyOrganization(db, organization))) throw new Forbidden(getMessage('fees.operator_only'))
}

const NewFee = z.object({
  kind: z.enum(feeKinds, { error: choiceError(feeKinds) }),
  currency: requiredText(10),
  network: optional(requiredText(50)),
  fixed: optional(anyAmount),
  percent: optional(anyAmount),
  min_fee: optional(anyAmount),
  max_fee: optional(anyAmount),
})

function addSet(server: Server, app: App): void {
  const url = '/console/api/settings/fees'
  server.put(url, {
    config: { permission },
    schema: { body: NewFee, response: { 200: FeeView } },
    handler: (request) => {
      const { organization } = request.caller
      const { kind, currency, network, max_fee, ...amounts } = request.body
      const { fixed = 0n, percent = 0n, min_fee = 0n } = amounts
      validateFeeNetwork(app, kind, network)
      const fee = { kind, currency, network: network ?? null, fixed, percent, min_fee, max_fee: max_fee ?? null }
      return begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const set = await setFee(tx, app.clock.now(), { organization, ...fee })
        const rates = { fixed: formatAmount(fixed), percent: formatAmount(percent) }
        const details = { kind, currency, network: fee.network, ...rates }
        await recordRequestAction(tx, app, request, { action: 'set fee', object_type: 'fee', object: set.id, details })
        return set
      })
    },
  })
}

/** @throws Invalid */
function validateFeeNetwork(app: App, kind: string, network: string | undefined): void {
  if (network === undefined) return
  if (kind === 'bill') throw new Invalid({ network: [getMessage('fees.bills')] })
  const codes = [...new Set(app.connections.list().map(({ code }) => code))]
  if (!codes.includes(network)) throw new Invalid({ network: [fieldMessages.choice(network, codes)] })
}

function addRemove(server: Server, app: App): void {
  const url = '/console/api/settings/fees/:id'
  server.delete(url, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      const { id } = request.params
      const { organization } = request.caller
      await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const fees = await listFees(tx, organization)
        requireOwned(
          organization,
          fees.find((fee) => fee.id === id),
        )
        const { kind, currency, network } = await removeFee(tx, id)
        const action: AuditAction = {
          action: 'remove fee',
          object_type: 'fee',
          object: id,
          details: { kind, currency, network },
        }
        await recordRequestAction(tx, app, request, action)
      })
      return reply.code(204).send()
    },
  })
}
