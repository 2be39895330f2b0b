import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/charts/styles.css'
import '@mantine/notifications/styles.css'
import './font.css'
import './style.css'
import { reload } from './reload.ts'
import { language, loadTexts } from './texts/index.ts'

declare global {
  interface Window {
    __webpack_nonce__?: string
  }
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
// The library that locks scrolling under a dialog reads the nonce here.
window.__webpack_nonce__ = nonce

window.addEventListener('vite:preloadError', reloadAfterUpdate)

/**
 * Reload a page that was opened before an update, because its files no longer exist. If the service is unreachable, or
 * a reload within the last minute did not help, show the error page (router.tsx).
 */
async function reloadAfterUpdate(): Promise<void> {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 60_000) return
  if (await reload()) sessionStorage.setItem('reloaded', String(Date.now()))
}

await loadTexts()
document.documentElement.lang = language
const { default: showConsole } = await import('./console.tsx')
showConsole(nonce)
