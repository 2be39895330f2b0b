import type { Command } from 'commander'
import { operator } from '../actions/run.ts'
import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import type { Organization } from '../core/access/organizations.ts'
import { chooseOrganization, findActor, toCount } from './arguments.ts'
import { CommandError } from './errors.ts'
import { type Drawn, draw, type Ownership, type Told, tell } from './plain-command.ts'
import { withApp } from './service/with-app.ts'
import type { Terminal } from './terminal.ts'
import { completeInputs, type Given, type Inputs, typed } from './typed.ts'

export type { Told } from './plain-command.ts'

/** Call of a command. */
export interface Call<Owner> {
  /** The organization that --organization names, or the only one. */
  owner: Owner
  /** The operator, or the person of --by. */
  actor: Actor
  json: boolean
  terminal: Terminal
}

/** Command with code of its own. */
interface Declared<Words extends Inputs, Owned extends Ownership> extends Drawn<Words> {
  /** Adds --organization. `one`: of the sole organization unless given; `or_all`: of all unless given. */
  organization?: Owned
  /** Adds --by, the person who acts. */
  by?: true
  /** Demands on the database, where they are others. */
  access?: Parameters<typeof withApp>[2]
  /** Return what is told; undefined if the command has told it itself. */
  run(
    app: App,
    input: Given<Words>,
    call: Call<Owned extends 'one' ? Organization : Organization | undefined>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a command that prints by itself returns nothing
  ): Promise<Told | void> | Told
}

/** Add a command, with --json. */
export function addCommand<Words extends Inputs = Record<never, never>, Owned extends Ownership = undefined>(
  parent: Command,
  terminal: Terminal,
  declared: Declared<Words, Owned>,
): void {
  const { organization, by, access } = declared
  const { command, read } = draw(parent, declared)
  command.action(() =>
    withApp(
      terminal,
      async (app) => {
        const options: { organization?: number; by?: string; json?: true } = command.opts()
        const chosen = organization && options.organization
        const is_one = organization === 'one' || chosen !== undefined
        const owner = is_one ? await chooseOrganization(app.db, chosen) : undefined
        const actor = operator(owner?.id ?? null, await findActor(app.db, by && options.by))
        const json = options.json === true
        const input = await completeInputs(app.db, declared.typed, read(), owner?.id)
        tell(terminal, await declared.run(app, input, { owner: owner as never, actor, json, terminal }), json)
      },
      access,
    ),
  )
}

/** Add the command `show` of a group: an object by its id. */
export function addShow(
  parent: Command,
  terminal: Terminal,
  description: string,
  run: (app: App, id: number) => Promise<Told>,
): void {
  const id = typed('<id>', `as \`${parent.name()} list\` shows it`, toCount)
  addCommand(parent, terminal, { name: 'show', description, typed: { id }, run: (app, input) => run(app, input.id) })
}

/** Ask a person who has not given --yes. @param question ends before `Type yes` @throws CommandError */
export async function confirm(
  { interactive, ask }: Terminal,
  { yes, question, refusal }: { yes: true | undefined; question: string; refusal: string },
): Promise<void> {
  if (yes) return
  if (!interactive) throw new CommandError(`${question} Confirm it with --yes.`)
  if ((await ask(`${question} Type yes: `)).trim().toLowerCase() !== 'yes') throw new CommandError(refusal)
}
