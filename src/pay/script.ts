/**
 * The script of the pages. Everything works without it; it shows the network of a number, keeps an impatient finger from
 * sending twice, and replaces the page when the state of the payment changes.
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
