import { open, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { operator, operatorFor, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Actor } from '../../../core/access/action.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import {
  approveAttestationAction,
  attestOrderAction,
  rejectAttestationAction,
  withdrawAttestationAction,
} from '../../../core/attestations/actions.ts'
import {
  type Attestation,
  type AttestationState,
  type AttestedOutcome,
  attestationStates,
  attestedOutcomes,
  getAttestation,
  listAttestations,
  readDocument,
} from '../../../core/attestations/attestation.ts'
import { MAX_DOCUMENT_BYTES } from '../../../core/attestations/documents.ts'
import { factsOf, findTarget } from '../../../core/attestations/targets.ts'
import { type FailureReason, failureReasons } from '../../../lib/adapter-types.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { chooseMember, findActor, jsonOption, organizationOption, toAmount, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Parse the id or the reference of an order. */
export function toOrder(text: string): string | number {
  return /^\d{1,15}$/.test(text) ? toCount(text) : text
}

interface AttestOptions {
  outcome: AttestedOutcome
  remoteId?: string
  amount?: Amount
  token?: string
  reason?: FailureReason
  statement: string
  note: string
  document: string
  user?: string
  json?: boolean
}

/** The commands by which two people settle an order. */
export function addAttestations(orders: Command, terminal: Terminal): void {
  addAttest(orders, terminal)
  addList<Attestation, LimitOption & { organization?: number; state?: AttestationState }>(orders, terminal, {
    name: 'attestations',
    description: 'list attestations',
    filters: [organizationOption(), filter('--state <state>', 'those in one state').choices(attestationStates)],
    limit: 'how many',
    read: (app, { organization, state, limit }) =>
      listAttestations(app.db, { organization, state }, { limit, offset: 0 }),
    none: 'There are no attestations.',
    columns: {
      id: 'id',
      'created (UTC)': 'created',
      order: 'reference',
      kind: 'kind',
      outcome: 'outcome',
      'remote id': 'remote_id',
      currency: 'currency',
      amount: 'amount',
      statement: 'statement',
      by: 'author_name',
      state: 'state',
      'decided by': 'decided_by_name',
    },
  })
  addDecision(orders, terminal, approveAttestationAction, 'approve as the second person: the order is settled')
  addDecision(orders, terminal, rejectAttestationAction, 'reject as the second person: nothing changes')
  addDecision(orders, terminal, withdrawAttestationAction, 'withdraw what you have attested yourself: nothing changes')
  addDocument(orders, terminal)
}

function addAttest(orders: Command, terminal: Terminal): void {
  orders
    .command('attest')
    .description("attest what the network's own statement says about an open order; a second person approves it")
    .argument('<order>', 'the id or the reference, as `orders list` shows them', toOrder)
    .addOption(new Option('--outcome <outcome>', 'the end').choices(attestedOutcomes).makeOptionMandatory())
    .option('--remote-id <id>', 'the id of the money in the statement; if successful', toText(100))
    .option('--amount <amount>', 'the amount in the statement; if successful', toAmount)
    .option('--token <token>', 'the token of prepaid electricity', toText(100))
    .addOption(new Option('--reason <reason>', 'why it failed (default: rejected)').choices(failureReasons))
    .requiredOption('--statement <text>', 'which statement, and where in it', toText(200))
    .requiredOption('--note <text>', 'how you know, for the second person', toText(2_000))
    .requiredOption('--document <file>', 'the statement: PDF, PNG, JPEG, CSV or text, at most 2 MB')
    .option('--user <email>', 'the user who attests; not needed while the organization has one user')
    .addOption(jsonOption())
    .action((order: string | number, options: AttestOptions) =>
      withApp(terminal, async (app) => {
        const { organization } = factsOf(await findTarget(app.db, order))
        const member = await chooseMember(app.db, await getOrganization(app.db, organization), options.user)
        const { outcome, remoteId: remote_id, amount, token, reason: failure_reason, statement, note } = options
        const document = { name: basename(options.document), bytes: await readLimited(options.document) }
        const input = { reference: order, outcome, remote_id, amount, token, failure_reason, statement, note, document }
        const attestation = await runAction(app, operatorFor(organization, member), attestOrderAction, input)
        const text = `Attestation ${attestation.id} of order ${attestation.reference} waits for a second person.`
        printResult(terminal, attestation, { ...options, text })
      }),
    )
}

