import { type Command, InvalidArgumentError } from 'commander'
import { currencyColumns, currencyList } from '../../actions/lists/ledger.ts'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { setExchangeRatesAction } from '../../core/ledger/actions.ts'
import { listCurrencies } from '../../core/ledger/currencies.ts'
import { fetchExchangeRates } from '../../lib/exchange-rates.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addListCommand } from '../list-command.ts'
import { printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addCurrencies(program: Command, terminal: Terminal): void {
  const currencies = program.command('currencies').description('currencies and their rates against the US dollar')

  addListCommand(currencies, terminal, currencyList)

  currencies
    .command('set-rate')
    .description('set how many units of a currency one US dollar is worth')
    .argument('<rate...>', 'such as UGX=3560', collectRates)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya currencies set-rate UGX=3560 KES=129.2')
    .action((rates: Record<string, number>, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const known = (await listCurrencies(app.db, app.config.MODE)).map((currency) => currency.code)
        const unknown = Object.keys(rates).find((code) => !known.includes(code))
        if (unknown) throw new CommandError(`There is no currency ${unknown}. There are: ${known.join(', ')}.`)
        await runAction(app, operator(null), setExchangeRatesAction, { rates })
        await printCurrencies(terminal, app, options)
      }),
    )

  currencies
    .command('update')
    .description('fetch the rates once from a JSON address; with RATES_URL the service fetches them twice a day')
    .option('--from <address>', 'the address to use instead of RATES_URL')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya currencies update --from https://open.er-api.com/v6/latest/USD')
    .action((options: { from?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const address = options.from ?? app.config.RATES_URL
        if (!address) throw new CommandError('Give the address of the rates with --from or the setting RATES_URL.')
        const rates = await fetchExchangeRates(address)
        await runAction(app, operator(null), setExchangeRatesAction, { rates })
        await printCurrencies(terminal, app, options)
      }),
    )
}

async function printCurrencies(terminal: Terminal, app: App, options: { json?: boolean }): Promise<void> {
  const rows = await listCurrencies(app.db, app.config.MODE)
  printRows(terminal, rows, { ...options, none: '', columns: currencyColumns })
}

function collectRates(text: string, earlier: Record<string, number> | undefined): Record<string, number> {
  const parts = /^([A-Za-z]{3})=(\d+(?:\.\d+)?)$/.exec(text)
  if (!parts || Number(parts[2]) === 0) throw new InvalidArgumentError('It must look like UGX=3560.')
  return { ...earlier, [parts[1]!.toUpperCase()]: Number(parts[2]) }
}
