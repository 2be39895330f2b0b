import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import {
  type AcceptanceUrl,
  findAcceptanceUrl,
  MAX_ACCEPTANCE_TIMEOUT_S,
  removeAcceptanceUrl,
  setAcceptanceUrl,
  type Verdict,
  verdicts,
} from '../../../core/collections/acceptance-urls.ts'
import { begin } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The hook that is asked before money is accepted that none of an organization's requests asked for. */
export function addAcceptanceUrl(organizations: Command, terminal: Terminal): void {
  const hook = organizations
    .command('hook')
    .description('ask an organization before money is accepted that no request asked for')
    .addHelpText('after', EXAMPLES)

  hook
    .command('set')
    .description('set the address that is asked, or another in its place')
    .argument('<url>', 'an https address; it answers ACCEPT <id> or REJECT <id> <reason>')
    .addOption(organizationOption())
    .addOption(
      new Option('--unreachable <verdict>', 'what to do when nobody answers in time')
        .choices(verdicts)
        .default('accept'),
    )
    .option(
      '--timeout <seconds>',
      `how long it may take to answer, at most ${MAX_ACCEPTANCE_TIMEOUT_S}`,
      toCount,
      MAX_ACCEPTANCE_TIMEOUT_S,
    )
    .addOption(jsonOption())
    .action((url: string, options: { organization?: number; unreachable: Verdict; timeout: number; json?: boolean }) =>
      withOrganization(terminal, options, async (app, organization) => {
        const input = { organization, url, when_unreachable: options.unreachable, timeout_s: options.timeout }
        const made = await begin(app.db, async (tx) => {
          const { organization: _, ...details } = input
          await recordOperatorAction(tx, app, organization, { action: 'set collection hook', details })
          return setAcceptanceUrl(tx, app.clock.now(), input)
        })
        printResult(terminal, made, { ...options, text: describe(made) })
      }),
    )

  hook
    .command('show')
    .description('show the hook of an organization')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withOrganization(terminal, options, async (app, organization) => {
        const found = await findAcceptanceUrl(app.db, organization)
        const text = found ? describe(found) : 'There is none: all money is accepted.'
        printResult(terminal, found ?? null, { ...options, text })
      }),
    )

  hook
    .command('remove')
    .description('accept all money again, also that about which nobody has answered yet')
    .addOption(organizationOption())
    .action((options: { organization?: number }) =>
      withOrganization(terminal, options, async (app, organization) => {
        await begin(app.db, async (tx) => {
          await removeAcceptanceUrl(tx, organization)
          await recordOperatorAction(tx, app, organization, { action: 'remove collection hook' })
        })
        app.wake()
        terminal.print('The hook is removed; all money is accepted.')
      }),
    )

  addAcceptanceChecks(hook, terminal)
}

function addAcceptanceChecks(hook: Command, terminal: Terminal): void {
  hook
    .command('questions')
    .description('list the newest questions and their answers')
    .addOption(organizationOption())
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: { organization?: number; limit: number; json?: boolean }) =>
      withOrganization(terminal, options, async (app, organization) =>
        printRows(terminal, await listAcceptanceChecks(app.db, { organization }, options.limit), {
          ...options,
          none: 'Nothing was asked yet.',
          columns: [
            { title: 'id', value: (row) => row.id },
            { title: 'asked (UTC)', value: (row) => formatShortTime(row.created) },
            { title: 'phone', value: (row) => row.phonenumber },
            { title: 'currency', value: (row) => row.currency },
            { title: 'amount', value: (row) => displayAmount(row.amount) },
            { title: 'collection', value: (row) => row.collection },
            {
              title: 'answer',
              value: (row) => row.verdict && `${row.verdict}${row.unreachable ? ' (unreachable)' : ''}`,
            },
            { title: 'attempts', value: (row) => row.attempts },
            { title: 'reason or error', value: (row) => row.reason ?? row.last_error },
          ],
        }),
      ),
    )
}

function withOrganization(
  terminal: Terminal,
  options: { organization?: number },
  work: (app: App, organization: number) => Promise<void>,
): Promise<void> {
  return withApp(terminal, async (app) => work(app, (await chooseOrganization(app.db, options.organization)).id))
}

function describe({ organization, url, when_unreachable, timeout_s }: AcceptanceUrl): string {
  return `Organization ${organization} is asked at ${url} within ${timeout_s} s; unanswered means ${when_unreachable}.`
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations hook set https://shop.example/unrequested --unreachable reject --timeout 20
  $ npx kusanya organizations hook questions`
