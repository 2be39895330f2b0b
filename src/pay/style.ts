/** The style of the pages. `{{color}}` is the colour of the shop, on which white letters can be read. */
export const STYLE = `
:root { color-scheme: light dark; --brand: {{color}}; --text: #1b1f23; --soft: #555c63; --ground: #f4f5f6; --card: #fff; --line: #8a9199; --bad: #a3160d; --good: #0a6640; }
@media (prefers-color-scheme: dark) { :root { --text: #eef0f2; --soft: #b3bac1; --ground: #121416; --card: #1d2023; --line: #7d858d; --bad: #ff9a8f; --good: #6fd6a4; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
header, main, footer { max-width: 30rem; margin: 0 auto; }
header { display: flex; align-items: center; gap: .75rem; min-height: 3rem; font-weight: 600; overflow-wrap: anywhere; }
header img { max-width: 4rem; max-height: 3rem; background: #fff; border-radius: .25rem; }
header p { margin: 0; }
main { background: var(--card); border-top: .375rem solid var(--brand); border-radius: .5rem; padding: 1.25rem; margin-top: .75rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; outline: none; }
h2 { font-size: 1.0625rem; margin: 1.5rem 0 .25rem; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
.text { white-space: pre-line; }
.amount { font-size: 1.75rem; font-weight: 700; line-height: 1.2; }
.soft, .hint { color: var(--soft); font-size: .9375rem; }
.hint { margin: .125rem 0; }
label, legend { display: block; font-weight: 600; padding: 0; margin-top: 1rem; }
label small { font-weight: 400; color: var(--soft); }
fieldset { border: 0; margin: 0; padding: 0; }
fieldset label { display: flex; align-items: center; gap: .75rem; min-height: 3rem; margin: .5rem 0 0; padding: 0 .75rem; border: 1px solid var(--line); border-radius: .375rem; font-weight: 400; }
fieldset input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--brand); }
input:not([type=radio]), select { width: 100%; min-height: 3rem; margin-top: .25rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .375rem; }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
h1:focus-visible { outline: none; }
.button, button { display: block; width: 100%; min-height: 3.25rem; margin-top: 1.25rem; padding: .75rem; font: inherit; font-weight: 700; text-align: center; text-decoration: none; color: #fff; background: var(--brand); border: 1px solid #fff8; border-radius: .375rem; cursor: pointer; }
.button.plain { color: inherit; background: none; border-color: var(--line); }
button[disabled] { opacity: .7; cursor: default; }
.fault { color: var(--bad); font-weight: 600; margin: .25rem 0 0; }
.faults { border: 2px solid var(--bad); border-radius: .375rem; padding: .5rem .75rem; margin-bottom: 1rem; }
.faults a { color: var(--bad); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.trap { position: absolute; left: -9999px; }
dl { margin: 1rem 0 0; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .375rem 0; border-top: 1px solid #8883; }
dt { min-width: min(40%, 8rem); color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; min-width: 0; }
table { width: 100%; margin-top: 1rem; border-collapse: collapse; }
th, td { padding: .375rem 0 .375rem .5rem; border-top: 1px solid #8883; text-align: right; overflow-wrap: anywhere; }
th { font-size: .875rem; overflow-wrap: normal; vertical-align: bottom; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
td:not(:first-child) { white-space: nowrap; }
@media (max-width: 30rem) {
  td:not(:first-child) { white-space: normal; }
  tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); padding: .375rem 0; border-top: 1px solid #8883; }
  th, td { padding: 0 0 0 .5rem; border-top: 0; }
  th:first-child, td:first-child { grid-column: 1 / -1; }
}
ul { margin: .25rem 0; padding-left: 1.25rem; }
footer { padding: 1rem 0; font-size: .9375rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav a, nav span { padding: .375rem 0; color: inherit; }
@media print { body { background: none; } footer, .button { display: none; } }
`
