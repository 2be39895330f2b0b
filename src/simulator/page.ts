import { displayAmount, parseAmount } from '../lib/money.ts'
import type { DoorView, PromptView } from './views.ts'
import { numbersOfAllDoors } from './world/behaviours.ts'
import { smsNumbersOfAllDoors } from './world/sms-behaviours.ts'
import type { SimulatedSms } from './world/sms-records.ts'

/** The page for people: the phones with their prompts, and each simulated network with all that it accepts. */
export function renderPage(
  doors: readonly DoorView[],
  prompts: readonly PromptView[],
  sms: readonly SimulatedSms[],
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated networks</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Simulated networks</h1>
<p>Nothing here is real money. The credentials are the same in every simulator and open nothing else.</p>
<p role="status" id="status"></p>
${renderPhone(prompts)}
${renderSms(sms)}
${renderPay(doors)}
${doors.map(renderDoor).join('\n')}
<h2>Phone numbers with an effect in every network and at every SMS provider</h2>
${table(
  ['Number', 'Effect'],
  [...numbersOfAllDoors, ...smsNumbersOfAllDoors].map(({ number, effect }) => [escapeHtml(number), escapeHtml(effect)]),
)}
<script>${SCRIPT}</script>
</body>
</html>
`
}

function renderPhone(prompts: readonly PromptView[]): string {
  const rows = prompts.map((prompt) => {
    const { door, phonenumber, amount, currency, receiver, reason, reference } = prompt
    const target = escapeHtml(JSON.stringify({ door, phonenumber, reference }))
    return [
      escapeHtml(phonenumber),
      escapeHtml(door),
      escapeHtml(`${currency} ${displayAmount(parseAmount(amount)!)} to ${receiver}: ${reason}`),
      `<button data-act="approve" data-body="${target}">Approve with the PIN</button>
       <button data-act="refuse" data-body="${target}">Refuse</button>`,
    ]
  })
  const prompts_table = rows.length === 0 ? '<p>No prompt waits.</p>' : table(['Phone', 'Network', 'Prompt', ''], rows)
  return `<h2>Phones</h2>\n${prompts_table}`
}

/** Show the SMS of the phones with their states. */
function renderSms(sms: readonly SimulatedSms[]): string {
  const rows = sms.map(({ phonenumber, door, sender, body, state, reason }) =>
    [phonenumber, door, sender, body, reason ? `${state}: ${reason}` : state].map(escapeHtml),
  )
  const list =
    rows.length === 0 ? '<p>No SMS was sent.</p>' : table(['Phone', 'Provider', 'From', 'Text', 'State'], rows)
  return `<h2>SMS</h2>\n${list}`
}

function renderPay(doors: readonly DoorView[]): string {
  const networks = doors.filter(({ kind }) => kind === 'network')
  const options = networks.map(({ code, name }) => `<option value="${escapeHtml(code)}">${escapeHtml(name)}</option>`)
  return `<h2>A customer pays without being asked</h2>
<form id="pay">
<label>Network <select name="door">${options.join('')}</select></label>
<label>Phone <input name="phonenumber" value="+256772000002" required></label>
<label>Amount <input name="amount" value="1500" required></label>
<label>Currency <input name="currency" value="UGX" required></label>
<label>To (till or short code) <input name="receiver" value="600000" required></label>
<label>Reference <input name="reference"></label>
<button>Pay</button>
</form>`
}

function renderDoor({ code, name, hosts, credentials, numbers, switches }: DoorView): string {
  const addresses = Object.entries(hosts).map(([host, url]) => [escapeHtml(host), `<code>${escapeHtml(url)}</code>`])
  const accepted = credentials.map((one) => [
    escapeHtml(one.name),
    `<code>${escapeHtml(one.value)}</code>`,
    escapeHtml(one.help ?? ''),
  ])
  const effects = numbers.map(({ number, effect }) => [escapeHtml(number), escapeHtml(effect)])
  return `<section>
<h2>${escapeHtml(name)} <small>${escapeHtml(code)}</small></h2>
<h3>Addresses</h3>
${table(['Host', 'URL'], addresses)}
<h3>Credentials</h3>
${table(['Name', 'Value', ''], accepted)}
${effects.length === 0 ? '' : `<h3>Test numbers</h3>\n${table(['Number', 'Effect'], effects)}`}
${
  switches.length === 0
    ? ''
    : `<h3>Switches</h3>\n${table(
        ['Name', 'Effect', 'Value'],
        switches.map((one) => renderSwitch(code, one)),
      )}`
}
</section>`
}

function renderSwitch(code: string, one: DoorView['switches'][number]): string[] {
  const choices = one.choices ?? (typeof one.default === 'boolean' ? [true, false] : undefined)
  const attributes = `data-door="${escapeHtml(code)}" data-switch="${escapeHtml(one.name)}" data-type="${typeof one.default}"`
  const field = choices
    ? `<select ${attributes}>${choices
        .map((choice) => `<option${choice === one.value ? ' selected' : ''}>${escapeHtml(String(choice))}</option>`)
        .join('')}</select>`
    : `<input ${attributes} value="${escapeHtml(String(one.value))}">`
  return [`<code>${escapeHtml(one.name)}</code>`, escapeHtml(one.help), field]
}

function table(titles: readonly string[], rows: readonly string[][]): string {
  const head = titles.map((title) => `<th>${escapeHtml(title)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #8886; vertical-align: top; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; }
label { display: grid; }
small { opacity: .7; }
`

const SCRIPT = `
const status = document.getElementById('status')
async function send(method, path, body) {
  const response = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (response.ok) location.reload()
  else status.textContent = (await response.json()).message
}
for (const button of document.querySelectorAll('[data-act]'))
  button.onclick = () => send('POST', '/simulator/' + button.dataset.act, JSON.parse(button.dataset.body))
document.getElementById('pay').onsubmit = (event) => {
  event.preventDefault()
  const fields = Object.fromEntries(new FormData(event.target))
  if (fields.reference === '') delete fields.reference
  send('POST', '/simulator/pay', fields)
}
for (const field of document.querySelectorAll('[data-switch]'))
  field.onchange = () => {
    const { door, type } = field.dataset
    const value = type === 'number' ? Number(field.value) : type === 'boolean' ? field.value === 'true' : field.value
    send('PUT', '/simulator/doors/' + door + '/switches', { [field.dataset.switch]: value })
  }
`
