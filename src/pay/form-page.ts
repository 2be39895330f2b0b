import type { LinkRow } from '../core/checkout/payment-link.ts'
import { parseAmount } from '../lib/money.ts'
import { fillTemplate } from '../lib/template.ts'
import { moneyText } from '../lib/text/amount-texts.ts'
import { amountMarks } from '../lib/typed-amount.ts'
import { type Html, html } from './html.ts'
import type { FormFaults, FormValues } from './start-payment.ts'
import { type Language, textsOf } from './texts/texts.ts'
import type { Texts } from './texts/words.ts'

/** Content of a form's page. */
export interface FormPage {
  link: LinkRow
  language: Language
  /** Target of the form, with the language in its query. */
  action: string
  values: FormValues
  faults?: FormFaults
}

/** Example numbers, as people of each country write them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  XX: '00000003',
  UG: '0772 000 001',
  KE: '0712 000 001',
  NG: '0803 000 0001',
}

/** The page on which a customer types a number and pays. */
export function renderForm(page: FormPage): Html {
  const { link, language, action, values, faults } = page
  const texts = textsOf(language)
  const fixed = link.amount !== null ? moneyText(link.amount, link.currency, language) : undefined
  const amount_fault = faults?.amount && amountFault(page, faults.amount)
  return html`
${faults && faultList(page, faults)}
<h1>${link.title}</h1>
${link.description !== '' && html`<p class="text">${link.description}</p>`}
${fixed && html`<p class="amount">${fixed}</p>`}
<form method="post" action="${action}" novalidate>
<input type="hidden" name="form" value="${values.form}">
<input type="hidden" name="previous" value="${values.previous}">
<p class="trap" aria-hidden="true"><label>Website <input type="text" name="website" tabindex="-1" autocomplete="off"></label></p>
${amountField(page, amount_fault)}
${link.fields.map((field) => ownField(texts, field, values.fields[field.name] ?? '', faults?.fields[field.name]))}
${phoneField(texts, link, values.phone, faults?.phone)}
<p class="soft">${texts.never_pin}</p>
<button data-sending="${texts.sending}">${fixed ? fillTemplate(texts.pay_amount, { amount: fixed }) : texts.pay}</button>
</form>`
}

function amountField({ link, language, values }: FormPage, fault: string | undefined): Html | false {
  const texts = textsOf(language)
  const value = values.amount
  if (link.amount !== null) return false
  if (link.amounts !== null) {
    const chosen = parseAmount(value)
    const options = link.amounts.map((text, index) => {
      const amount = parseAmount(text)!
      return html`<label><input type="radio" name="amount" value="${text}"${index === 0 && html` id="amount"`}${amount === chosen && html` checked`}> ${moneyText(amount, link.currency, language)}</label>`
    })
    return html`<fieldset><legend>${texts.choose_amount}</legend>${faultText('amount', fault)}${options}</fieldset>`
  }
  const hint = fillTemplate(texts.amount_limits, limitsOf({ link, language }, link.min_amount!, link.max_amount!))
  const { between, point } = amountMarks(link.country, language)
  return html`<label for="amount">${texts.amount} (${link.currency})</label>
<p class="hint" id="amount-hint">${hint}</p>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required value="${value}" data-between="${between}" data-point="${point}"${describe('amount', fault)}>
${faultText('amount', fault)}`
}

function limitsOf({ link, language }: Pick<FormPage, 'link' | 'language'>, min: bigint, max: bigint) {
  return { min: moneyText(min, link.currency, language), max: moneyText(max, link.currency, language) }
}

function phoneField(texts: Texts, link: LinkRow, value: string, fault: FormFaults['phone']): Html {
  const message = fault && (fault === 'unreadable' ? texts.phone_fault : texts.phone_not_served)
  const hint = fillTemplate(texts.phone_hint, { example: EXAMPLES[link.country] ?? '+256772000001' })
  return html`<label for="phone">${texts.phone}</label>
<p class="hint" id="phone-hint">${hint}</p>
<input id="phone" name="phone" type="tel" inputmode="tel" autocomplete="tel" required value="${value}"${describe('phone', message)}>
<p class="hint" id="network" role="status"></p>
${faultText('phone', message)}`
}

function ownField(
  texts: Texts,
  field: LinkRow['fields'][number],
  value: string,
  fault: keyof Texts['answer_faults'] | undefined,
): Html {
  const id = `field_${field.name}`
  const message = fault && texts.answer_faults[fault]
  const label = html`<label for="${id}">${field.label}${!field.required && html` <small>(${texts.optional})</small>`}</label>`
  const required = field.required && html` required`
  const invalid = message && html` aria-invalid="true" aria-describedby="${id}-fault"`
  if (field.type === 'choice') {
    const options = field.choices.map(
      (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
    )
    return html`${label}<select id="${id}" name="${id}"${required}${invalid}><option value="">${texts.choose}</option>${options}</select>${faultText(id, message)}`
  }
  const mode = field.type === 'number' && html` inputmode="decimal"`
  return html`${label}<input id="${id}" name="${id}" maxlength="200" autocomplete="off" value="${value}"${mode}${required}${invalid}>${faultText(id, message)}`
}

function describe(id: string, fault: string | undefined): Html {
  return fault
    ? html` aria-invalid="true" aria-describedby="${id}-hint ${id}-fault"`
    : html` aria-describedby="${id}-hint"`
}

function faultText(id: string, fault: string | undefined): Html | false {
  return fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`
}

/** Everything that is wrong, first on the page, with links to the fields. */
function faultList(page: FormPage, faults: FormFaults): Html {
  const { link } = page
  const texts = textsOf(page.language)
  const { form } = faults
  if (form) return html`<div class="faults" role="alert"><p class="bad">${formFault(texts, form)}</p></div>`
  const wrong: [id: string, label: string][] = [
    ...(faults.amount ? [['amount', texts.amount] as [string, string]] : []),
    ...link.fields.flatMap(({ name, label }): [string, string][] =>
      faults.fields[name] ? [[`field_${name}`, label]] : [],
    ),
    ...(faults.phone ? [['phone', texts.phone] as [string, string]] : []),
  ]
  return html`<div class="faults" role="alert"><p class="bad">${texts.check}</p><ul>${wrong.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul>${link.amount !== null && faults.amount && html`<p class="fault">${amountFault(page, faults.amount)}</p>`}</div>`
}

function formFault(texts: Texts, fault: NonNullable<FormFaults['form']>): string {
  if (fault === 'too_old') return texts.form_too_old
  return fault === 'not_possible' ? texts.not_possible : texts.refusals[fault]
}

function amountFault(page: FormPage, fault: NonNullable<FormFaults['amount']>): string {
  const { link } = page
  const texts = textsOf(page.language)
  if (typeof fault === 'object') {
    const { min, max } = fault.limits
    return fillTemplate(texts.network_amount, { network: fault.network, ...limitsOf(page, min, max) })
  }
  const limits = fault === 'range' ? limitsOf(page, link.min_amount!, link.max_amount!) : {}
  return fillTemplate(texts.amount_faults[fault], limits)
}
