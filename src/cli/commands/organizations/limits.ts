import { type Command, Option } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { setApproverLimitsAction, setPaymentLimitsAction } from '../../../core/control/change-actions.ts'
import { approverLimitNames, limitNames } from '../../../core/control/kinds.ts'
import {
  listApproverLimits,
  type NamedApproverLimits,
  readApproverLimits,
} from '../../../core/spending/approver-limits.ts'
import { listPaymentLimits, type PaymentLimits, readPaymentLimits } from '../../../core/spending/limits.ts'
import type { Reader } from '../../../db/client.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseMember, chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

type Limits = Record<string, Amount | null>

/** Owner of limits: an organization or one of its members, in a currency. */
interface Owner {
  organization: number
  user: number
  currency: string
}

/** Limits that an operator sets with `set` and `remove`. */
interface LimitCommands {
  set: string
  remove: string
  /** True for the limits of a person, whom an argument names. */
  of_member: boolean
  /** Names of the limits in sentences, and their help. */
  names: Record<string, string>
  help: Record<string, string>
  read(db: Reader, owner: Owner): Promise<Limits>
  setAll(app: App, owner: Owner, limits: Limits): Promise<unknown>
  text(owner: { name: string; email: string; currency: string }): string
}

const ofPayments: LimitCommands = {
  set: 'set limits in a currency; the others stay as they are',
  remove: 'remove all limits in a currency',
  of_member: false,
  names: limitNames,
  help: {
    per_day: 'all payments together, or none',
    per_recipient: 'payments to one phone number, or none',
    per_user: 'payments that one user initiates, or none',
  },
  read: async (db, { organization, currency }) => ({ ...(await readPaymentLimits(db, organization, currency)) }),
  setAll(app, { organization, currency }, { per_day = null, per_recipient = null, per_user = null }) {
    const input = { currency, per_day, per_recipient, per_user }
    return runAction(app, operator(organization), setPaymentLimitsAction, input)
  },
  text: ({ name, currency }) => `Payments of ${name} in ${currency} in 24 hours`,
}

const ofApprovers: LimitCommands = {
  set: 'set the limits of a person in a currency; the others stay as they are',
  remove: 'remove the limits of a person in a currency',
  of_member: true,
  names: approverLimitNames,
  help: { per_payment: 'the largest payment, or none', per_day: 'all payments of 24 hours, or none' },
  read: async (db, owner) => ({ ...(await readApproverLimits(db, owner)) }),
  setAll: (app, { organization, user, currency }, { per_payment = null, per_day = null }) =>
    runAction(app, operator(organization), setApproverLimitsAction, { user, currency, per_payment, per_day }),
  text: ({ email, currency }) => `${email} may approve in ${currency}`,
}

/** Add the commands for the limits on payments within 24 hours. */
export function addOrganizationsLimits(organizations: Command, terminal: Terminal): void {
  const limits = organizations
    .command('limits')
    .description('limit the total of payments in 24 hours')
    .addHelpText('after', EXAMPLES)
  addCommands(limits, terminal, ofPayments)
  addList<PaymentLimits, { organization?: number }>(limits, terminal, {
    description: 'list the limits of payments',
    filters: [organizationOption()],
    read: (app, { organization }) => listPaymentLimits(app.db, organization),
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

/** Add the commands for how much a person may approve. */
export function addOrganizationsApprovers(organizations: Command, terminal: Terminal): void {
  const approvers = organizations
    .command('approvers')
    .description('limit how much a person may approve')
    .addHelpText('after', APPROVER_EXAMPLES)
  addCommands(approvers, terminal, ofApprovers)
  addList<NamedApproverLimits, { organization?: number }>(approvers, terminal, {
    description: 'list how much each person may approve',
    filters: [organizationOption()],
    read: (app, { organization }) => listApproverLimits(app.db, organization),
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

type Options = { organization?: number; json?: boolean } & Record<string, unknown>

function addCommands(parent: Command, terminal: Terminal, limits: LimitCommands): void {
  const kinds = Object.keys(limits.names).map((kind) => {
    const option = new Option(`--${kind.replace('_', '-')} <amount>`, limits.help[kind]).argParser(toLimit)
    return { kind, option }
  })
  for (const verb of ['set', 'remove'] as const) {
    const command = parent.command(verb).description(limits[verb])
    if (limits.of_member) command.argument('<email>', 'the person who approves')
    command.argument('<currency>', 'such as UGX')
    if (verb === 'set') for (const { option } of kinds) command.addOption(option)
    command
      .addOption(organizationOption())
      .addOption(jsonOption())
      .action((...given: unknown[]) => {
        const words = given.slice(0, -2) as string[]
        const options = given.at(-2) as Options
        const read = (name: string) => {
          const limit = verb === 'remove' ? 'none' : (options[name] as Amount | 'none' | undefined)
          return limit === 'none' ? null : limit
        }
        const chosen = kinds.map(({ kind, option }) => ({
          kind,
          flag: option.long!,
          limit: read(option.attributeName()),
        }))
        const set = { email: words.at(-2), currency: words.at(-1)!.toUpperCase(), chosen }
        return withApp(terminal, (app) => setLimits(terminal, app, limits, set, options))
      })
  }
}

interface ChosenLimit {
  kind: string
  flag: string
  /** Undefined: it stays as it is. */
  limit: Amount | null | undefined
}

function toLimit(text: string): Amount | 'none' {
  return text === 'none' ? 'none' : toAmount(text)
}

async function setLimits(
  terminal: Terminal,
  app: App,
  { names, read, setAll, text }: LimitCommands,
  set: { email: string | undefined; currency: string; chosen: ChosenLimit[] },
  options: Options,
): Promise<void> {
  const { email, currency, chosen } = set
  const flags = chosen.map(({ flag }) => flag)
  if (chosen.every(({ limit }) => limit === undefined))
    throw new CommandError(`Give a limit with ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}.`)
  const organization = await chooseOrganization(app.db, options.organization)
  const user = email === undefined ? 0 : (await chooseMember(app.db, organization, email)).id
  const owner = { organization: organization.id, user, currency }
  const limits = await read(app.db, owner)
  for (const { kind, limit } of chosen) if (limit !== undefined) limits[kind] = limit
  await setAll(app, owner, limits)
  const parts = Object.entries(limits).flatMap(([kind, amount]) =>
    amount === null ? [] : [`${names[kind]} at most ${displayAmount(amount)}`],
  )
  const subject = text({ name: organization.name, email: email ?? '', currency })
  const result = { organization: organization.id, ...(email !== undefined && { user }), currency, ...limits }
  printResult(terminal, result, { ...options, text: `${subject}: ${parts.join(', ') || 'no limits'}.` })
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
