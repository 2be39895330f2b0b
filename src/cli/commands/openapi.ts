import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { toText } from '../../http/openapi/text.ts'
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
    const document = server.swagger()
    await server.close()
    return toText(document)
  })
}
