import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { toText } from '../../http/openapi/text.ts'
import { CommandError } from '../errors.ts'
import { addPlainCommand } from '../plain-command.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'

export function addOpenApiCommand(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'openapi',
    description: 'print the OpenAPI document of the interface',
    typed: { file: typed('--write <file>', 'write it to a file') },
    json: false,
    help: '\nExample:\n  $ npx kusanya openapi --write openapi.json',
    async run({ file }) {
      const text = await describeInterface()
      if (file === undefined) terminal.print(text)
      else
        await writeFile(file, `${text}\n`).catch((error: Error) => {
          throw new CommandError(`The file ${file} cannot be written: ${error.message}`)
        })
    },
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
