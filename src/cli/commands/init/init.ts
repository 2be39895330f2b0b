import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ENV_FILE_VARIABLE } from '../../env-file.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import type { Terminal } from '../../terminal.ts'
import { VERSION } from '../../version.ts'
import {
  type Asker,
  askFirst,
  askInstallation,
  askWay,
  createAsker,
  type FirstAnswers,
  type InitOptions,
  type Installation,
  type Way,
  ways,
} from './answers.ts'
import { composeFiles, makeSecrets, readDatabaseUrl, systemdFiles } from './deployment.ts'
import { type DataState, generateSecret, hereSettings, inspectData, settingsOutside } from './here.ts'
import { driversFor, type Step, stepsForCompose, stepsForSystemd, stepsHere } from './next-steps.ts'
import { findProgramPlace } from './program-place.ts'
import {
  describeFiles,
  type NewFile,
  type PlacedFile,
  placeFile,
  readSettings,
  settingsText,
} from './settings-files.ts'

/** The folder of each way, below the folder of the command, and the file of its settings. */
const PLACES: Record<Way, { folder: string; settings: string }> = {
  here: { folder: '.', settings: '.env' },
  systemd: { folder: 'kusanya-systemd', settings: 'kusanya.env' },
  compose: { folder: 'kusanya-compose', settings: '.env' },
}

/** Facts that `init` has before it asks about the installation. */
interface Start {
  terminal: Terminal
  options: InitOptions
  asker: Asker
  way: Way
  folder: string
  /** Settings file, with its content if it exists and stays. */
  settings_file: string
  present: Record<string, string | undefined> | undefined
  /** True to overwrite existing files. */
  replace: boolean
}

/** Results of `init`. */
interface Done {
  files: PlacedFile[]
  /** Names and values for a person. */
  facts: [name: string, value: string][]
  result: object
  steps: Step[]
}

/**
 * Run the command `init`. @throws CommandError, WrongSetting, and errors of the database; then it has written nothing
 */
export async function init(terminal: Terminal, options: InitOptions): Promise<void> {
  const base = resolve(terminal.folder ?? '.')
  const asker = createAsker(terminal, options)
  const found = ways.find((one) => existsSync(settingsFile(base, one)))
  const way = (await askWay(asker, options, found ?? 'here')) ?? 'here'
  const settings_file = settingsFile(base, way)
  const found_file = await readPresent(terminal, options, settings_file)
  const start = {
    terminal,
    options,
    asker,
    way,
    folder: resolve(base, PLACES[way].folder),
    settings_file,
    ...found_file,
  }
  const installation = await chooseInstallation(start)
  const done = way === 'here' ? await initHere(start, installation) : await initElsewhere(start, installation)
  report(terminal, options, { ...start, installation }, done)
}

function settingsFile(base: string, way: Way): string {
  return resolve(base, PLACES[way].folder, PLACES[way].settings)
}

/** The settings that are there and stay; a person at the terminal may want them to be written anew. */
async function readPresent(
  { interactive, ask }: Terminal,
  options: InitOptions,
  path: string,
): Promise<Pick<Start, 'present' | 'replace'>> {
  const present = readSettings(path)
  if (present === undefined || options.replace) return { present: undefined, replace: options.replace === true }
  if (!interactive || options.yes) return { present, replace: false }
  const answer = await ask(
    `${path} is there already. Keep it? "no" writes it anew, and keeps the old one as .old [yes]: `,
  )
  return /^no?$/i.test(answer.trim()) ? { present: undefined, replace: true } : { present, replace: false }
}

/** Ask about the installation, unless its settings are there. @throws CommandError when an option contradicts them */
async function chooseInstallation(start: Start): Promise<Installation> {
  const { terminal, options, asker, way, folder, present, settings_file } = start
  if (present === undefined) {
    // A file to be overwritten is not the environment, although its settings were added to it.
    const earlier = readSettings(settings_file)
    const outside = settingsOutside(terminal.environment, earlier)
    const known = {
      environment_url: outside.DATABASE_URL || undefined,
      earlier_url: (way === 'systemd' ? readDatabaseUrl(folder) : earlier?.DATABASE_URL) || undefined,
    }
    return askInstallation(asker, options, way, known)
  }
  const installation: Installation = {
    mode: present.MODE === 'live' ? 'live' : 'sandbox',
    database_url: (way === 'systemd' ? readDatabaseUrl(folder) : present.DATABASE_URL) || null,
    public_url: present.PUBLIC_URL || null,
  }
  const database = installation.database_url === null ? 'embedded' : 'own'
  const contradictions = [
    options.mode !== undefined && options.mode !== installation.mode && '--mode',
    way !== 'compose' && options.database !== undefined && options.database !== database && '--database',
    options.publicUrl !== undefined &&
      options.publicUrl.replace(/\/$/, '') !== installation.public_url &&
      '--public-url',
  ].filter((one) => one !== false)
  if (contradictions.length > 0)
    throw new CommandError(
      `${settings_file} is there and says otherwise than ${contradictions.join(', ')}. Nothing was changed: edit it, or write it anew with --replace.`,
    )
  return installation
}