function addDecision(
  orders: Command,
  terminal: Terminal,
  action: typeof approveAttestationAction,
  description: string,
): void {
  const verdict = action.name.split(' ')[0]!
  const command = orders
    .command(verdict)
    .description(description)
    .argument('<attestation>', 'as `orders attestations` shows it', toCount)
    .option('--user <email>', 'the user who decides')
  if (verdict !== 'withdraw') command.addOption(new Option('--by <name>', 'the operator who decides').conflicts('user'))
  command
    .option('--note <text>', 'why', toText(2_000))
    .addOption(jsonOption())
    .action((id: number, options: { user?: string; by?: string; note?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const decided = await runAction(app, await findDecider(app, id, options), action, { id, note: options.note })
        printResult(terminal, decided, { ...options, text: `Attestation ${id} is ${decided.state}.` })
      }),
    )
}

async function findDecider(app: App, id: number, { user, by }: { user?: string; by?: string }): Promise<Actor> {
  const { organization } = await getAttestation(app.db, id)
  if (user !== undefined)
    return operatorFor(organization, await chooseMember(app.db, await getOrganization(app.db, organization), user))
  if (by === undefined || by.trim() === '')
    throw new CommandError(
      'Say who decides: --user with the e-mail address of a user, or --by with your name as the operator.',
    )
  return operator(null, { name: (await findActor(app.db, by)).name })
}

function addDocument(orders: Command, terminal: Terminal): void {
  orders
    .command('document')
    .description('write the document of an attestation to a new file')
    .argument('<attestation>', 'as `orders attestations` shows it', toCount)
    .requiredOption('--output <file>', 'the file, which must not exist')
    .action((id: number, { output }: { output: string }) =>
      withApp(terminal, async (app) => {
        const { name, type, bytes, sha256 } = await readDocument(app.db, id)
        await writeFile(output, bytes, { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
          throw new CommandError(`${output} cannot be written: ${error.message}`)
        })
        terminal.print(`${output}: ${name}, ${type}, ${bytes.length} bytes, SHA-256 ${sha256}`)
      }),
    )
}

/** Read a file that may be too large. */
async function readLimited(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    const { size } = await file.stat().finally(() => file.close())
    if (size > MAX_DOCUMENT_BYTES) throw new Error('it has more than 2 MB')
    return await readFile(path)
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function toText(max: number) {
  return (text: string): string => {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.length > max || trimmed.includes('\u0000'))
      throw new InvalidArgumentError(`It must have 1 to ${max} characters.`)
    return trimmed
  }
}

/** An attestation, and who has decided. */
export function describeAttestation(attestation: Attestation): string[] {
  const { id, created, author_name, outcome, remote_id, amount, currency, statement, note, state } = attestation
  const { decided, decided_by_name, decision_note, document_name, document_sha256 } = attestation
  const money = amount === null ? '' : `, ${currency} ${displayAmount(amount)} as ${remote_id}`
  return [
    `  ${formatTimestamp(created)}  attestation ${id} by ${author_name}: ${outcome}${money}, statement ${statement}`,
    `    ${note}`,
    `    ${document_name}, SHA-256 ${document_sha256}`,
    ...(decided === null
      ? ['    waits for a second person']
      : [
          `    ${formatTimestamp(decided)}  ${state}${decided_by_name ? ` by ${decided_by_name}` : ''}${decision_note ? `: ${decision_note}` : ''}`,
        ]),
  ]
}
