import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { type ActionContext, action, organizationOf, userOf } from '../access/action.ts'
import { isOnlyOrganization } from '../access/organizations.ts'
import { decisionAction } from '../approvals/decisions.ts'
import { id, integer, optional, requiredText } from '../fields.ts'
import { type EntryContext, enterFinding, entryApproval } from './entries.ts'
import { askAboutFinding, explainFinding } from './findings.ts'
import { getRun, insertRun, type NewRun } from './runs.ts'

declare module '../access/action.ts' {
  interface ActionService {
    findConnection(slug: string): ListedConnection | undefined
  }
}

/** Connection, as far as statements need it. */
export interface ListedConnection {
  slug: string
  code: string
  name: string
  state: string
  /** Null for the operator's. */
  organization: number | null
}

/** Keep the result of comparing a statement with the ledger. It changes no money. */
export const keepRunAction = action({
  name: 'reconcile statement',
  permission: 'initiate_payments',
  input: z.object({ run: z.custom<Omit<NewRun, 'organization' | 'author'>>() }),
  async run(tx, context, { run }) {
    const organization = organizationOf(context)
    const author = { user: userOf(context), name: context.actor.name }
    return getRun(tx, organization, await insertRun(tx, context.now, { ...run, organization, author }))
  },
  audit: ({ id, connection, file_name, file_sha256 }) => ({
    details: { reconciliation: id, connection, file: file_name, sha256: file_sha256 },
  }),
})

const PATH = '/reconciliations/:id/findings/:finding'
const finding = z.object({ id: integer(), finding: integer() })
type FindingInput = z.output<typeof finding>

const onFinding = {
  audit: (_: unknown, { id: reconciliation, finding }: FindingInput) => ({ details: { reconciliation, finding } }),
  wakes: true,
} as const
const acted = { answer: z.object({ id: z.int() }), view: (_: unknown, { finding }: FindingInput) => ({ id: finding }) }

/** Write down why the ledger differs from a statement. */
export const explainFindingAction = action({
  ...onFinding,
  name: 'explain difference',
  permission: 'initiate_payments',
  input: finding.extend({ note: requiredText(2_000) }),
  run: async (tx, context, { note, ...input }) =>
    explainFinding(tx, context.now, { ...(await contextOf(context, input, tx)), note }),
  console: { method: 'POST', path: `${PATH}/explain`, ...acted },
})

/** Ask the network about a difference. */
export const askAboutFindingAction = action({
  ...onFinding,
  name: 'ask about difference',
  permission: 'initiate_payments',
  input: finding,
  run: async (tx, context, input) => askAboutFinding(tx, context.now, await contextOf(context, input, tx)),
  console: { method: 'POST', path: `${PATH}/ask`, ...acted },
})

/** Enter the received money of a line, for a second person to approve. */
export const enterFindingAction = action({
  ...onFinding,
  name: 'enter statement line',
  // Core requires the permission to initiate or to approve payments.
  permission: 'view',
  input: finding.extend({
    account: id,
    /** Phone number, if the statement hides it. */
    phonenumber: optional(requiredText(40)),
    note: requiredText(2_000),
  }),
  run: async (tx, context, { account, phonenumber = null, note, ...input }) =>
    enterFinding(tx, await contextOf(context, input, tx), { account, phonenumber, note }),
  console: { method: 'POST', path: `${PATH}/enter`, ...acted },
})

const decision = {
  input: finding,
  context: contextOf,
  choose: ({ finding: id }: FindingInput) => ({ id }),
  audit: onFinding.audit,
} as const

export const approveEntryAction = decisionAction(entryApproval, 'approve', {
  ...decision,
  events: ['collection.received', 'contact.created'],
  console: { method: 'POST', path: `${PATH}/approve`, ...acted },
})

/** Reject what another person has entered, or take back the own entry, which needs no permission to approve. */
export const rejectEntryAction = decisionAction(entryApproval, 'reject', {
  ...decision,
  console: { method: 'POST', path: `${PATH}/reject`, ...acted },
})

/** Connections of others are known by the names that the comparison has kept, and are not in service here. */
async function contextOf(context: ActionContext, { id, finding }: FindingInput, tx: Tx): Promise<EntryContext> {
  const organization = organizationOf(context)
  const { id: run, connection: slug, network } = await getRun(tx, organization, id)
  const found = context.service.findConnection(slug)
  const is_own =
    found?.organization === organization ||
    (found?.organization === null && (await isOnlyOrganization(tx, organization)))
  const connection = found && is_own && found.state !== 'removed' ? found : undefined
  const { code = network, name = network } = connection ?? {}
  return {
    now: context.now,
    organization,
    run,
    finding,
    by: { user: userOf(context), name: context.actor.name },
    in_service: connection?.state === 'active',
    connection: { slug, code, name },
  }
}
