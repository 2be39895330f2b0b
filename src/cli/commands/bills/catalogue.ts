import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { type CatalogueError, type CatalogueFile, readCatalogueFile } from '../../../core/bills/catalogue-file.ts'
import { exportCatalogue, importCatalogue } from '../../../core/bills/catalogue-import.ts'
import { beginLong } from '../../../db/client.ts'
import { decodeText } from '../../../lib/text/decode-text.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { printResult } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The commands that check, import and export the catalogue of bill payments as one file (docs/bills.md). */
export function addCatalogue(bills: Command, terminal: Terminal): void {
  const catalogue = bills.command('catalogue').description('the services that are sold, with their prices, as one file')

  addPlainCommand(catalogue, terminal, {
    name: 'check',
    description: 'report all errors in a catalogue file; needs no database',
    typed: { file: typed('<file>', 'a JSON file, or - for the standard input') },
    async run({ file }, { json }) {
      const counts = countEntries(parseOrReport(terminal, file, await readSource(terminal, file), { json }))
      const text = `${file} has no errors: ${counts.services} services, ${counts.products} products.`
      return { shown: { faults: [], ...counts }, text }
    },
  })
  addCommand(catalogue, terminal, {
    name: 'import',
    description: 'replace the catalogue with a file; a file with errors changes nothing',
    typed: {
      file: typed('<file>', 'a JSON file, or - for the standard input'),
      add: typed('--add', 'keep the services that the file does not have'),
      restock: typed('--restock', 'set the stock of all pins from the file; without it known pins keep their stock'),
    },
    help: IMPORT_EXAMPLES,
    async run(app, { file, add, restock }, { json }) {
      const catalogue = parseOrReport(terminal, file, await readSource(terminal, file), { json })
      const progress = await startProgress(terminal, countEntries(catalogue).products, 'products')
      const imported = await beginLong(app.db, 'catalogue import', (tx) =>
        importCatalogue(tx, app.clock.now(), catalogue, { add, restock, onProgress: progress.update }),
      ).finally(() => progress.stop())
      const text =
        `Imported ${imported.services} services with ${imported.products} products; ` +
        `removed ${imported.removed} that the file does not have.`
      return { shown: imported, text }
    },
  })
  addCommand(catalogue, terminal, {
    name: 'export',
    description: 'write the current catalogue, to edit it or to import it elsewhere',
    typed: { file: typed('[file]', 'the file to write; the standard output unless given') },
    help: EXPORT_EXAMPLES,
    json: false,
    async run(app, { file }) {
      const text = JSON.stringify(await exportCatalogue(app.db), null, 2)
      if (file === undefined) terminal.print(text)
      else {
        await writeFile(file, `${text}\n`).catch((error: Error) => {
          throw new CommandError(`${file} cannot be written: ${error.message}`)
        })
        terminal.print(`Wrote the catalogue to ${file}.`)
      }
    },
  })
}

async function readSource(terminal: Terminal, file: string): Promise<string> {
  if (file === '-') return terminal.read()
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`)
  })
  return decodeText(bytes)
}

/** Print every error in the file. @throws CommandError when there is one */
function parseOrReport(terminal: Terminal, file: string, text: string, options: { json?: boolean }): CatalogueFile {
  const result = readCatalogueFile(text)
  if ('catalogue' in result) return result.catalogue
  const { errors } = result
  if (options.json) printResult(terminal, { faults: errors }, { json: true, text: '' })
  else for (const line of formatErrors(errors)) terminal.warn(line)
  const count = errors.length === 1 ? 'One error' : `${errors.length} errors`
  throw new CommandError(`${count} in ${file}; nothing was changed.`)
}

/** Align the places of the errors in one column. */
function formatErrors(errors: readonly CatalogueError[]): string[] {
  const width = Math.min(MAX_PLACE_WIDTH, Math.max(...errors.map(({ place }) => place.length)))
  return errors.map(({ place, message }) => `  ${place.padEnd(width)}  ${message}`)
}

const MAX_PLACE_WIDTH = 60

function countEntries({ services }: CatalogueFile): { services: number; products: number } {
  return { services: services.length, products: services.reduce((sum, one) => sum + one.products.length, 0) }
}

const IMPORT_EXAMPLES = `
Examples:
  $ npx kusanya bills catalogue import catalogue.json
  $ npx kusanya bills catalogue import catalogue.json --restock
  $ npx kusanya bills catalogue import node_modules/kusanya/src/core/bills/catalogues/airtime.json --add
  $ curl -s https://biller.example/catalogue.json | npx kusanya bills catalogue import -`

const EXPORT_EXAMPLES = `
Examples:
  $ npx kusanya bills catalogue export catalogue.json
  $ npx kusanya bills catalogue export | jq '.services[].service_type'`
