import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Organization } from '../../../core/access/organizations.ts'
import { setApproverLimitsAction, setPaymentLimitsAction } from '../../../core/approvals/changes/actions.ts'
import { approverLimitNames, limitNames } from '../../../core/approvals/changes/kinds.ts'
import {
  type ApproverLimitKind,
  listApproverLimits,
  readApproverLimits,
} from '../../../core/spending/approver-limits.ts'
import { type LimitKind, listPaymentLimits, readPaymentLimits } from '../../../core/spending/limits.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseMember, toAmountOrNone, toCurrency } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

const CURRENCY = typed('<currency>', 'such as UGX', toCurrency)
const APPROVER = typed('<email>', 'the person who approves')
const NO_PAYMENT_LIMITS = { per_day: 'none', per_recipient: 'none', per_user: 'none' } as const
const NO_APPROVER_LIMITS = { per_payment: 'none', per_day: 'none' } as const

/** Add the commands for the limits on payments within 24 hours. */
export function addOrganizationsLimits(organizations: Command, terminal: Terminal): void {
  const limits = organizations
    .command('limits')
    .description('limit the total of payments in 24 hours')
    .addHelpText('after', EXAMPLES)

  addCommand(limits, terminal, {
    name: 'set',
    description: 'set limits in a currency; the others stay as they are',
    typed: { currency: CURRENCY, ...PAYMENT_LIMITS },
    organization: 'one',
    run: (app, { currency, ...given }, call) => limitPayments(app, currency, given, call),
  })
  addCommand(limits, terminal, {
    name: 'remove',
    description: 'remove all limits in a currency',
    typed: { currency: CURRENCY },
    organization: 'one',
    run: (app, { currency }, call) => limitPayments(app, currency, NO_PAYMENT_LIMITS, call),
  })
  addList(limits, terminal, {
    description: 'list the limits of payments',
    organization: 'all',
    read: (app, _, owner) => listPaymentLimits(app.db, owner?.id),
    none: 'Payments have no limits.',
    columns: {
      organization: 'organization',
      currency: 'currency',
      'per day': 'per_day',
      'per recipient and day': 'per_recipient',
      'per user and day': 'per_user',
    },
  })
}

const PAYMENT_LIMITS = {
  per_day: typed('--per-day <amount>', 'all payments together, or none', toAmountOrNone),
  per_recipient: typed('--per-recipient <amount>', 'payments to one phone number, or none', toAmountOrNone),
  per_user: typed('--per-user <amount>', 'payments that one user initiates, or none', toAmountOrNone),
}

/** Add the commands for how much a person may approve. */
export function addOrganizationsApprovers(organizations: Command, terminal: Terminal): void {
  const approvers = organizations
    .command('approvers')
    .description('limit how much a person may approve')
    .addHelpText('after', APPROVER_EXAMPLES)

  addCommand(approvers, terminal, {
    name: 'set',
    description: 'set the limits of a person in a currency; the others stay as they are',
    typed: { email: APPROVER, currency: CURRENCY, ...APPROVER_LIMITS },
    organization: 'one',
    run: (app, { email, currency, ...given }, call) => limitApprover(app, { email, currency }, given, call),
  })
  addCommand(approvers, terminal, {
    name: 'remove',
    description: 'remove the limits of a person in a currency',
    typed: { email: APPROVER, currency: CURRENCY },
    organization: 'one',
    run: (app, approver, call) => limitApprover(app, approver, NO_APPROVER_LIMITS, call),
  })
  addList(approvers, terminal, {
    description: 'list how much each person may approve',
    organization: 'all',
    read: (app, _, owner) => listApproverLimits(app.db, owner?.id),
    none: 'Each approver may approve any amount.',
    columns: {
      organization: 'organization',
      email: 'email',
      currency: 'currency',
      'per payment': 'per_payment',
      'per day': 'per_day',
    },
  })
}

const APPROVER_LIMITS = {
  per_payment: typed('--per-payment <amount>', 'the largest payment, or none', toAmountOrNone),
  per_day: typed('--per-day <amount>', 'all payments of 24 hours, or none', toAmountOrNone),
}

type OwnCall = Call<Organization>
type Limits<Name extends string> = Record<Name, Amount | null>
type GivenLimits<Name extends string> = Record<Name, Amount | 'none' | undefined>

async function limitPayments(
  app: App,
  currency: string,
  given: GivenLimits<LimitKind>,
  { owner, actor }: OwnCall,
): Promise<Told> {
  const limits = applyLimits(await readPaymentLimits(app.db, owner.id, currency), given)
  await runAction(app, actor, setPaymentLimitsAction, { currency, ...limits })
  const subject = `Payments of ${owner.name} in ${currency} in 24 hours`
  return tellLimits(subject, limitNames, { organization: owner.id, currency, ...limits }, limits)
}

async function limitApprover(
  app: App,
  { email, currency }: { email: string; currency: string },
  given: GivenLimits<ApproverLimitKind>,
  { owner, actor }: OwnCall,
): Promise<Told> {
  const { id: user } = await chooseMember(app.db, owner, email)
  const limits = applyLimits(await readApproverLimits(app.db, { organization: owner.id, user, currency }), given)
  await runAction(app, actor, setApproverLimitsAction, { user, currency, ...limits })
  const shown = { organization: owner.id, user, currency, ...limits }
  return tellLimits(`${email} may approve in ${currency}`, approverLimitNames, shown, limits)
}

/** Return limits with the changes that a person has typed. @throws CommandError if there are none */
function applyLimits<Name extends string>(before: Limits<Name>, given: GivenLimits<Name>): Limits<Name> {
  const names = Object.keys(given) as Name[]
  const flags = names.map((name) => `--${name.replace('_', '-')}`)
  if (names.every((name) => given[name] === undefined))
    throw new CommandError(`Give a limit with ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}.`)
  const limits = names.map((name) => {
    const limit = given[name]
    return [name, limit === undefined ? before[name] : limit === 'none' ? null : limit]
  })
  return Object.fromEntries(limits) as Limits<Name>
}

function tellLimits<Name extends string>(
  subject: string,
  names: Record<Name, string>,
  shown: object,
  limits: Limits<Name>,
): Told {
  const parts = (Object.entries(limits) as [Name, Amount | null][]).flatMap(([name, amount]) =>
    amount === null ? [] : [`${names[name]} at most ${displayAmount(amount)}`],
  )
  return { shown, text: `${subject}: ${parts.join(', ') || 'no limits'}.` }
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations limits set UGX --per-day 20000000 --per-recipient 1000000
  $ npx kusanya organizations limits set UGX --per-user none
  $ npx kusanya organizations limits remove UGX

A payment that passes a limit is refused. A day begins at midnight UTC.`

const APPROVER_EXAMPLES = `
Examples:
  $ npx kusanya organizations approvers set finance@example.com UGX --per-payment 5000000 --per-day 20000000
  $ npx kusanya organizations approvers set finance@example.com UGX --per-day none
  $ npx kusanya organizations approvers list

An approval that passes a limit is refused. A day begins at midnight in the time zone of the organization.`
