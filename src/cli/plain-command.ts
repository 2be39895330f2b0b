import type { Command } from 'commander'
import { byOption, jsonOption, organizationOption } from './arguments.ts'
import { CommandError } from './errors.ts'
import { printResult } from './print.ts'
import type { Terminal } from './terminal.ts'
import { addInputs, type Given, type Inputs } from './typed.ts'

/** Result of a command: for --json, and in sentences for people. */
export interface Told {
  shown: unknown
  text: string | readonly string[]
  /** Error line after the result: the exit code is 1. */
  fault?: string | false | undefined
}

export type Ownership = 'one' | 'or_all' | undefined

/** Words of a command. */
export interface Drawn<Words extends Inputs> {
  name: string
  description: string
  /** Arguments and options, in the order of the help. */
  typed?: Words
  organization?: Ownership
  by?: true
  /** Text below the help. */
  help?: string | undefined
  is_default?: true
  /** False for a command without --json. */
  json?: boolean
}

/** Command that needs no database. */
interface Plain<Words extends Inputs> extends Omit<Drawn<Words>, 'organization' | 'by'> {
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that prints by itself returns nothing
  run(input: Given<Words>, call: { json: boolean }): Promise<Told | void> | Told | void
}

/** Add a command that needs no database, with --json. */
export function addPlainCommand<Words extends Inputs = Record<never, never>>(
  parent: Command,
  terminal: Terminal,
  declared: Plain<Words>,
): void {
  const { command, read } = draw(parent, declared)
  command.action(async () => {
    const json = command.opts<{ json?: true }>().json === true
    tell(terminal, await declared.run(read(), { json }), json)
  })
}

/** Add the words of a command, and return the function that reads what a person has typed. */
export function draw<Words extends Inputs>(parent: Command, declared: Drawn<Words>) {
  const { name, description, typed, organization, by, help } = declared
  const command = parent.command(name, { isDefault: declared.is_default === true }).description(description)
  const read = addInputs(command, typed ?? ({} as Words))
  if (organization) command.addOption(organizationOption(organization === 'or_all' ? OR_ALL : undefined))
  if (by) command.addOption(byOption())
  if (declared.json !== false) command.addOption(jsonOption())
  if (help !== undefined) command.addHelpText('after', help)
  return { command, read }
}

/** Print the result of a command. @throws CommandError with its fault */
// biome-ignore lint/suspicious/noConfusingVoidType: a command that prints by itself returns nothing
export function tell(terminal: Terminal, told: Told | void, json: boolean): void {
  if (!told) return
  printResult(terminal, told.shown, { json, text: [told.text].flat().join('\n') })
  if (told.fault) throw new CommandError(told.fault)
}

const OR_ALL = 'of this organization only; of all unless given'
