import type { Command } from 'commander'
import { type SettingField, settingFields } from '../../../drivers/settings.ts'
import { displayAmount } from '../../../lib/money.ts'
import type { AnyNetworkDriver, Limits, NetworkTraits, OrderKind, Place } from '../../../networks/contract.ts'
import { CommandError } from '../../errors.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { printRows } from '../../print.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { type Ability, abilitiesOf } from './abilities.ts'

/** A driver as `networks list` shows it. */
interface DriverRow {
  code: string
  name: string
  /** ISO 3166-1, two letters; `any` where it serves every country. */
  countries: string[]
  abilities: Ability[]
  /** The path of its simulated network below the address of `networks simulate`; null if there is none. */
  simulated: string | null
}

/** Add the commands that show the abilities of this program's drivers. They need neither settings nor a database. */
export function addDriverCommands(networks: Command, terminal: Terminal): void {
  addPlainCommand(networks, terminal, {
    name: 'list',
    description: 'list the networks that this program can speak to, and what it can do there',
    async run(_, { json }) {
      const { drivers, doors } = await loadNetworks()
      const rows = drivers.map((driver) => toRow(driver, doors))
      printRows(terminal, rows, {
        json,
        none: 'There are no drivers.',
        columns: {
          network: 'code',
          name: 'name',
          countries: ({ countries }) => countries.join(' '),
          can: ({ abilities }) => abilities.join(', '),
          simulated: 'simulated',
        },
      })
    },
  })
  addPlainCommand(networks, terminal, {
    name: 'show',
    description: 'show the settings, environments, places, limits and habits of a network',
    typed: { code: typed('<code>', 'as `networks list` shows it') },
    help: '\nExample:\n  $ npx kusanya networks show sandbox',
    async run({ code }) {
      const { drivers, doors } = await loadNetworks()
      const driver = drivers.find((one) => one.code === code)
      if (!driver)
        throw new CommandError(`There is no network ${code}. There are: ${drivers.map((one) => one.code).join(', ')}.`)
      const shown = { ...toRow(driver, doors), ...describeDriver(driver) }
      return { shown, text: toText(shown) }
    },
  })
}

/** The drivers and the codes of the simulated networks. Their modules are loaded only when a command needs them. */
async function loadNetworks() {
  const { networkDrivers } = await import('../../../networks/index.ts')
  const { openDoors } = await import('../../../simulator/doors/index.ts')
  const doors = openDoors({ secret: 'not used: nothing is called', callback_url: () => null })
  return { drivers: networkDrivers, doors: doors.map(({ code }) => code) }
}

function toRow(driver: AnyNetworkDriver, doors: readonly string[]): DriverRow {
  const { code, name, places } = driver
  const countries = [...new Set(places.map(({ country }) => country ?? 'any'))]
  return { code, name, countries, abilities: abilitiesOf(driver), simulated: doors.includes(code) ? `/${code}` : null }
}

function describeDriver(driver: AnyNetworkDriver) {
  const { environments, places, traits } = driver
  return {
    environments: Object.entries(environments).map(([name, environment]) => ({ name, ...environment })),
    settings: settingFields(driver),
    places: places.map(describePlace),
    traits,
    habits: describeTraits(traits),
    ...differences(driver),
  }
}

function describePlace({ country, currency, limits, payout_limits, phones, environments }: Place) {
  return {
    country,
    currency,
    phones: phones.source,
    limits,
    ...(payout_limits && { payout_limits }),
    ...(environments && { environments }),
  }
}

/** Return the traits in which one kind of order differs from the others. */
function differences({ traits }: AnyNetworkDriver) {
  const kinds = (['charge', 'payout', 'refund'] as const).filter((kind) => traits[kind])
  const differing = kinds.map((kind): [OrderKind, string[]] => [kind, describeTraits(traits[kind]!)])
  return { differing_habits: Object.fromEntries(differing) as Partial<Record<OrderKind, string[]>> }
}

