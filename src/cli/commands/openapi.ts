import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { CommandError } from '../errors.ts'
import { createLog } from '../service/log.ts'
import type { Terminal } from '../terminal.ts'

export function addOpenApiCommand(program: Command, terminal: Terminal): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the interface')
    .option('--write <file>', 'write it to a file')
    .addHelpText('after', '\nExample:\n  $ npx kusanya openapi --write openapi.json')
    .action(async (options: { write?: string }) => {
      const text = await describeInterface()
      if (options.write === undefined) terminal.print(text)
      else
        await writeFile(options.write, `${text}\n`).catch((error: Error) => {
          throw new CommandError(`The file ${options.write} cannot be written: ${error.message}`)
        })
    })
}

/** The document as it is committed. It does not depend on the settings of this machine and needs no database. */
export async function describeInterface(): Promise<string> {
  const { buildApp } = await import('../../app.ts')
  const { buildServer } = await import('../service/serve.ts')
  // Nothing connects to the database or encrypts with the key.
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) })
  // The sandbox's clock and the connections are in the database; the document depends on neither.
  const clock = { now: () => new Date(), real: () => new Date() }
  const app = await buildApp(config, await createLog({ LOG_LEVEL: 'silent' }, 'command'), { clock, connections: [] })
  try {
    const server = await buildServer(app)
    await server.ready()
    const document = server.swagger() as { paths?: object; components?: { schemas?: object } }
    await server.close()
    const { paths, components } = document
    const schemas = sortKeys(components?.schemas)
    return JSON.stringify({ ...document, components: { ...components, schemas }, paths: sortKeys(paths) }, null, 2)
  } finally {
    await app.close()
  }
}

/** Sorts paths and schemas by name, so that the order of registration makes no difference. */
function sortKeys(object: object = {}): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