/** Write .env, and make the first organization in the database of these settings. */
async function initHere(start: Start, installation: Installation): Promise<Done> {
  const { terminal, options, asker, present, replace, folder, settings_file } = start
  const earlier = readSettings(settings_file)
  const outside = settingsOutside(terminal.environment, earlier)
  const new_key = generateSecret()
  const settings = (first: FirstAnswers | null) =>
    hereSettings({ installation, currency: first?.currency ?? null, outside, folder, earlier, new_key })
  const environment = (first: FirstAnswers | null) => {
    const names = Object.fromEntries(settings(first).map(({ name, value }) => [name, value ?? undefined]))
    return { ...outside, ...(present ?? names) }
  }
  if (asker.hasFailed()) {
    await askFirst(asker, options, installation.mode)
    asker.finish()
  }
  requireNoOther(outside, environment(null), settings_file)
  const data: DataState = await inspectData(environment(null), {
    folder,
    has_new_key: environment(null).SECRET_KEY === new_key,
  })
  const first = data.has_organization ? null : await askFirst(asker, options, installation.mode)
  asker.finish()
  const text = settingsText(HEADING, settings(first))
  const outcome = present ? 'same' : placeFile({ path: settings_file, text, mode: 0o600 }, replace)
  const made = await makeOrganization(terminal, environment(first), first, () => {
    // Nothing was encrypted with its key, so nothing is lost.
    if (outcome === 'written') rmSync(settings_file, { force: true })
  })
  const drivers = installation.mode === 'live' && first ? await driversFor(first.country) : []
  const { organization, manager, link, password, api_key, address } = made
  if (options.organization !== undefined && options.organization.trim() !== organization.name)
    terminal.warn(
      `There is already the organization ${organization.name}, so ${options.organization} was not made: \`npx kusanya organizations create\` makes another.`,
    )
  const facts: [string, string | null][] = [
    ['Organization', `${organization.name} (${organization.id})`],
    ['Manager', manager && `${manager.name}, ${manager.email}`],
    ['Console', `${installation.public_url ?? address}/console`],
    ['Password', password],
    ['API key', api_key],
    ['Link', link && `${link}\n                the manager chooses a password there; it works once, for a week`],
  ]
  return {
    files: [{ path: settings_file, outcome }],
    facts: facts.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
    result: made,
    steps: stepsHere(installation, made, drivers),
  }
}

const HEADING =
  'Settings of Kusanya, written by `kusanya init`. A variable of the environment counts before this file. docs/operating/settings.md has all settings.'

/** A variable of the environment would count before the file, and only as long as it is set. @throws CommandError */
function requireNoOther(
  outside: Record<string, string | undefined>,
  settings: Record<string, string | undefined>,
  path: string,
): void {
  if (outside[ENV_FILE_VARIABLE])
    throw new CommandError(
      `${ENV_FILE_VARIABLE} is set, so the service would not read ${path}. Unset it, and run this again.`,
    )
  // An empty variable counts before the file as well.
  const other = Object.keys(settings).filter(
    (name) => name in outside && (outside[name] ?? '') !== (settings[name] ?? ''),
  )
  if (other.length === 0) return
  throw new CommandError(
    `${other.join(', ')} of the environment would count before ${path}, which would say otherwise. Unset it, and run this again.`,
  )
}

async function makeOrganization(
  terminal: Terminal,
  environment: Terminal['environment'],
  first: FirstAnswers | null,
  undo: () => void,
) {
  const { withApp } = await import('../../service/with-app.ts')
  const { requireSecretKey } = await import('../../service/secret-key.ts')
  const { makeFirst } = await import('./first.ts')
  let begun = false
  const work = withApp(
    { ...terminal, environment },
    async (app) => {
      await app.migrate()
      await requireSecretKey(app)
      begun = true
      return makeFirst(app, first)
    },
    { migrated: false },
  )
  return work.catch((error: unknown) => {
    if (!begun) undo()
    throw error
  })
}

/** Write the files of systemd or compose. The database is made on their machine, by the commands that are printed. */
async function initElsewhere(start: Start, installation: Installation): Promise<Done> {
  const { options, asker, present, replace, way, folder } = start
  const is_named = options.organization !== undefined || options.email !== undefined
  const first = present && !is_named ? null : await askFirst(asker, options, installation.mode)
  asker.finish()
  const place = findProgramPlace()
  const files: NewFile[] =
    way === 'systemd'
      ? systemdFiles(folder, place, installation, first?.currency ?? null)
      : composeFiles(folder, installation, first?.currency ?? null)
  // The settings come last: where they are, everything else is there, too.
  const last = join(folder, PLACES[way].settings)
  const ordered = files.sort((one, other) => Number(one.path === last) - Number(other.path === last))
  const secrets = way === 'compose' ? makeSecrets(join(folder, 'secrets')) : []
  // Without the answers of the first run the files would differ, so existing ones stay untouched.
  const outcomes = ordered.map((file): PlacedFile => {
    const { path } = file
    return { path, outcome: present && existsSync(path) ? 'same' : placeFile(file, replace) }
  })
  const steps =
    way === 'systemd'
      ? stepsForSystemd(folder, place, installation, first)
      : stepsForCompose(folder, installation, first)
  return { files: [...secrets, ...outcomes], facts: [], result: {}, steps }
}

function report(
  terminal: Terminal,
  options: InitOptions,
  { way, folder, installation: { mode } }: Start & { installation: Installation },
  { files, facts, result, steps }: Done,
): void {
  const { strong } = terminal
  const safety = mode === 'sandbox' ? ', in sandbox mode: no real money moves' : ', in live mode'
  const text = [
    '',
    strong(`Kusanya ${VERSION} is set up in ${folder}${safety}.`),
    '',
    ...describeFiles(files),
    ...(facts.length > 0 ? [''] : []),
    ...facts.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
    '',
    ...steps.flatMap(({ text: sentence, commands }, index) => [
      strong(`${index + 1}. ${sentence}`),
      ...(commands.length > 0 ? ['', ...commands, ''] : ['']),
    ]),
  ].join('\n')
  printResult(terminal, { way, mode, files, ...result, steps }, { ...options, text: text.trimEnd() })
}
