import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
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
  const { withUnconnectedApp } = await import('../service/unconnected-app.ts')
  const { buildServer } = await import('../service/serve.ts')
  return withUnconnectedApp(async (app) => {
    const server = await buildServer(app)
    await server.ready()
    const document = server.swagger() as { paths?: object; components?: { schemas?: object } }
    await server.close()
    const { paths, components } = document
    const schemas = sortKeys(components?.schemas)
    return JSON.stringify({ ...document, components: { ...components, schemas }, paths: sortKeys(paths) }, null, 2)
  })
}

/** Sort paths and schemas by name, so that the order of registration makes no difference. */
function sortKeys(object: object = {}): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
