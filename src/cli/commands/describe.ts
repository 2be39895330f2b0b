import type { Command } from 'commander'
import { type LoadCommands, topics } from '../described/index.ts'
import { printTables, toMarkdown } from '../described/table.ts'
import { addPlainCommand } from '../plain-command.ts'
import type { Terminal } from '../terminal.ts'
import { chosen, typed } from '../typed.ts'

/** Add the command that prints the tables of the documentation that are made from the code. */
export function addDescribe(program: Command, terminal: Terminal, loadCommands: LoadCommands): void {
  addPlainCommand(program, terminal, {
    name: 'describe',
    description: 'print the tables of the documentation: settings, log events, metrics, permissions, commands and more',
    typed: {
      topic: chosen('<topic>', 'what to explain', Object.keys(topics)),
      markdown: typed('--markdown', 'print the tables as Markdown, as the pages of the documentation have them'),
    },
    json: false,
    help: '\nExamples:\n  $ npx kusanya describe settings\n  $ npx kusanya describe log --markdown',
    async run({ topic, markdown }) {
      const tables = await topics[topic]!(loadCommands)
      if (markdown) terminal.print(toMarkdown(tables).trimEnd())
      else printTables(terminal, tables)
    },
  })
}
