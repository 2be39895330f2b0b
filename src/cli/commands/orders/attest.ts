import { open, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { attestationList } from '../../../actions/lists/books.ts'
import { operator, operatorFor } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Actor } from '../../../core/access/action.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import {
  approveAttestationAction,
  attestOrderAction,
  rejectAttestationAction,
  withdrawAttestationAction,
} from '../../../core/manual-settlements/actions.ts'
import { type Attestation, getAttestation, readDocument } from '../../../core/manual-settlements/attestation.ts'
import { MAX_DOCUMENT_BYTES } from '../../../core/manual-settlements/documents.ts'
import { factsOf, findTarget } from '../../../core/manual-settlements/targets.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand, byMember } from '../../action-command.ts'
import { chooseMember, findActor, toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { required, typed } from '../../typed.ts'

/** Parse the id or the reference of an order. */
export function toOrder(text: string): string | number {
  return /^\d{1,16}$/.test(text) ? toCount(text) : text
}

/** The commands by which two people settle an order. */
export function addAttestations(orders: Command, terminal: Terminal): void {
  addActionCommand(orders, terminal, attestOrderAction, {
    ...byMember<{ reference: string | number }>('attests', async (app, { reference }) => {
      return factsOf(await findTarget(app.db, toOrder(`${reference}`))).organization
    }),
    async read(_, { reference, ...given }) {
      const file = `${given.document}`
      const document = { name: basename(file), bytes: await readLimited(file) }
      return { ...given, reference: toOrder(`${reference}`), document }
    },
  })
  addListCommand(orders, terminal, attestationList)
  const user = typed('--user <email>', 'the user who decides')
  const operator = typed('--by <name>', 'the operator who decides, in place of a user')
  addActionCommand(orders, terminal, approveAttestationAction, { words: { user, operator }, actor: findDecider })
  addActionCommand(orders, terminal, rejectAttestationAction, { words: { user, operator }, actor: findDecider })
  addActionCommand(orders, terminal, withdrawAttestationAction, { words: { user }, actor: findDecider })
  addDocument(orders, terminal)
}

async function findDecider(
  app: App,
  { id }: { id?: number },
  { user, operator: by }: { user: string | undefined; operator?: string | undefined },
): Promise<Actor> {
  if (user !== undefined && by !== undefined) throw new CommandError('Give either --user or --by.')
  const { organization } = await getAttestation(app.db, id!)
  if (user !== undefined)
    return operatorFor(organization, await chooseMember(app.db, await getOrganization(app.db, organization), user))
  if (by === undefined || by.trim() === '')
    throw new CommandError(
      'Say who decides: --user with the e-mail address of a user, or --by with your name as the operator.',
    )
  return operator(null, { name: (await findActor(app.db, by)).name })
}

function addDocument(orders: Command, terminal: Terminal): void {
  addCommand(orders, terminal, {
    name: 'document',
    description: 'write the document of an attestation to a new file',
    typed: {
      id: typed('<attestation>', 'as `orders attestations` shows it', toCount),
      output: required(typed('--output <file>', 'the file, which must not exist')),
    },
    async run(app, { id, output }) {
      const { name, type, bytes, sha256 } = await readDocument(app.db, id)
      await writeFile(output, bytes, { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
        throw new CommandError(`${output} cannot be written: ${error.message}`)
      })
      const text = `${output}: ${name}, ${type}, ${bytes.length} bytes, SHA-256 ${sha256}`
      return { shown: { file: output, name, type, bytes: bytes.length, sha256 }, text }
    },
  })
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
