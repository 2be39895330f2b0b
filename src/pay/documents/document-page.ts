import type { DocumentPdf } from '../../lib/pdf/document-pdf.ts'
import { type Html, html } from '../html.ts'

/** Content of a document, the same on the page and in the PDF. */
export type DocumentContent = Omit<DocumentPdf, 'issuer' | 'language' | 'created' | 'check'>

interface Below {
  /** Lines about the seller. */
  seller: readonly string[]
  /** More at the end, such as a link to the PDF. */
  below: Html
}

/** The page of a document: the same content as its PDF. */
export function renderDocument(content: DocumentContent, { seller, below }: Below): Html {
  const { title, warning, facts, table, totals, notes } = content
  return html`<h1>${title}</h1>
${warning !== undefined && html`<p class="bad" role="status"><strong>${warning}</strong></p>`}
${listOf(facts)}
${table && tableOf(table)}
${listOf(totals.map(({ name, value, strong }) => [name, strong ? html`<strong>${value}</strong>` : value]))}
${notes.map((note) => html`<p class="soft">${note}</p>`)}
${seller.length > 0 && html`<p class="soft">${seller.map((line) => html`${line}<br>`)}</p>`}
${below}`
}

function listOf(lines: readonly (readonly [name: string, value: string | Html])[]): Html {
  return html`<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function tableOf({ head, lines }: NonNullable<DocumentContent['table']>): Html {
  const cells = (line: readonly string[]) => line.map((cell) => html`<td>${cell}</td>`)
  return html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${lines.map((line) => html`<tr>${cells(line)}</tr>`)}</tbody></table>`
}
