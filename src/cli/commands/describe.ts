import { Argument, type Command } from 'commander'
import { type LoadCommands, topics } from '../described/index.ts'
import { printTables, toMarkdown } from '../described/table.ts'
import type { Terminal } from '../terminal.ts'

/** Add the command that prints the tables of the documentation that are made from the code. */
export function addDescribe(program: Command, terminal: Terminal, loadCommands: LoadCommands): void {
  program
    .command('describe')
    .description('print the tables of the documentation: settings, log events, metrics, permissions, commands and more')
    .addArgument(new Argument('<topic>', 'what to explain').choices(Object.keys(topics)))
    .option('--markdown', 'print the tables as Markdown, as the pages of the documentation have them')
    .addHelpText('after', '\nExamples:\n  $ npx kusanya describe settings\n  $ npx kusanya describe log --markdown')
    .action(async (topic: string, { markdown }: { markdown?: boolean }) => {
      const tables = await topics[topic]!(loadCommands)
      if (markdown) terminal.print(toMarkdown(tables).trimEnd())
      else printTables(terminal, tables)
    })
}
