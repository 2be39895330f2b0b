import { type Command, Option } from 'commander'
import { operator, operatorFor, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { prepareRefund } from '../../../connections/refunds.ts'
import type { Actor, InputOf } from '../../../core/access/action.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { collectionsById } from '../../../core/collections/collections.ts'
import { refundCollectionAction, returnCollectionAction } from '../../../core/payments/actions.ts'
import type { Payment } from '../../../core/payments/payments.ts'
import { NotFound } from '../../../core/refusals.ts'
import { type RefundReason, refundReasons } from '../../../core/request-actions.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseMember, jsonOption, toAmount, toCount } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands that send collected money back. Each refund is a payment, so it may need an approval. */
export function addCollectionsRefunds(collections: Command, terminal: Terminal): void {
  collections
    .command('return')
    .description('return unmatched money to the phone that sent it')
    .argument('<id>', 'as `collections list --unmatched` shows it', toCount)
    .option('--user <email>', 'the user who sends it; the service unless given')
    .addOption(jsonOption())
    .action((id: number, options: RefundOptions) =>
      withApp(terminal, (app) =>
        makeRefund(terminal, app, id, options, (actor, input) => runAction(app, actor, returnCollectionAction, input)),
      ),
    )

  collections
    .command('refund')
    .description('refund a collection, in full or in part, to the phone that sent it')
    .argument('<id>', 'as `collections list` shows it', toCount)
    .addOption(new Option('--reason <reason>', 'the reason, kept on record').choices(refundReasons))
    .option('--comment <text>', 'why, in your own words')
    .option('--amount <amount>', 'a part of it; default: all that is not refunded yet', toAmount)
    .option('--user <email>', 'the user who sends it; the service unless given')
    .addOption(jsonOption())
    .action((id: number, options: RefundOptions) =>
      withApp(terminal, (app) =>
        makeRefund(terminal, app, id, options, (actor, input) =>
          runAction(app, actor, refundCollectionAction, { ...input, ...toRefund(options) }),
        ),
      ),
    )
}

/** The amount and why. Own words without a reason of the list are another reason. */
function toRefund({ amount, reason, comment }: RefundOptions) {
  return { amount, reason: reason ?? (comment ? ('other' as const) : undefined), comment }
}

interface RefundOptions {
  amount?: Amount
  reason?: RefundReason
  comment?: string
  user?: string
  json?: boolean
}

async function makeRefund(
  terminal: Terminal,
  app: App,
  id: number,
  options: RefundOptions,
  work: (actor: Actor, input: InputOf<typeof returnCollectionAction.input.shape>) => Promise<Payment>,
): Promise<void> {
  const collection = (await collectionsById(app.db, [id])).get(id)
  if (!collection) throw new NotFound(`There is no collection ${id}.`)
  const organization = await getOrganization(app.db, collection.organization)
  const actor =
    options.user === undefined
      ? operator(organization.id)
      : operatorFor(organization.id, await chooseMember(app.db, organization, options.user))
  const prepared = await prepareRefund(app, { collection: id, amount: options.amount })
  const payment = await work(actor, { id, prepared })
  const money = `${payment.currency} ${displayAmount(payment.amount)}`
  const text = `Payment ${payment.id} of ${money} to ${collection.phonenumber} is ${payment.state}.`
  printResult(terminal, payment, { ...options, text })
}
