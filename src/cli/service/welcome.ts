import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import type { ChecklistItem } from '../../core/connections/checklist.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { describeChecklist } from './checklist.ts'
import type { DemoWithSecrets } from './demo.ts'

/** Content of the welcome at the start. */
interface Welcome {
  api: boolean
  jobs: boolean
  demo: DemoWithSecrets | null
  /** Completed and missing steps for going live. */
  checklist: readonly ChecklistItem[]
}

/**
 * Print or log the address of the service. In the sandbox, show how to collect the first money. In live mode, list the
 * missing steps until real money can move.
 */
export function printWelcome(terminal: Terminal, app: App, { api, jobs, demo, checklist }: Welcome): void {
  const { config, address, notices } = app
  const { print, strong, faint } = terminal
  if (!demo) {
    logEvent(app.log, 'service_ready', { address: api ? address.url : null, jobs, version: VERSION, notices })
    showChecklist(terminal, app, checklist)
    return
  }
  const details: [string, string][] = [
    ['Address', api ? address.local : 'none (--no-api)'],
    ...(api ? [['Documentation', `${address.local}/docs`] as [string, string]] : []),
    ...(api && config.CONSOLE ? signInDetails(address.local, demo) : []),
    ['Organization', `${demo.organization.name} (${demo.organization.id})`],
    ['API key', demo.api_key],
    ['Data', config.DATABASE_URL ? 'in the database of DATABASE_URL' : `in ${resolve(config.DATA_DIR)}`],
  ]
  print()
  print(strong(`${config.SERVICE_NAME} ${VERSION} is ready, in sandbox mode: no real money moves.`))
  print()
  for (const [name, value] of details) print(`  ${name.padEnd(14)}${value}`)
  for (const notice of notices) print(`  ${faint(notice)}`)
  print()
  if (api) {
    const { ask, show } = firstCollection(address.local, demo.api_key)
    print(strong('Ask a customer for BXC 1,500, the money of the sandbox; paste this into another terminal:'))
    print()
    print(ask)
    print()
    print(strong('The customer pays about a second later. Show the result:'))
    print()
    print(show)
    print()
  }
  print(faint('Ctrl-C stops the service and keeps the data.'))
  print()
}

/** The commands that collect the first money in the sandbox, and show the result. */
export function firstCollection(address: string, api_key: string): { ask: string; show: string } {
  const authorization = `-H 'Authorization: Token ${api_key}'`
  return {
    ask:
      `curl ${address}/api/collectionrequests ${authorization} -H 'Content-Type: application/json' ` +
      `-d '{"phonenumber":"+80000000003","amount":"1500","currency":"BXC","send_instructions":true}'`,
    show: `curl '${address}/api/collectionrequests?limit=1' ${authorization}`,
  }
}

/**
 * Show the whole list in a terminal, if a live installation is not ready. In a service's log, name only the open items.
 */
function showChecklist(terminal: Terminal, app: App, checklist: readonly ChecklistItem[]): void {
  const open = checklist.filter(({ state }) => state === 'open')
  if (open.length === 0) return
  if (!terminal.interactive) {
    logEvent(app.log, 'go_live_open', { open: open.map(({ name }) => name) })
    return
  }
  terminal.print()
  terminal.print(terminal.strong('Before real money moves (`npx kusanya connections checklist` shows this list):'))
  terminal.print()
  for (const line of describeChecklist(terminal, checklist)) terminal.print(`  ${line}`)
  terminal.print()
}

/** The address and the credentials for the console. */
function signInDetails(address: string, { owner, password }: DemoWithSecrets): [string, string][] {
  return [
    ['Console', `${address}/console`],
    ['Sign in with', `${owner.email}   ${password ?? '(with the password that you chose)'}`],
  ]
}