const SENTENCES: { [Name in keyof NetworkTraits]?: (value: NonNullable<NetworkTraits[Name]>) => string } = {
  reference: (form) =>
    ({
      'uuid-v4': 'Our references are UUIDs.',
      'alphanumeric-25': 'Our references have at most 25 letters and digits.',
      'ascii-12': 'Our references have at most 12 letters and digits.',
    })[form],
  repeat: (habit) =>
    ({
      'same-answer': 'A second call under one reference returns the order that there is, so it is safe.',
      refused: 'A second call under one reference is refused, and the first order stays.',
      'charges-again': 'A second call would move money again, so it is never made.',
    })[habit],
  unseen: (habit) =>
    habit === 'certain'
      ? 'An order that the network does not know has never arrived.'
      : 'An order that the network does not know may still have arrived.',
  asked_by: (name) =>
    name === 'reference' ? 'Orders are asked about by our reference.' : "Orders are asked about by the network's id.",
  answers: (way) =>
    way === 'in-reply'
      ? 'A status question is answered in its reply.'
      : 'A status question is answered later, at our callback address.',
  in_flight_s: (seconds) => `For ${seconds} seconds after a call the network may not know the order yet.`,
  prompt_s: (seconds) => `A prompt stays on the phone for ${seconds} seconds.`,
  call_s: (seconds) => `A call may take ${seconds} seconds.`,
  status_waits_s: (waits) => `Open orders are asked about after ${waits.join(', ')} seconds; the last one repeats.`,
  callbacks: (proof) =>
    ({
      signed: 'Callbacks are signed, and count at once.',
      unsigned: 'Callbacks are not signed. They cause a status question, and its answer counts.',
      none: 'There are no callbacks.',
    })[proof],
  refunds: (extent) =>
    extent === 'full' ? 'Only a whole charge can be refunded.' : 'Any part of a charge can be refunded.',
}

function describeTraits(traits: Partial<NetworkTraits>): string[] {
  return Object.entries(SENTENCES).flatMap(([name, sentence]) => {
    const value = traits[name as keyof NetworkTraits]
    return value === undefined ? [] : [(sentence as (value: unknown) => string)(value)]
  })
}

function toText(shown: DriverRow & ReturnType<typeof describeDriver>): string[] {
  const { code, name, abilities, simulated, environments, settings, places, habits, differing_habits } = shown
  return [
    `${name} (${code})`,
    `Can: ${abilities.join(', ')}`,
    simulated === null ? 'Not simulated' : `Simulated below ${simulated} by \`npx kusanya networks simulate\``,
    '',
    'Environments',
    ...environments.flatMap((one) => [
      `  ${one.name}: ${one.title}, ${one.live ? 'real money' : 'no real money'}`,
      ...Object.entries(one.hosts).map(([host, url]) => `    ${host} ${url}`),
    ]),
    '',
    'Settings',
    ...settings.flatMap(describeSetting),
    '',
    'Places',
    ...places.map((place) => `  ${describeLimits(place)}`),
    '',
    'Habits',
    ...habits.map((habit) => `  ${habit}`),
    ...Object.entries(differing_habits).flatMap(([kind, sentences]) => sentences.map((one) => `  ${kind}: ${one}`)),
  ]
}

function describeSetting(field: SettingField): string[] {
  const facts = [
    field.secret && 'secret',
    !field.required && 'optional',
    field.choices && `one of ${field.choices.join(', ')}`,
    field.default !== undefined && `${field.default} unless given`,
    field.example !== undefined && `such as ${field.example}`,
  ].filter((fact) => typeof fact === 'string')
  return [`  ${field.name}: ${field.title}${facts.map((fact) => `; ${fact}`).join('')}`, `    ${field.help}`]
}

function describeLimits({ country, currency, limits, payout_limits, environments }: ReturnType<typeof describePlace>) {
  const where = `${country ?? 'any country'} ${currency ?? 'any currency'}`
  const payouts = payout_limits ? `; payouts ${showLimits(payout_limits)}` : ''
  return `${where}: ${showLimits(limits)}${payouts}${environments ? ` (${environments.join(', ')})` : ''}`
}

function showLimits({ min, max, decimals }: Limits): string {
  return `${displayAmount(min)} to ${displayAmount(max)}, ${decimals} decimals`
}
