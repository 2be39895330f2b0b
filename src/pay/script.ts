/**
 * Script of the pages, which work without it. It separates the thousands of an amount as `groupTypedAmount` does, and
 * shows the network of a number. It also prevents double sending, and replaces the page when the payment's state
 * changes.
 */
export const SCRIPT = `
(() => {
  const here = location.pathname
  const form = document.querySelector('form')
  if (form) {
    const button = form.querySelector('button')
    const label = button.textContent
    form.addEventListener('submit', () => { setTimeout(() => { button.disabled = true; button.textContent = button.dataset.sending }) })
    addEventListener('pageshow', () => { button.disabled = false; button.textContent = label })
    const amount = form.querySelector('input[data-between]')
    if (amount) {
      const { between, point } = amount.dataset
      const group = (text) => {
        const [whole, ...decimals] = text.split(point)
        const digits = whole.split(between).join('')
        if (decimals.length > 1 || !/^[1-9]\\d{0,14}$/.test(digits) || whole.endsWith(between)) return text
        return [digits.replace(/\\B(?=(\\d{3})+$)/g, between), ...decimals].join(point)
      }
      let before = amount.value
      amount.addEventListener('input', () => {
        const text = amount.value
        const behind = text.length - amount.selectionStart
        const is_typed = Math.abs(text.length - before.length) === 1 && before === group(before) && !before.endsWith(between)
        if (is_typed || /^\\d+$/.test(text)) amount.value = group(text)
        before = amount.value
        amount.setSelectionRange(before.length - behind, before.length - behind)
      })
    }
    const phone = document.getElementById('phone')
    const network = document.getElementById('network')
    let timer
    const look = async () => {
      const body = new URLSearchParams({ phone: phone.value })
      const answer = await fetch(form.action + '/network', { method: 'POST', body }).catch(() => null)
      const found = answer && answer.ok ? await answer.json() : {}
      network.textContent = found.network || ''
    }
    phone.addEventListener('input', () => {
      clearTimeout(timer)
      network.textContent = ''
      if (phone.value.replace(/\\D/g, '').length > 6) timer = setTimeout(look, 500)
    })
  }
  let waits = 0
  const watch = async () => {
    const live = document.querySelector('[data-state]')
    if (!live || !live.dataset.live) return
    waits += 1
    const answer = await fetch(here + '/state').catch(() => null)
    const now = answer && answer.ok ? (await answer.json()).state : live.dataset.state
    if (now !== live.dataset.state) {
      const page = await fetch(location.href).catch(() => null)
      if (page && page.ok) {
        const fresh = new DOMParser().parseFromString(await page.text(), 'text/html')
        document.querySelector('main').replaceWith(fresh.querySelector('main'))
        document.title = fresh.title
        document.querySelector('h1').focus()
      }
    }
    setTimeout(watch, waits < 30 ? 2000 : 5000)
  }
  setTimeout(watch, 1000)
})()
`
