import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { formatAmount } from '../../lib/money.ts'
import { type ActionEntry, action, organizationOf } from '../access/action.ts'
import { requireOwned } from '../access/organizations.ts'
import { anyAmount, choiceError, fieldMessages, integer, optional, requiredText } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { type Fee, FeeView, feeKinds, getFee, removeFee, setFee } from './fees.ts'

/** Set the fee for one kind of operation in one currency. Earlier operations keep theirs. */
export const setFeeAction = action({
  name: 'set fee',
  object_type: 'fee',
  permission: 'manage_organization',
  is_operators: true,
  input: z.object({
    kind: z.enum(feeKinds, { error: choiceError(feeKinds) }),
    currency: requiredText(10),
    network: optional(requiredText(50)),
    fixed: optional(anyAmount),
    percent: optional(anyAmount),
    min_fee: optional(anyAmount),
    max_fee: optional(anyAmount),
  }),
  async run(tx, context, { kind, currency, network, fixed, percent, min_fee, max_fee }) {
    if (network !== undefined && kind === 'bill') throw new Invalid({ network: [getMessage('fees.bills')] })
    const networks = context.service.networks()
    if (network !== undefined && !networks.includes(network))
      throw new Invalid({ network: [fieldMessages.choice(network, networks)] })
    return setFee(tx, context.now, {
      organization: organizationOf(context),
      kind,
      currency: currency.toUpperCase(),
      network: network ?? null,
      fixed: fixed ?? 0n,
      percent: percent ?? 0n,
      min_fee: min_fee ?? 0n,
      max_fee: max_fee ?? null,
    })
  },
  audit: feeEntry,
  console: { method: 'PUT', path: '/settings/fees', answer: FeeView },
})

/** Remove a fee. Earlier operations keep it. */
export const removeFeeAction = action({
  name: 'remove fee',
  object_type: 'fee',
  permission: 'manage_organization',
  is_operators: true,
  input: z.object({ id: integer() }),
  async run(tx, { actor }, { id }) {
    if (actor.organization !== null) requireOwned(actor.organization, await getFee(tx, id))
    return removeFee(tx, id)
  },
  audit: feeEntry,
  console: { method: 'DELETE', path: '/settings/fees/:id' },
})

function feeEntry({ id, organization, kind, currency, network, ...rates }: Fee): ActionEntry {
  const { fixed, percent, min_fee, max_fee } = rates
  const amounts = { fixed: formatAmount(fixed), percent: formatAmount(percent), min_fee: formatAmount(min_fee) }
  return {
    object: id,
    organization,
    details: { kind, currency, network, ...amounts, max_fee: max_fee === null ? null : formatAmount(max_fee) },
  }
}
