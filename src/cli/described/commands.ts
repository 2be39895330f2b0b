import type { Argument, Command } from 'commander'
import type { DescribedTable } from './table.ts'

/** Describe every command of the program, a table for each command with commands of its own, and one for the others. */
export function describeCommands(program: Command): DescribedTable[] {
  const groups = program.commands.filter(({ commands }) => commands.length > 0)
  const single = program.commands.filter(({ commands }) => commands.length === 0)
  return [
    { columns: COLUMNS, rows: single.map((command) => rowOf(command)) },
    ...groups.map((group) => ({ heading: group.name(), columns: COLUMNS, rows: rowsOf(group) })),
  ]
}

const COLUMNS = ['Command', 'Effect']

function rowsOf(command: Command, before = ''): string[][] {
  const path = `${before}${command.name()} `
  const own = command.commands.length === 0 ? [rowOf(command, before)] : []
  return [...own, ...command.commands.flatMap((one) => rowsOf(one, path))]
}

function rowOf(command: Command, before = ''): string[] {
  const words = [`${before}${command.name()}`, ...command.registeredArguments.map(shown)]
  return [`\`${words.join(' ')}\``, command.description()]
}

function shown(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}
