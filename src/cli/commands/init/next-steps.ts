import { join } from 'node:path'
import { PROGRAM_ROOT } from '../../program.ts'
import { firstCollection } from '../../service/welcome.ts'
import type { FirstAnswers, Installation } from './answers.ts'
import type { MadeOrganization } from './first.ts'
import type { ProgramPlace } from './program-place.ts'

/** Next step for a person: a sentence, and commands to paste. */
export interface Step {
  text: string
  commands: string[]
}

/** The driver of a network that serves the country, and its environment in which real money moves. */
export interface OfferedDriver {
  code: string
  name: string
  environment: string
}

/** The drivers of networks that serve a country. Their modules are loaded only when they are needed. */
export async function driversFor(country: string): Promise<OfferedDriver[]> {
  const { networkDrivers } = await import('../../../networks/index.ts')
  return networkDrivers
    .filter(({ places }) => places.some((place) => place.country === country))
    .flatMap(({ code, name, environments }) => {
      const [environment] = Object.entries(environments).find(([, one]) => one.live) ?? []
      return environment === undefined ? [] : [{ code, name, environment }]
    })
}

/** Return the steps if a person starts the service in this folder. */
export function stepsHere(
  { mode, public_url }: Installation,
  made: MadeOrganization,
  drivers: readonly OfferedDriver[],
): Step[] {
  const start = { text: 'Start the service, in this folder:', commands: ['npx kusanya serve'] }
  if (mode === 'live') return [...keepKey('SECRET_KEY of .env'), start, ...goLiveSteps(made, drivers, public_url)]
  const { ask, show } = firstCollection(made.address, made.api_key ?? '<API key>')
  return [
    start,
    { text: 'Ask a customer for BXC 1,500, the money of the sandbox, from another terminal:', commands: [ask] },
    { text: 'The customer pays about a second later. Show the result:', commands: [show] },
  ]
}

function keepKey(name: string): Step[] {
  return [
    {
      text: `Copy ${name} to a safe place on another machine: without it stored secrets cannot be read.`,
      commands: [],
    },
  ]
}

function goLiveSteps(made: MadeOrganization, drivers: readonly OfferedDriver[], public_url: string | null): Step[] {
  const account = made.account ?? '<account>'
  const connections = drivers.map(
    ({ code, environment }) => `npx kusanya connections add ${code} --slug my-${code} --environment ${environment}`,
  )
  return [
    ...(public_url === null ? [] : proxyStep(public_url)),
    {
      text: 'Enter the opening balance of the wallet, which must hold money before it can collect:',
      commands: [`npx kusanya accounts fund ${account} 100000 --description "Opening balance"`],
    },
    {
      text: 'Connect your merchant account at a network; one of these, which asks for its settings and secrets:',
      commands: connections.length > 0 ? connections : ['npx kusanya connections drivers'],
    },
    {
      text: 'Say under which number the wallet collects there, try it with your own phone, and put it into use:',
      commands: [
        `npx kusanya connections places add my-<network> ${account} <number>`,
        'npx kusanya connections test my-<network> --phone <your own>',
        'npx kusanya connections resume my-<network>',
      ],
    },
    { text: 'Make a key for your shop:', commands: ['npx kusanya keys create --name webshop'] },
    { text: 'See what is missing until real money moves:', commands: ['npx kusanya connections checklist'] },
  ]
}

function proxyStep(public_url: string): Step[] {
  return [
    {
      text: `Let a proxy that speaks TLS pass ${public_url} on to the service. ${join(PROGRAM_ROOT, 'deploy')} has examples for nginx and Caddy.`,
      commands: [],
    },
  ]
}

/** Return the command `setup` with the given answers, after the words that run a command there. */
function setupCommand(words: string, mode: Installation['mode'], first: FirstAnswers | null): string[] {
  if (first === null)
    return mode === 'sandbox'
      ? [`${words} setup`]
      : [`${words} setup --organization <name> --name <manager> --email <address> --currency <code> --link`]
  const { name, currency, manager } = first
  const identity = `--organization ${shellWord(name)} --name ${shellWord(manager.name)} --email ${shellWord(manager.email)}`
  return [`${words} setup ${identity}${mode === 'live' ? ` --currency ${currency} --link` : ''}`]
}

/** A text as one word of a command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Return the steps if systemd starts the service, with the files of this folder. */
export function stepsForSystemd(
  folder: string,
  place: ProgramPlace,
  { mode, public_url, database_url }: Installation,
  first: FirstAnswers | null,
): Step[] {
  const secrets = ['secret_key', ...(database_url === null ? [] : ['database_url'])]
  const from = (name: string) => shellWord(join(folder, name))
  const run =
    `sudo systemd-run --pty --uid=kusanya --working-directory=${place.folder} --property=EnvironmentFile=/etc/kusanya/kusanya.env ` +
    '--property=StateDirectory=kusanya --property=StateDirectoryMode=0700 --setenv=DATA_DIR=/var/lib/kusanya/data --setenv=KUSANYA_ENV_FILE=off ' +
    secrets.map((name) => `--property=LoadCredential=${name}:/etc/kusanya/${name} `).join('')
  const files = secrets.map((name) => `${name.toUpperCase()}_FILE=$CREDENTIALS_DIRECTORY/${name} `).join('')
  const inUnit = (command: string) => `${run}sh -c ${shellWord(`${files}exec ${place.node} ${place.entry} ${command}`)}`
  return [
    ...(place.install.length === 0
      ? []
      : [{ text: 'Put the program where the unit can see it:', commands: place.install }]),
    {
      text: 'Make the user of the service, and put the files into place:',
      commands: [
        'id kusanya || sudo useradd --system --home-dir /var/lib/kusanya --shell /usr/sbin/nologin kusanya',
        'sudo install -d -m 0755 /etc/kusanya',
        `sudo install -m 0644 ${from('kusanya.env')} /etc/kusanya/`,
        // An existing key may have encrypted data in the database.
        `sudo test -e /etc/kusanya/secret_key || sudo install -m 0600 ${from('secret_key')} /etc/kusanya/`,
        ...(database_url === null ? [] : [`sudo install -m 0600 ${from('database_url')} /etc/kusanya/`]),
        `sudo install -m 0644 ${from('kusanya.service')} /etc/systemd/system/`,
        'sudo systemctl daemon-reload',
      ],
    },
    {
      text: 'Prepare the database and the first organization:',
      commands: setupCommand('', mode, first).map((command) => inUnit(command.trim())),
    },
    {
      text: 'Start the service, now and with the machine:',
      commands: ['sudo systemctl enable --now kusanya', 'journalctl -u kusanya -f'],
    },
    ...(public_url === null ? [] : proxyStep(public_url)),
    ...keepKey('/etc/kusanya/secret_key'),
  ]
}

/** Return the steps if containers run the service, with the files of this folder. */
export function stepsForCompose(
  folder: string,
  { mode, public_url }: Installation,
  first: FirstAnswers | null,
): Step[] {
  const words = 'docker compose run --rm kusanya'
  return [
    {
      text: 'Build the image, and prepare the database and the first organization:',
      commands: [`cd ${shellWord(folder)}`, 'docker compose build', ...setupCommand(words, mode, first)],
    },
    { text: 'Start the service:', commands: ['docker compose up --detach', 'docker compose logs --follow kusanya'] },
    { text: 'Other commands run in the same way:', commands: [`${words} connections checklist`] },
    ...(public_url === null ? [] : proxyStep(public_url)),
    ...keepKey(join(folder, 'secrets/secret_key')),
  ]
}
