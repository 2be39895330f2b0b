import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import { prepareRefund } from '../../../connections/refunds.ts'
import type { InputOf } from '../../../core/access/action.ts'
import { collectionsById } from '../../../core/collections/collections.ts'
import { refundCollectionAction, returnCollectionAction } from '../../../core/payments/actions.ts'
import { NotFound } from '../../../core/refusals.ts'
import { parseAmount } from '../../../lib/money.ts'
import { addActionCommand, byMember } from '../../action-command.ts'
import type { Terminal } from '../../terminal.ts'

type Typed = Partial<InputOf<typeof refundCollectionAction.input.shape>>

/** Add the commands that send collected money back. Each refund is a payment, so it may need an approval. */
export function addCollectionsRefunds(collections: Command, terminal: Terminal): void {
  const extras = { ...byMember('sends it', ownerOf, true), read }
  addActionCommand(collections, terminal, returnCollectionAction, extras)
  addActionCommand(collections, terminal, refundCollectionAction, extras)
}

/** Own words without a reason of the list are another reason. */
async function read(app: App, { reason, ...typed }: Typed) {
  const amount = typed.amount === undefined ? undefined : parseAmount(`${typed.amount}`)
  const prepared = await prepareRefund(app, { collection: typed.id!, amount })
  return { ...typed, reason: reason ?? (typed.comment ? 'other' : undefined), prepared }
}

async function ownerOf(app: App, { id }: Typed): Promise<number> {
  const collection = (await collectionsById(app.db, [id!])).get(id!)
  if (!collection) throw new NotFound(`There is no collection ${id}.`)
  return collection.organization
}
